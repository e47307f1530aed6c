package dev.swapgate.gate.port;

import dev.swapgate.gate.core.CommandEnd;
import dev.swapgate.gate.core.ContainerSighting;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Containers, by name. The name is resolved anew at each call. Every call returns within its
 * deadline (looks: 10 s), whatever the daemon does; thread-safe.
 */
public interface Containers extends AutoCloseable {

  /**
   * Looks at one container once.
   *
   * @throws BackendException when the daemon cannot be asked or its answer cannot be read; a name
   *     without a container is {@link ContainerSighting#missing()}, not an exception
   */
  ContainerSighting look(String container);

  /** Starts it. An answer that proves nothing (304, no answer in time) is {@code Unknown}. */
  CommandEnd start(String container, Duration deadline);

  /**
   * Sends one stop request with this grace period, never a second one, and waits for its answer
   * until the deadline.
   */
  CommandEnd stop(String container, Duration grace, Duration deadline);

  /** Sends SIGKILL. */
  CommandEnd kill(String container, Duration deadline);

  /**
   * The last lines it wrote, oldest first.
   *
   * @throws BackendException when they cannot be had
   */
  List<String> lastLogLines(String container, int lines);

  /** Commands inside them; only backends that are configured to run some may ask for it. */
  Inside inside();

  /**
   * Watches the daemon's events until closed, reconnecting by itself, and calls {@code hint} when
   * something may have changed. A hint is no fact: it only makes the next look come sooner.
   */
  AutoCloseable watch(Consumer<Hint> hint);

  /**
   * Something may have changed.
   *
   * @param container its name; empty when events may have been missed
   * @param signalled true when somebody sent it a signal (an event {@code kill}): its end is then
   *     an order and no crash
   */
  record Hint(String container, boolean signalled) {}

  @Override
  void close();
}

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

  /**
   * Watches the daemon's events and calls {@code hint} with a container's name when something may
   * have changed there, and with "" when events may have been missed. A hint is no fact: it only
   * makes the next look come sooner. Reconnects by itself until closed.
   */
  AutoCloseable watch(Consumer<String> hint);

  @Override
  void close();
}

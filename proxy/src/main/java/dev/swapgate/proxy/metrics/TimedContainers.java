package dev.swapgate.proxy.metrics;

import dev.swapgate.gate.core.CommandEnd;
import dev.swapgate.gate.core.ContainerSighting;
import dev.swapgate.gate.port.Containers;
import dev.swapgate.gate.port.Inside;
import dev.swapgate.gate.runtime.SteadyClock;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** Containers whose calls are timed. As thread-safe as what it asks. */
public final class TimedContainers implements Containers {
  private final Containers containers;
  private final SteadyClock clock;
  private final Metrics metrics;

  public TimedContainers(Containers containers, SteadyClock clock, Metrics metrics) {
    this.containers = containers;
    this.clock = clock;
    this.metrics = metrics;
  }

  private <T> T timed(String call, Supplier<T> work, Function<T, String> end) {
    Duration began = clock.now().steady();
    String how = "failed";
    try {
      T result = work.get();
      how = end.apply(result);
      return result;
    } finally {
      metrics.dockerCall(call, how, clock.now().steady().minus(began));
    }
  }

  private static String word(CommandEnd end) {
    return switch (end) {
      case CommandEnd.Done done -> "done";
      case CommandEnd.Failed failed -> "failed";
      case CommandEnd.Unknown unknown -> "unknown";
    };
  }

  @Override
  public ContainerSighting look(String container) {
    return timed("look", () -> containers.look(container), seen -> "done");
  }

  @Override
  public CommandEnd start(String container, Duration deadline) {
    return timed("start", () -> containers.start(container, deadline), TimedContainers::word);
  }

  @Override
  public CommandEnd stop(String container, Duration grace, Duration deadline) {
    return timed("stop", () -> containers.stop(container, grace, deadline), TimedContainers::word);
  }

  @Override
  public CommandEnd kill(String container, Duration deadline) {
    return timed("kill", () -> containers.kill(container, deadline), TimedContainers::word);
  }

  @Override
  public List<String> lastLogLines(String container, int lines) {
    return timed("logs", () -> containers.lastLogLines(container, lines), seen -> "done");
  }

  /** Not timed: these belong to jobs. */
  @Override
  public Inside inside() {
    return containers.inside();
  }

  @Override
  public AutoCloseable watch(Consumer<Hint> hint) {
    return containers.watch(hint);
  }

  @Override
  public void close() {
    containers.close();
  }
}

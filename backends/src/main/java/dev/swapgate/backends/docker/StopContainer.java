package dev.swapgate.backends.docker;

import dev.swapgate.gate.core.CommandEnd;
import java.time.Duration;

/** {@code POST /containers/{name}/stop?t=}: one request, for a second one is a second SIGTERM. */
final class StopContainer {
  private static final long MAX_SECONDS = Integer.MAX_VALUE;

  private final SendCommand command;

  StopContainer(SendCommand command) {
    this.command = command;
  }

  CommandEnd stop(String container, Duration grace, Duration deadline) {
    int seconds = wholeSeconds(grace);
    return command.send(
        "stop",
        container,
        deadline,
        (docker, name) -> docker.stopContainerCmd(name).withTimeout(seconds).exec());
  }

  /** Rounded up; never negative, which Docker takes for "never kill". */
  private static int wholeSeconds(Duration grace) {
    long roundedUp = grace.plusSeconds(1).minusNanos(1).toSeconds();
    return (int) Math.clamp(roundedUp, 0, MAX_SECONDS);
  }
}

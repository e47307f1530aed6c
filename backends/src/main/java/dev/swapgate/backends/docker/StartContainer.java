package dev.swapgate.backends.docker;

import dev.swapgate.gate.core.CommandEnd;
import java.time.Duration;

/** {@code POST /containers/{name}/start}. */
final class StartContainer {
  private final SendCommand command;

  StartContainer(SendCommand command) {
    this.command = command;
  }

  CommandEnd start(String container, Duration deadline) {
    return command.send(
        "start", container, deadline, (docker, name) -> docker.startContainerCmd(name).exec());
  }
}

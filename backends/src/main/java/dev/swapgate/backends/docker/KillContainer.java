package dev.swapgate.backends.docker;

import dev.swapgate.gate.core.CommandEnd;
import java.time.Duration;

/** {@code POST /containers/{name}/kill?signal=SIGKILL}. */
final class KillContainer {
  private final SendCommand command;

  KillContainer(SendCommand command) {
    this.command = command;
  }

  CommandEnd kill(String container, Duration deadline) {
    return command.send(
        "kill",
        container,
        deadline,
        (docker, name) -> docker.killContainerCmd(name).withSignal("SIGKILL").exec());
  }
}

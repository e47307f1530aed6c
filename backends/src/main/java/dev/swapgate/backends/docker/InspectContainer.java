package dev.swapgate.backends.docker;

import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.api.command.InspectContainerResponse.ContainerState;
import com.github.dockerjava.api.model.RestartPolicy;
import dev.swapgate.gate.core.ContainerSighting;
import dev.swapgate.gate.core.ContainerSighting.State;
import dev.swapgate.gate.port.BackendException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.OptionalInt;

/** Inspects one container by its exact name. */
final class InspectContainer {
  /** Docker's way to say "never": the year 1. */
  private static final Instant ZERO_TIME_ENDS = Instant.parse("0002-01-01T00:00:00Z");

  private final AskDocker docker;

  InspectContainer(AskDocker docker) {
    this.docker = docker;
  }

  ContainerSighting look(String container) {
    return inspect("look", container)
        .map(seen -> sighting(container, seen))
        .orElseGet(ContainerSighting::missing);
  }

  /** Empty when no container has exactly this name. */
  Optional<InspectContainerResponse> inspect(String verb, String container) {
    ContainerName.check(container);
    // Docker takes the beginning of an id for a name: "ace" would find a container whose id begins
    // so when the one named ace is gone.
    return docker
        .ask(verb, container, client -> client.inspectContainerCmd(container).exec())
        .filter(seen -> ("/" + container).equals(present(seen.getName(), container, "Name")));
  }

  private static ContainerSighting sighting(String container, InspectContainerResponse seen) {
    ContainerState raw = present(seen.getState(), container, "State");
    State state = state(container, raw);
    Optional<Instant> startedAt = startedAt(container, raw);
    boolean hasRun = state == State.DOWN && startedAt.isPresent();
    return new ContainerSighting(
        state,
        present(seen.getId(), container, "Id"),
        startedAt,
        hasRun ? OptionalInt.of(exitCode(container, raw)) : OptionalInt.empty(),
        stopTimeout(seen),
        restarts(seen),
        Boolean.TRUE.equals(raw.getOOMKilled()),
        seen.getHostConfig() != null && Boolean.TRUE.equals(seen.getHostConfig().getAutoRemove()));
  }

  private static State state(String container, ContainerState raw) {
    boolean running = present(raw.getRunning(), container, "State.Running");
    long pid = present(raw.getPidLong(), container, "State.Pid");
    if (Boolean.TRUE.equals(raw.getPaused())) {
      return State.PAUSED;
    }
    boolean restarting = Boolean.TRUE.equals(raw.getRestarting());
    return running || restarting || pid != 0 ? State.RUNNING : State.DOWN;
  }

  private static Optional<Instant> startedAt(String container, ContainerState raw) {
    String text = raw.getStartedAt();
    if (text == null || text.isEmpty()) {
      return Optional.empty();
    }
    try {
      Instant at = OffsetDateTime.parse(text).toInstant();
      return at.isBefore(ZERO_TIME_ENDS) ? Optional.empty() : Optional.of(at);
    } catch (DateTimeException odd) {
      throw new BackendException(
          "Docker's answer about container " + container + " has the start time " + text, odd);
    }
  }

  private static int exitCode(String container, ContainerState raw) {
    return present(raw.getExitCodeLong(), container, "State.ExitCode").intValue();
  }

  static Duration stopTimeout(InspectContainerResponse seen) {
    return RawValues.config(seen, "StopTimeout") instanceof Number seconds
        ? Duration.ofSeconds(Math.max(0, seconds.longValue()))
        : ContainerSighting.DEFAULT_STOP_TIMEOUT;
  }

  private static boolean restarts(InspectContainerResponse seen) {
    String name = restartPolicy(seen);
    return !name.isEmpty() && !name.equals("no");
  }

  /** The policy's name, as in {@code unless-stopped}; empty when it has none. */
  static String restartPolicy(InspectContainerResponse seen) {
    RestartPolicy policy = seen.getHostConfig() == null ? null : restart(seen);
    return policy == null || policy.getName() == null ? "" : policy.getName();
  }

  private static RestartPolicy restart(InspectContainerResponse seen) {
    return seen.getHostConfig().getRestartPolicy();
  }

  private static <T> T present(T value, String container, String field) {
    if (value == null) {
      throw new BackendException(
          "Docker's answer about container " + container + " has no " + field);
    }
    return value;
  }
}

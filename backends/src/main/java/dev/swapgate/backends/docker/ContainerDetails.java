package dev.swapgate.backends.docker;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What one container is made of, as far as the preflight has to know.
 *
 * @param state Docker's own word: {@code created running paused restarting removing exited dead}
 * @param health {@code starting healthy unhealthy}; empty without a health check
 * @param autoRemove made with {@code --rm}: it vanishes when it is stopped
 * @param restartPolicy {@code no on-failure unless-stopped always}; empty when none is named
 * @param init an init process is its PID 1; empty when the daemon's default applies
 * @param stopSignal empty when it is SIGTERM by default
 * @param pidMode {@code host} or {@code container:…} when it shares a PID namespace, else empty
 * @param ipcMode as for PID; {@code private}, {@code shareable} and the like are Docker's own
 * @param labels among them those of Compose
 * @param stopTimeout its own stop grace period
 * @param networkMode {@code host} when it has the host's ports; else a network's name
 * @param asksForGpu it is made with a device reservation, {@code --gpus} or NVIDIA's runtime
 */
public record ContainerDetails(
    String name,
    String id,
    String image,
    String state,
    Optional<String> health,
    boolean autoRemove,
    String restartPolicy,
    List<PublishedPort> ports,
    Optional<Boolean> init,
    String stopSignal,
    List<String> entrypoint,
    List<String> command,
    String pidMode,
    String ipcMode,
    Map<String, String> labels,
    Duration stopTimeout,
    String networkMode,
    boolean asksForGpu) {

  public ContainerDetails {
    ports = List.copyOf(ports);
    entrypoint = List.copyOf(entrypoint);
    command = List.copyOf(command);
    labels = Map.copyOf(labels);
  }

  /** The Compose service it belongs to, if Compose made it. */
  public Optional<String> composeService() {
    return Optional.ofNullable(labels.get("com.docker.compose.service"));
  }

  /** The Compose project it belongs to, if Compose made it. */
  public Optional<String> composeProject() {
    return Optional.ofNullable(labels.get("com.docker.compose.project"));
  }

  /**
   * One port of the container that is reachable on the host.
   *
   * @param containerPort as in {@code 8000/tcp}
   * @param hostIp empty for all addresses
   * @param hostPort as it was asked for; empty, {@code 0} or a range when Docker chooses
   */
  public record PublishedPort(String containerPort, String hostIp, String hostPort) {

    /** False when Docker chooses the host port anew at each start. */
    public boolean isFixed() {
      return hostPort.matches("[1-9][0-9]*");
    }
  }
}

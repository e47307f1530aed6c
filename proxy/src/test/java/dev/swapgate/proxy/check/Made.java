package dev.swapgate.proxy.check;

import dev.swapgate.backends.docker.ContainerDetails;
import dev.swapgate.backends.docker.ContainerDetails.PublishedPort;
import dev.swapgate.backends.docker.DaemonVersion;
import dev.swapgate.backends.settings.BackendSettings;
import dev.swapgate.backends.settings.ReadinessSettings;
import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.port.BackendException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Backends and containers as the preflight finds them. */
final class Made {

  private Made() {}

  /** A daemon that cannot be asked. */
  static Preflight.Daemon refusing(String message) {
    return new Preflight.Daemon() {
      @Override
      public Optional<ContainerDetails> details(String container) {
        throw new BackendException(message);
      }

      @Override
      public DaemonVersion version() {
        throw new BackendException(message);
      }
    };
  }

  static BackendSettings settings(Backend.Id id, String container, URI url) {
    return new BackendSettings(
        id,
        container,
        url,
        new ReadinessSettings("/health", Set.of(200), "", Map.of(), Duration.ofSeconds(5)));
  }

  static Map<String, String> composed(String service, String dependsOn) {
    return Map.of(
        "com.docker.compose.project",
        "box",
        "com.docker.compose.service",
        service,
        "com.docker.compose.depends_on",
        dependsOn + ":service_started:false");
  }

  static ContainerDetails container(String name, String state) {
    return with(name, state, false, "no", List.of(), List.of("python", "server.py"));
  }

  static ContainerDetails with(
      String name,
      String state,
      boolean autoRemove,
      String restart,
      List<PublishedPort> ports,
      List<String> command) {
    return new ContainerDetails(
        name,
        "id-of-" + name,
        "image",
        state,
        Optional.empty(),
        autoRemove,
        restart,
        ports,
        Optional.empty(),
        "",
        List.of(),
        command,
        "",
        "private",
        Map.of(),
        Duration.ofSeconds(10),
        "bridge",
        false);
  }

  /** The same, as Compose or another option would have made it. */
  static ContainerDetails with(
      ContainerDetails made,
      Optional<String> health,
      String stopSignal,
      String pidMode,
      Map<String, String> labels) {
    return new ContainerDetails(
        made.name(),
        made.id(),
        made.image(),
        made.state(),
        health,
        made.autoRemove(),
        made.restartPolicy(),
        made.ports(),
        made.init(),
        stopSignal,
        made.entrypoint(),
        made.command(),
        pidMode,
        made.ipcMode(),
        labels,
        made.stopTimeout(),
        made.networkMode(),
        made.asksForGpu());
  }
}

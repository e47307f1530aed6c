package dev.swapgate.proxy.check;

import dev.swapgate.backends.docker.ContainerDetails;
import dev.swapgate.backends.settings.BackendSettings;
import java.util.Optional;

/**
 * One backend of the file, and the container it was found to have.
 *
 * @param engine false for a media backend
 * @param container empty when Docker has none of that name
 */
record Sight(BackendSettings backend, boolean engine, Optional<ContainerDetails> container) {

  String name() {
    return backend.id().value();
  }

  /** A key of this backend, as it stands in the file. */
  String key(String name) {
    return (engine ? "engines." : "media.") + name() + "." + name;
  }

  boolean isUp() {
    return container
        .map(ContainerDetails::state)
        .filter(state -> state.equals("running") || state.equals("paused"))
        .isPresent();
  }

  /** How it is made again without being started: with Compose when Compose made it. */
  String create() {
    return "docker compose create "
        + container.flatMap(ContainerDetails::composeService).orElse(backend.container());
  }

  /** How it is stopped without being removed. */
  String stop() {
    return container
        .flatMap(ContainerDetails::composeService)
        .map(service -> "docker compose stop " + service)
        .orElse("docker stop " + backend.container());
  }
}

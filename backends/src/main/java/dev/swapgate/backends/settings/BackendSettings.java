package dev.swapgate.backends.settings;

import dev.swapgate.gate.core.Backend;
import java.net.URI;

/**
 * Where one backend is found.
 *
 * @param url its base address, without a trailing slash; empty for a container that serves nobody
 */
public record BackendSettings(
    Backend.Id id, String container, URI url, ReadinessSettings readiness) {

  /** The address of a container that serves nobody. */
  public static final URI NOWHERE = URI.create("");

  public boolean isServer() {
    return !url.equals(NOWHERE);
  }
}

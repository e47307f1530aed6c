package dev.swapgate.backends.settings;

import dev.swapgate.gate.core.Backend;
import java.net.URI;

/**
 * Where one backend is found.
 *
 * @param url its base address, without a trailing slash
 */
public record BackendSettings(
    Backend.Id id, String container, URI url, ReadinessSettings readiness) {}

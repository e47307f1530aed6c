package dev.swapgate.gate.port;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.ProbeResult;

/**
 * Asks a backend's own readiness path once. Returns within the backend's own per-attempt timeout;
 * whatever goes wrong is {@link ProbeResult.NotReady} with what was seen. Thread-safe.
 */
public interface ReadinessProbe {
  ProbeResult probe(Backend.Id backend);
}

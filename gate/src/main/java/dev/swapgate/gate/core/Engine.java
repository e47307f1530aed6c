package dev.swapgate.gate.core;

import java.time.Duration;
import java.util.Optional;

/**
 * A backend that serves chat.
 *
 * @param restore how long it takes from start to ready, as its owner states it; what was learned
 *     beats it
 * @param attempts failed restores in a row before the fallback engine serves, or the gate is
 *     degraded
 */
public record Engine(
    Id id, String container, Budgets budgets, Optional<Duration> restore, int attempts)
    implements Backend {
  public Engine {
    if (attempts < 1) {
      throw new IllegalArgumentException("attempts must be at least 1, was " + attempts);
    }
  }
}

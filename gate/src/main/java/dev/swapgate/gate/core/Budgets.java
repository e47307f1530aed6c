package dev.swapgate.gate.core;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How long each step of one backend may take.
 *
 * @param drain how long answers under way may go on once the turnstile is shut
 * @param stopGracePeriod the time between the stop request and the daemon's kill; empty: the
 *     container's own
 * @param release how long the card may take to come back after the container is down
 * @param start how long the start command may take; not the readiness
 * @param readiness how long the backend may take from its start to ready
 * @param interval the longest time between two probes ({@link ProbePace})
 * @param passes passes in a row, under one StartedAt, that make it ready
 * @param vramMib MiB that must be free before it is started; empty: the empty card's baseline
 */
public record Budgets(
    Duration drain,
    Optional<Duration> stopGracePeriod,
    Duration release,
    Duration start,
    Duration readiness,
    Duration interval,
    int passes,
    OptionalLong vramMib) {
  public Budgets {
    if (passes < 1) {
      throw new IllegalArgumentException("passes must be at least 1, was " + passes);
    }
  }
}

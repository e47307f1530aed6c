package dev.swapgate.proxy.fallback;

import java.time.Duration;

/**
 * Why something is set aside, and until when.
 *
 * @param since and {@code until} on the steady clock
 */
record Cooldown(CooldownKey key, Verdict.Kind kind, String why, Duration since, Duration until) {

  /** Longer than any process lives. */
  static final Duration FOR_EVER = Duration.ofDays(365_000);

  boolean isOver(Duration now) {
    return until.compareTo(now) <= 0;
  }

  boolean isForEver() {
    return until.compareTo(FOR_EVER) >= 0;
  }

  Duration left(Duration now) {
    return isOver(now) ? Duration.ZERO : until.minus(now);
  }

  /** Of two for the same thing the later end counts: one more answer never shortens a wait. */
  Cooldown orLonger(Cooldown other) {
    return other.until.compareTo(until) > 0 ? other : this;
  }
}

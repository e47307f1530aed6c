package dev.swapgate.gate.core;

import java.time.Duration;

/**
 * When chat is expected to be open again, in a form that can be asked at any moment without asking
 * the gate: what is left of the present step falls with time, the later steps do not.
 *
 * @param stepExpected how long the present step takes in all
 * @param stepStarted steady time at which it began
 * @param later all later steps together
 * @param min the smallest answer
 * @param max the largest answer
 */
public record Outlook(
    Duration stepExpected, Duration stepStarted, Duration later, Duration min, Duration max) {

  /** What is left, unclamped and never negative. */
  public Duration left(Now now) {
    Duration left = stepExpected.minus(now.steady().minus(stepStarted));
    return (left.isNegative() ? Duration.ZERO : left).plus(later);
  }

  /** Seconds for Retry-After: rounded up, clamped last. */
  public int retryAfterSeconds(Now now) {
    Duration left = left(now);
    long seconds = left.getSeconds() + (left.getNano() > 0 ? 1 : 0);
    return (int) Math.max(min.toSeconds(), Math.min(max.toSeconds(), seconds));
  }
}

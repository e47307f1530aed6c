package dev.swapgate.gate.core;

import java.time.Duration;

/**
 * When chat is expected to be open again, in a form that can be asked at any moment without asking
 * the gate: what is left of the present step falls with time, the later steps do not.
 *
 * @param stepExpected how long the present step takes in all
 * @param stepStarted steady time at which it began
 * @param later all later steps together
 * @param margin what Retry-After adds to what is left; a step that runs over uses it up
 * @param min the smallest answer
 * @param max the largest answer
 */
public record Outlook(
    Duration stepExpected,
    Duration stepStarted,
    Duration later,
    Duration margin,
    Duration min,
    Duration max) {

  /** Without a margin. */
  public Outlook(
      Duration stepExpected, Duration stepStarted, Duration later, Duration min, Duration max) {
    this(stepExpected, stepStarted, later, Duration.ZERO, min, max);
  }

  /** What is left, unclamped and never negative. */
  public Duration left(Now now) {
    return left(stepExpected, now);
  }

  /** Seconds for Retry-After: rounded up, clamped last. */
  public int retryAfterSeconds(Now now) {
    Duration left = left(stepExpected.plus(margin), now);
    long seconds = left.getSeconds() + (left.getNano() > 0 ? 1 : 0);
    return (int) Math.max(min.toSeconds(), Math.min(max.toSeconds(), seconds));
  }

  private Duration left(Duration step, Now now) {
    Duration left = step.minus(now.steady().minus(stepStarted));
    return (left.isNegative() ? Duration.ZERO : left).plus(later);
  }
}

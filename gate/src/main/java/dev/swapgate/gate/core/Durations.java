package dev.swapgate.gate.core;

import java.time.Duration;

/** What {@link Duration} lacks. */
public final class Durations {

  private Durations() {}

  /** The longer one; of two steady times the later. */
  public static Duration max(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? other : one;
  }

  /** The shorter one; of two steady times the earlier. */
  public static Duration min(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}

package dev.swapgate.gate.core;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * How much a job is in a hurry. Jobs are begun in the order of their acceptance, each as if it had
 * been accepted its handicap later: whoever has waited longer than that goes before a hurry of
 * today, so nobody starves, and a job's place does not change by waiting.
 */
public enum Priority {
  HIGH(Duration.ZERO),
  NORMAL(Duration.ofHours(1)),
  LOW(Duration.ofHours(8));

  private final Duration handicap;

  Priority(Duration handicap) {
    this.handicap = handicap;
  }

  /** By how much a job that is accepted later may go before one of this priority. */
  Duration handicap() {
    return handicap;
  }

  boolean isAbove(Priority other) {
    return compareTo(other) < 0;
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The priority people call by this word. */
  public static Optional<Priority> of(String word) {
    for (Priority one : values()) {
      if (one.word().equals(word)) {
        return Optional.of(one);
      }
    }
    return Optional.empty();
  }
}

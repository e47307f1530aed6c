package dev.swapgate.proxy.fallback;

import java.time.Duration;
import java.util.Locale;

/**
 * What an end means.
 *
 * @param cover what it concerns
 * @param length for how long, before chance lengthens it; zero where nothing is set aside
 * @param inARow which failure in a row it was; 1 for all that are no faults
 * @param why for people: the status or the failure, and what kind it is
 */
public record Verdict(Kind kind, Cover cover, Duration length, int inARow, String why) {

  /** The kinds differ in what follows. */
  public enum Kind {
    /** A good answer: clears what failures in a row have added up. */
    GOOD,
    /** The request itself is at fault: the client is told, and nobody else is asked. */
    CLIENT,
    /** Asking again would stretch the window: cools even the only one. */
    LIMIT,
    /** May be gone at the next request: never cools the only one that could answer. */
    FAULT,
    /** The model is no more: not asked again until someone says so. */
    GONE;

    /** As counters and logs have it: {@code limit}. */
    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Whether it is worth a line: the first failures of a row are, then ever fewer. */
  boolean isNews() {
    return Integer.bitCount(inARow) == 1;
  }

  /** Whether another provider may do better with the same request. */
  public boolean isFailure() {
    return kind != Kind.GOOD && kind != Kind.CLIENT;
  }
}

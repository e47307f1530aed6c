package dev.swapgate.proxy.chat;

import java.time.Duration;

/**
 * How a family of clients wants to be refused.
 *
 * @param status 429, or 503 for clients that give up at once on a 429
 * @param cap the largest Retry-After it honours, in seconds; more is ignored or raised at once
 * @param hold how long its requests are held silently before they are refused; zero is not at all
 */
record Profile(String name, int status, int cap, Duration hold) {

  static final Profile HONEST = new Profile("honest", 429, Integer.MAX_VALUE, Duration.ZERO);

  Profile holding(Duration length) {
    return new Profile(name + "+hold", status, cap, length);
  }

  /**
   * How long a request is held silently before it is refused.
   *
   * @param left what is left of the swap
   * @param tail with no more than that left, every client's requests are held
   */
  Duration hold(Duration left, Duration tail) {
    return left.compareTo(tail) <= 0 && tail.compareTo(hold) > 0 ? tail : hold;
  }

  /** What this client is told for a true remainder. */
  int retryAfter(int trueSeconds) {
    return Math.min(trueSeconds, cap);
  }
}

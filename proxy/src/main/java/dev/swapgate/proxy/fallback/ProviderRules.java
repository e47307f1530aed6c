package dev.swapgate.proxy.fallback;

import java.time.Duration;

/**
 * For how long each kind of failure sets a provider, a model or a key aside.
 *
 * @param limits what a 429 covers
 * @param rateLimited a 429 that names no time of its own
 * @param unauthorized 401 and 403, of a key
 * @param unpaid 402 and caps of a day or a month, of a key
 * @param unavailable 503 and 529
 * @param refused a connection that is refused, or a name that is not found
 * @param timedOut no connection, no answer, or no further byte in time
 * @param failed any other failure, and the unit of what failures in a row cost: the n-th takes at
 *     least this · 2^(n−1)
 * @param longestFault the most that failures in a row can cost
 * @param longest the most that is believed of a provider's own Retry-After
 */
public record ProviderRules(
    Cover limits,
    Duration rateLimited,
    Duration unauthorized,
    Duration unpaid,
    Duration unavailable,
    Duration refused,
    Duration timedOut,
    Duration failed,
    Duration longestFault,
    Duration longest) {

  /** The figures of an empty configuration (DESIGN 7). */
  public static ProviderRules standard() {
    return new ProviderRules(
        Cover.KEY,
        Duration.ofSeconds(60),
        Duration.ofSeconds(600),
        Duration.ofSeconds(300),
        Duration.ofSeconds(120),
        Duration.ofSeconds(30),
        Duration.ofSeconds(15),
        Duration.ofSeconds(30),
        Duration.ofMinutes(10),
        Duration.ofHours(1));
  }
}

package dev.swapgate.proxy.fallback;

import java.util.Optional;

/** How one call to a provider ended, as far as the next one is concerned. */
public sealed interface ProviderEnd {

  /**
   * It answered.
   *
   * @param hint what the body, or the first event of a stream, says of an error
   * @param retryAfter in seconds or as a date; and {@code retryAfterMs} in milliseconds
   * @param date the provider's own clock, against which its dates are read
   */
  record Answered(
      int status,
      ErrorHint hint,
      Optional<String> retryAfter,
      Optional<String> retryAfterMs,
      Optional<String> date)
      implements ProviderEnd {}

  /** It did not, or not to the end. */
  record Failed(How how) implements ProviderEnd {}

  /** Ways to fail without a status. */
  enum How {
    REFUSED("the connection was refused"),
    TIMED_OUT("it did not answer in time"),
    BROKEN("the answer broke off");

    private final String words;

    How(String words) {
      this.words = words;
    }

    String words() {
      return words;
    }
  }
}

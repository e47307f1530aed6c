package dev.swapgate.proxy.fallback;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/** Reads how long a provider asks to be left alone. What makes no sense is as if it were absent. */
final class RetryAfter {

  /** More than anybody is believed; keeps arithmetic away from overflow. */
  private static final double MOST_SECONDS = 1e9;

  private RetryAfter() {}

  /**
   * The shortest form that is exact wins: milliseconds, then seconds or a date, then the body.
   *
   * @param wall to measure a date against when the provider's own clock is not told
   */
  static Optional<Duration> of(ProviderEnd.Answered end, Instant wall) {
    Instant there = end.date().flatMap(RetryAfter::date).orElse(wall);
    return end.retryAfterMs()
        .flatMap(text -> number(text, 1e-3))
        .or(() -> end.retryAfter().flatMap(text -> number(text, 1)))
        .or(
            () ->
                end.retryAfter()
                    .flatMap(RetryAfter::date)
                    .map(until -> Duration.between(there, until)))
        .or(() -> end.hint().retryAfter())
        .map(asked -> asked.isNegative() ? Duration.ZERO : asked);
  }

  private static Optional<Duration> number(String text, double unitSeconds) {
    String digits = text.strip();
    if (!digits.matches("\\d{1,400}(\\.\\d{1,30})?")) {
      return Optional.empty();
    }
    return Optional.of(seconds(Double.parseDouble(digits) * unitSeconds));
  }

  static Duration seconds(double seconds) {
    return Duration.ofNanos((long) (Math.min(seconds, MOST_SECONDS) * 1e9));
  }

  private static Optional<Instant> date(String text) {
    try {
      return Optional.of(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text.strip(), Instant::from));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}

package dev.swapgate.proxy.clients;

import java.time.Duration;
import java.util.Optional;

/** What a client does after it was refused. */
@FunctionalInterface
interface RetryRule {

  /** In place of a status: no answer within the client's patience. */
  int TIMED_OUT = 0;

  /**
   * How long it waits before its next request; empty: it gives up.
   *
   * @param refused how often this call was refused so far, this time included
   */
  Optional<Duration> next(int refused, int status, int retryAfterSeconds);

  /** Shows the first refusal to its user. */
  static RetryRule never() {
    return (refused, status, seconds) -> Optional.empty();
  }

  /** Waits as told, but never longer than {@code most}. */
  static RetryRule obeys(int retries, Duration most) {
    return (refused, status, seconds) ->
        refused > retries ? Optional.empty() : Optional.of(min(Duration.ofSeconds(seconds), most));
  }

  /** Waits as told up to {@code cap} seconds; what is longer it does not believe. */
  static RetryRule believes(int retries, int cap, RetryRule otherwise) {
    return (refused, status, seconds) ->
        refused > retries
            ? Optional.empty()
            : seconds <= cap
                ? Optional.of(Duration.ofSeconds(seconds))
                : otherwise.next(refused, status, seconds);
  }

  /** Waits by a schedule of its own, each time {@code factor} times as long. */
  static RetryRule backsOff(int retries, Duration first, double factor, Duration most) {
    return (refused, status, seconds) ->
        refused > retries
            ? Optional.empty()
            : Optional.of(
                min(
                    Duration.ofMillis(
                        (long) (first.toMillis() * Math.pow(factor, Math.min(refused - 1, 30)))),
                    most));
  }

  /** Gives up at once on a 429. */
  default RetryRule notOn429() {
    return (refused, status, seconds) ->
        status == 429 ? Optional.empty() : next(refused, status, seconds);
  }

  private static Duration min(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}

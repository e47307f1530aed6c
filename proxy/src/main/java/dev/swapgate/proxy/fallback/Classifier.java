package dev.swapgate.proxy.fallback;

import dev.swapgate.proxy.fallback.Verdict.Kind;
import java.time.Duration;
import java.time.Instant;

/**
 * The only place that decides what an end means: what it covers, whether it is a limit or a fault,
 * and for how long. Streamed and whole answers both come here. Pure.
 */
final class Classifier {

  /** A provider that says "at once" after a refusal is still left alone for this long. */
  private static final Duration SHORTEST = Duration.ofSeconds(1);

  /** Beyond it the length is at its limit by far. */
  private static final int MOST_DOUBLINGS = 20;

  private Classifier() {}

  /**
   * What an end means.
   *
   * @param inARow which failure in a row of this provider this one would be, from 1 on
   * @param wall for dates in Retry-After
   */
  static Verdict of(ProviderEnd end, ProviderRules rules, int inARow, Instant wall) {
    return switch (end) {
      case ProviderEnd.Answered answered -> answered(answered, rules, inARow, wall);
      case ProviderEnd.Failed failed ->
          fault(
              switch (failed.how()) {
                case REFUSED -> rules.refused();
                case TIMED_OUT -> rules.timedOut();
                case BROKEN -> rules.failed();
              },
              rules,
              inARow,
              failed.how().words());
    };
  }

  private static Verdict answered(
      ProviderEnd.Answered end, ProviderRules rules, int inARow, Instant wall) {
    ErrorHint hint = end.hint();
    boolean fine = ProviderHead.isGood(end.status());
    if (fine && !hint.isError()) {
      return new Verdict(Kind.GOOD, Cover.PROVIDER, Duration.ZERO, 1, "");
    }
    boolean unpaid = end.status() == 400 && hint.status().orElse(0) == 402;
    int status = fine ? hint.status().orElse(500) : unpaid ? 402 : end.status();
    String why = fine ? "an error within a " + end.status() : String.valueOf(end.status());
    Duration asked =
        RetryAfter.of(end, wall).map(length -> within(length, rules)).orElse(Duration.ZERO);
    return switch (status) {
      case 401 -> limit(Cover.KEY, asked, rules.unauthorized(), why + ", the key is not accepted");
      case 402 -> limit(Cover.KEY, asked, rules.unpaid(), why + ", nothing is left to spend");
      case 403 ->
          hint.moderated()
              ? client(why)
              : limit(Cover.KEY, asked, rules.unauthorized(), why + ", the key may not do this");
      case 410 ->
          new Verdict(Kind.GONE, Cover.MODEL, Duration.ZERO, 1, why + ", the model is gone");
      case 429 ->
          hint.unpaid() || hint.status().orElse(0) == 402
              ? limit(Cover.KEY, asked, rules.unpaid(), why + ", a cap is reached")
              : limit(rules.limits(), asked, rules.rateLimited(), why + ", a rate limit");
      case 503, 529 -> asked(asked, rules.unavailable(), rules, inARow, why + ", not available");
      default ->
          status >= 500 || status < 400 || status == 408
              ? asked(asked, rules.failed(), rules, inARow, why)
              : client(why);
    };
  }

  private static Verdict client(String why) {
    return new Verdict(Kind.CLIENT, Cover.PROVIDER, Duration.ZERO, 1, why);
  }

  private static Verdict limit(Cover cover, Duration asked, Duration standard, String why) {
    return new Verdict(Kind.LIMIT, cover, asked.isZero() ? standard : asked, 1, why);
  }

  private static Verdict asked(
      Duration asked, Duration standard, ProviderRules rules, int inARow, String why) {
    return asked.isZero()
        ? fault(standard, rules, inARow, why)
        : new Verdict(Kind.FAULT, Cover.PROVIDER, asked, inARow, why);
  }

  /** The first failure costs what its kind costs; then they double. */
  private static Verdict fault(Duration standard, ProviderRules rules, int inARow, String why) {
    Duration doubled =
        rules.failed().multipliedBy(1L << Math.min(Math.max(0, inARow - 1), MOST_DOUBLINGS));
    boolean row = inARow > 1 && doubled.compareTo(standard) > 0;
    Duration length = row ? doubled : standard;
    Duration most = longer(rules.longestFault(), standard);
    return new Verdict(
        Kind.FAULT,
        Cover.PROVIDER,
        length.compareTo(most) > 0 ? most : length,
        inARow,
        inARow > 1 ? why + ", " + inARow + " in a row" : why);
  }

  private static Duration within(Duration asked, ProviderRules rules) {
    Duration least = longer(asked, SHORTEST);
    return least.compareTo(rules.longest()) > 0 ? rules.longest() : least;
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }
}

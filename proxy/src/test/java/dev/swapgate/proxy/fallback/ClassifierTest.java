package dev.swapgate.proxy.fallback;

import static dev.swapgate.proxy.fallback.Ends.answered;
import static dev.swapgate.proxy.fallback.Ends.failed;
import static dev.swapgate.proxy.fallback.Ends.status;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.swapgate.proxy.fallback.ProviderEnd.How;
import dev.swapgate.proxy.fallback.Verdict.Kind;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The whole table: what an end covers, of which kind it is, and for how long. */
class ClassifierTest {

  static Stream<Arguments> table() {
    return Stream.of(
        arguments("an answer", status(200), Kind.GOOD, Cover.PROVIDER, 0),
        arguments("a request that is wrong", status(400), Kind.CLIENT, Cover.PROVIDER, 0),
        arguments("a model nobody has", status(404), Kind.CLIENT, Cover.PROVIDER, 0),
        arguments("a request too large", status(413), Kind.CLIENT, Cover.PROVIDER, 0),
        arguments("a request that makes no sense", status(422), Kind.CLIENT, Cover.PROVIDER, 0),
        arguments("a wrong key", status(401), Kind.LIMIT, Cover.KEY, 600),
        arguments("a key without the right", status(403), Kind.LIMIT, Cover.KEY, 600),
        arguments("no money", status(402), Kind.LIMIT, Cover.KEY, 300),
        arguments("too many", status(429), Kind.LIMIT, Cover.KEY, 60),
        arguments("gone", status(410), Kind.GONE, Cover.MODEL, 0),
        arguments("unavailable", status(503), Kind.FAULT, Cover.PROVIDER, 120),
        arguments("overloaded", status(529), Kind.FAULT, Cover.PROVIDER, 120),
        arguments("a fault of theirs", status(500), Kind.FAULT, Cover.PROVIDER, 30),
        arguments("a gateway's fault", status(502), Kind.FAULT, Cover.PROVIDER, 30),
        arguments("a slow request", status(408), Kind.FAULT, Cover.PROVIDER, 30),
        arguments("a redirect", status(302), Kind.FAULT, Cover.PROVIDER, 30),
        arguments("refused", failed(How.REFUSED), Kind.FAULT, Cover.PROVIDER, 30),
        arguments("silent", failed(How.TIMED_OUT), Kind.FAULT, Cover.PROVIDER, 15),
        arguments("broken off", failed(How.BROKEN), Kind.FAULT, Cover.PROVIDER, 30),
        arguments(
            "a day's cap in words",
            answered(429, "{\"error\":{\"message\":\"free-models-per-day\"}}", "", ""),
            Kind.LIMIT,
            Cover.KEY,
            300),
        arguments(
            "a cap by its code",
            answered(429, "{\"error\":{\"code\":\"insufficient_quota\"}}", "", ""),
            Kind.LIMIT,
            Cover.KEY,
            300),
        arguments(
            "no money, said with a 400",
            answered(400, "{\"error\":{\"message\":\"Your credit balance is too low\"}}", "", ""),
            Kind.LIMIT,
            Cover.KEY,
            300),
        arguments(
            "a prompt that was flagged",
            answered(403, "{\"error\":{\"message\":\"Your input was flagged\"}}", "", ""),
            Kind.CLIENT,
            Cover.PROVIDER,
            0),
        arguments(
            "a limit within a 200",
            answered(200, "{\"error\":{\"code\":429,\"message\":\"slow down\"}}", "", ""),
            Kind.LIMIT,
            Cover.KEY,
            60),
        arguments(
            "a wrong key within a 200",
            answered(200, "{\"error\":{\"code\":\"invalid_api_key\"}}", "", ""),
            Kind.LIMIT,
            Cover.KEY,
            600),
        arguments(
            "overloaded within a 200, as Anthropic says it",
            answered(200, "{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\"}}", "", ""),
            Kind.FAULT,
            Cover.PROVIDER,
            120),
        arguments(
            "an error nobody knows within a 200",
            answered(200, "{\"error\":\"oh\"}", "", ""),
            Kind.FAULT,
            Cover.PROVIDER,
            30));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("table")
  void saysWhatAnEndMeans(String name, ProviderEnd end, Kind kind, Cover cover, long seconds) {
    Verdict verdict = Classifier.of(end, ProviderRules.standard(), 1, Ends.NOON);

    assertThat(verdict.kind()).isEqualTo(kind);
    assertThat(verdict.cover()).isEqualTo(cover);
    assertThat(verdict.length()).isEqualTo(Duration.ofSeconds(seconds));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "seconds             | 20                             | -     | 20000",
        "a fraction          | 1.5                            | -     | 1500",
        "milliseconds first  | 20                             | 2500  | 2500",
        "a date              | Mon, 30 Nov 2026 12:01:40 GMT  | -     | 100000",
        "a date gone by      | Mon, 30 Nov 2026 11:00:00 GMT  | -     | 1000",
        "at once             | 0                              | -     | 1000",
        "absurd              | 99999999999999999999999999     | -     | 3600000",
        "absurd milliseconds | -                              | 1e300 | 60000",
        "a far date          | Mon, 30 Nov 2099 12:00:00 GMT  | -     | 3600000",
        "negative            | -5                             | -     | 60000",
        "no number           | soon                           | -     | 60000",
        "empty               | ''                             | -     | 60000",
      })
  void believesWhatTheProviderAsksFor(String name, String seconds, String millis, long length) {
    ProviderEnd end =
        new ProviderEnd.Answered(
            429,
            ErrorHint.NONE,
            Optional.ofNullable(seconds),
            Optional.ofNullable(millis),
            Optional.empty());

    assertThat(Classifier.of(end, ProviderRules.standard(), 1, Ends.NOON).length())
        .isEqualTo(Duration.ofMillis(length));
  }

  @ParameterizedTest
  @CsvSource({
    "Please try again in 20s., 20000",
    "Please try again in 1m12.5s., 72500",
    "Please try again in 350ms, 1000",
    "Please try again in 2h, 3600000",
    "Rate limit: the GPU is busy. Please retry after 174 seconds., 174000",
  })
  void readsTheWaitFromTheWords(String words, long length) {
    ProviderEnd end = answered(429, "{\"error\":{\"message\":\"" + words + "\"}}", "", "");

    assertThat(Classifier.of(end, ProviderRules.standard(), 1, Ends.NOON).length())
        .isEqualTo(Duration.ofMillis(length));
  }

  /** A box whose clock is an hour off must not wait an hour. */
  @Test
  void measuresADateAgainstTheProvidersOwnClock() {
    ProviderEnd end =
        new ProviderEnd.Answered(
            429,
            ErrorHint.NONE,
            Optional.of("Mon, 30 Nov 2026 13:00:30 GMT"),
            Optional.empty(),
            Optional.of("Mon, 30 Nov 2026 13:00:00 GMT"));

    assertThat(Classifier.of(end, ProviderRules.standard(), 1, Ends.NOON).length())
        .isEqualTo(Duration.ofSeconds(30));
  }

  @ParameterizedTest
  @CsvSource({"1, 30", "2, 60", "3, 120", "4, 240", "5, 480", "6, 600", "7, 600", "999999, 600"})
  void failuresInARowCostTwiceAsMuchEach(int inARow, long seconds) {
    assertThat(Classifier.of(status(500), ProviderRules.standard(), inARow, Ends.NOON).length())
        .isEqualTo(Duration.ofSeconds(seconds));
  }

  @ParameterizedTest
  @CsvSource({"1, 120", "2, 120", "3, 120", "4, 240", "9, 600"})
  void theirKindIsTheLeastTheyCost(int inARow, long seconds) {
    assertThat(Classifier.of(status(503), ProviderRules.standard(), inARow, Ends.NOON).length())
        .isEqualTo(Duration.ofSeconds(seconds));
  }

  @Test
  void aFaultThatNamesATimeIsBelieved() {
    assertThat(
            Classifier.of(answered(503, "", "7", ""), ProviderRules.standard(), 5, Ends.NOON)
                .length())
        .isEqualTo(Duration.ofSeconds(7));
  }

  @ParameterizedTest
  @CsvSource({"MODEL", "PROVIDER", "KEY"})
  void whatA429CoversIsTheProvidersRule(Cover cover) {
    assertThat(Classifier.of(status(429), Ends.limiting(cover), 1, Ends.NOON).cover())
        .isEqualTo(cover);
  }
}

package dev.swapgate.proxy.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.swapgate.proxy.fallback.Provider;
import dev.swapgate.proxy.fallback.ProviderRules;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each kind of end, by real sockets, through both paths: the same is set aside, and the same
 * requests reach the provider afterwards, whether the client asked for a stream or not.
 */
class FallbackTableTest {

  private static final String CAP =
      "{\"error\":{\"message\":\"You exceeded your plan\",\"code\":\"insufficient_quota\"}}";

  /** What it does, what is set aside then, whether the next request reaches it. */
  static Stream<Arguments> table() {
    return Stream.of(
        row("401", says(401, "{}"), "a:one limit 600", false),
        row("402", says(402, "{}"), "a:one limit 300", false),
        row("403", says(403, "{}"), "a:one limit 600", false),
        row("410", says(410, "{}"), "a:big gone for ever", false),
        row("429", says(429, "{}"), "a:one limit 60", false),
        row("429, seconds", says(429, "{}", "Retry-After: 20"), "a:one limit 20", false),
        row("429, millis", says(429, "{}", "retry-after-ms: 7000"), "a:one limit 7", false),
        row("429, absurd", says(429, "{}", "Retry-After: 9e99"), "a:one limit 60", false),
        row(
            "429, far",
            says(429, "{}", "Retry-After: 99999999999999999999"),
            "a:one limit 3600",
            false),
        row(
            "429, a date by its own clock",
            says(
                429,
                "{}",
                "Date: Mon, 30 Nov 2026 12:00:00 GMT",
                "Retry-After: Mon, 30 Nov 2026 12:00:45 GMT"),
            "a:one limit 45",
            false),
        row("429, a cap", says(429, CAP), "a:one limit 300", false),
        row("503", says(503, "{}"), "a fault 120", true),
        row("529", says(529, "{}"), "a fault 120", true),
        row("500", says(500, "oh"), "a fault 30", true),
        row("502", says(502, "<html>"), "a fault 30", true),
        row("302", says(302, "", "Location: http://127.0.0.1:1/x"), "a fault 30", true),
        row("no answer", (request, wire) -> wire.reset(), "a fault 30", true),
        row("no HTTP", (request, wire) -> wire.send("SSH-2.0\r\n\r\n").close(), "a fault 30", true),
        row(
            "200 with an error",
            error("{\"error\":{\"message\":\"slow down\",\"code\":429}}"),
            "a:one limit 60",
            false),
        row(
            "200 with a fault",
            error("{\"error\":{\"message\":\"provider died\",\"code\":502}}"),
            "a fault 30",
            true),
        row(
            "200 with nothing to spend",
            error("{\"error\":{\"type\":\"insufficient_quota\"}}"),
            "a:one limit 300",
            false));
  }

  private static Arguments row(
      String name, ProviderServer.Behaviour does, String cooldown, boolean asksAgain) {
    return arguments(name, does, cooldown, asksAgain);
  }

  private static ProviderServer.Behaviour says(int status, String body, String... headers) {
    return (request, wire) -> wire.send(ProviderServer.status(status, body, headers));
  }

  /** As a whole body, or as the first event of a stream. */
  private static ProviderServer.Behaviour error(String body) {
    return (request, wire) ->
        wire.send(
            request.text().contains("\"stream\":true")
                ? "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
                    + ": thinking\n\ndata: "
                    + body
                    + "\n\n"
                : ProviderServer.status(200, body));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("table")
  void bothPathsLearnTheSame(
      String name, ProviderServer.Behaviour does, String cooldown, boolean asksAgain)
      throws Exception {
    for (boolean streamed : new boolean[] {false, true}) {
      try (ProviderServer server = new ProviderServer()) {
        Provider provider = server.as("a", Map.of("local", "big"), ProviderRules.standard(), "one");
        try (FallbackStreet street = new FallbackStreet(provider)) {
          server.does(does);
          Wire.Message refused = street.ask(streamed);

          assertThat(refused.status()).as("streamed: " + streamed).isEqualTo(429);
          assertThat(refused.value("X-Swapgate-Answered-By")).isEqualTo("gate");
          assertThat(server.asked()).isEqualTo(1);
          assertThat(street.cooling()).as("streamed: " + streamed).isEqualTo(List.of(cooldown));

          // The other path must know what this one has learned.
          server.answers("hello");
          Wire.Message second = street.ask(!streamed);
          assertThat(server.asked()).isEqualTo(asksAgain ? 2 : 1);
          assertThat(second.status()).isEqualTo(asksAgain ? 200 : 429);
          street.street.until(
              () -> street.cooling().isEmpty() == asksAgain, "success clears, and nothing else");
        }
      }
    }
  }
}

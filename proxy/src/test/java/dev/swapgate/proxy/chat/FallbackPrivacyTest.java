package dev.swapgate.proxy.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.proxy.fallback.Provider;
import dev.swapgate.proxy.fallback.ProviderRules;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What may not get from one side to the other, and requests that go to nobody. */
class FallbackPrivacyTest {

  private final ProviderServer server = new ProviderServer();
  private final ProviderServer other = new ProviderServer();
  private FallbackStreet street;

  FallbackPrivacyTest() throws Exception {}

  private void open() throws Exception {
    server.answers("hello");
    street = new FallbackStreet(server.as("a", "one"));
  }

  private void openWithAnother() throws Exception {
    other.answers("good day");
    street = new FallbackStreet(server.as("a", "one"), other.as("b", "one"));
  }

  @AfterEach
  void close() throws Exception {
    street.close();
    server.close();
    other.close();
  }

  @Test
  void aRedirectIsNotFollowed() throws Exception {
    openWithAnother();
    ProviderServer thief = new ProviderServer();
    server.says(
        ProviderServer.status(
            307, "", "Location: " + thief.as("t", "k").url() + "/chat/completions"));

    assertThat(street.ask().value("X-Swapgate-Answered-By")).isEqualTo("fallback:b");
    assertThat(thief.asked()).isZero();
    thief.close();
  }

  @Test
  void neitherSideSeesTheOthersSecrets() throws Exception {
    open();
    server.says(
        ProviderServer.status(
            200,
            ProviderServer.delta("hi"),
            "Set-Cookie: a=b",
            "X-RateLimit-Remaining: 3",
            "Alt-Svc: h3",
            "Retry-After: 5",
            "X-Request-Id: r1",
            "Server: secret"));
    Wire.Message answer = street.ask();

    assertThat(
            answer.fields().stream()
                .map(one -> one.name().toLowerCase(Locale.ROOT))
                .sorted()
                .toList())
        .doesNotContain("set-cookie", "x-ratelimit-remaining", "alt-svc", "server", "retry-after")
        .contains("x-request-id");
    Map<String, String> sent = new TreeMap<>();
    server
        .last()
        .fields()
        .forEach(one -> sent.put(one.name().toLowerCase(Locale.ROOT), one.value()));
    assertThat(sent).containsEntry("authorization", "Bearer sk-secret-of-one");
    assertThat(sent.keySet())
        .containsOnly(
            "accept-encoding",
            "authorization",
            "content-length",
            "content-type",
            "host",
            "user-agent",
            "x-swapgate-fallback");
    assertThat(sent.toString()).doesNotContain("clients");
  }

  @Test
  void twoModelsInOneRequestGoNowhere() throws Exception {
    open();
    for (String body :
        List.of(
            "{\"model\":\"cheap\",\"model\":\"dear\"}",
            "{\"model\":[\"dear\"]}",
            "{\"model\":\"cheap\"} {\"model\":\"dear\"}",
            "[]",
            "{\"model\":")) {
      try (Wire client = street.begin("/v1/chat/completions", body)) {
        assertThat(client.message().status()).as(body).isEqualTo(429);
      }
    }
    assertThat(server.asked()).isZero();
  }

  @Test
  void whatAnotherSwapgateSendsOnGoesNoFurther() throws Exception {
    open();
    assertThat(street.ask().status()).isEqualTo(200);
    assertThat(server.last().value("X-Swapgate-Fallback")).isEqualTo("1");
    try (Wire client = street.street.client()) {
      client.send(
          "POST /v1/chat/completions HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
              + "X-Swapgate-Fallback: 1\r\nContent-Length: 13\r\n\r\n{\"model\":\"m\"}");
      assertThat(client.message().status()).isEqualTo(429);
    }
    assertThat(server.asked()).isEqualTo(1);
  }

  @Test
  void aKeyThatCannotBeSentIsAFaultAndStaysSecret() throws Exception {
    String key = "sk-ключ";
    other.answers("good day");
    street =
        new FallbackStreet(
            new Provider(
                "a",
                server.url(),
                Provider.Api.OPENAI,
                List.of(new Provider.Key("one", key)),
                Map.of(),
                Provider.Api.OPENAI.paths(),
                Map.of("X-Title", "ключ"),
                1,
                Provider.Timeouts.standard(),
                ProviderRules.standard()),
            other.as("b", "one"));

    assertThat(street.ask().value("X-Swapgate-Answered-By")).isEqualTo("fallback:b");
    assertThat(server.asked()).isZero();
  }

  /** It stands in logs and in status. */
  @Test
  void aModelsNameIsMadeHarmless() throws Exception {
    open();
    server.says(ProviderServer.status(410, "{}"));
    try (Wire client = street.begin("/v1/chat/completions", "{\"model\":\"a\\nb\\u0000 c\\\"\"}")) {
      client.message();
    }
    assertThat(street.cooling()).containsExactly("a:a?b??c? gone for ever");
  }
}

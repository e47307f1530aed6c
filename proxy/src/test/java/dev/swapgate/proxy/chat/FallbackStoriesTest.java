package dev.swapgate.proxy.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.gate.core.GateView;
import dev.swapgate.proxy.fallback.FallbackSettings;
import dev.swapgate.proxy.fallback.FallbackSettings.When;
import dev.swapgate.proxy.fallback.Provider;
import dev.swapgate.proxy.fallback.ProviderRules;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client and the providers see of the pool, by real sockets. */
class FallbackStoriesTest {

  private final ProviderServer server = new ProviderServer();
  private final ProviderServer other = new ProviderServer();

  FallbackStoriesTest() throws Exception {}

  @BeforeEach
  void answer() {
    server.answers("hello");
    other.answers("good day");
  }

  @AfterEach
  void close() throws Exception {
    server.close();
    other.close();
  }

  private static String limit(String... headers) {
    return ProviderServer.status(429, "{\"error\":{\"message\":\"slow down\"}}", headers);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theFallbackAnswersWhileTheEngineIsAway(boolean streamed) throws Exception {
    try (FallbackStreet street = new FallbackStreet(server.as("a", "one"))) {
      Wire.Message answer = street.ask(streamed);

      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.value("X-Swapgate-Answered-By")).isEqualTo("fallback:a");
      assertThat(answer.text()).contains("hello");
      assertThat(server.last().start()).isEqualTo("POST /api/v1/chat/completions HTTP/1.1");
      assertThat(server.last().value("Authorization")).isEqualTo("Bearer sk-secret-of-one");
    }
  }

  @Test
  void theEngineAnswersWheneverItIsThere() throws Exception {
    try (FallbackStreet street = new FallbackStreet(server.as("a", "one"))) {
      street.street.gate.open();
      try (Wire client = street.begin("/v1/chat/completions", false)) {
        Wire engine = street.street.engine.next();
        engine.message();
        engine.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");

        assertThat(client.message().value("X-Swapgate-Answered-By")).isEqualTo("engine:vllm");
        assertThat(server.asked()).isZero();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theSecondRequestAfterA429DoesNotReachTheProvider(boolean streamed) throws Exception {
    try (FallbackStreet street = new FallbackStreet(server.as("a", "one"))) {
      server.says(limit());
      street.ask(streamed);
      Wire.Message second = street.ask(streamed);

      assertThat(server.asked()).isEqualTo(1);
      assertThat(second.status()).isEqualTo(429);
      assertThat(second.text()).contains("\"code\":\"fallback_cooling\"");
      assertThat(street.street.fallback.counters().notSent()).hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void oneKeyOne503TheNextRequestReachesTheProvider(boolean streamed) throws Exception {
    try (FallbackStreet street = new FallbackStreet(server.as("a", "one"))) {
      server.says(ProviderServer.status(503, "{}"));
      Wire.Message first = street.ask(streamed);
      assertThat(first.status()).isEqualTo(429);
      assertThat(first.text()).contains("\"code\":\"fallback_failed\"");
      assertThat(first.value("Retry-After")).isEqualTo("174");

      server.answers("hello");
      assertThat(street.ask(streamed).status()).isEqualTo(200);
      assertThat(server.asked()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void oneKeyOne429ItIsLeftAloneUntilTheRemainderIsOver(boolean streamed) throws Exception {
    try (FallbackStreet street = new FallbackStreet(server.as("a", "one"))) {
      server.says(limit("Retry-After: 40"));
      street.ask(streamed);
      server.answers("hello");

      street.forward(38);
      assertThat(street.ask(streamed).status()).isEqualTo(429);
      assertThat(server.asked()).isEqualTo(1);
      street.forward(2);
      assertThat(street.ask(streamed).status()).isEqualTo(200);
      assertThat(server.asked()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void ofTwoKeysOneIsSetAsideAndTheOtherAnswers(boolean streamed) throws Exception {
    try (FallbackStreet street = new FallbackStreet(server.as("a", "one", "two"))) {
      server.does(
          (request, wire) ->
              wire.send(
                  request.value("Authorization").endsWith("one")
                      ? limit()
                      : streamed ? ProviderServer.stream("two") : ProviderServer.whole("two")));

      Wire.Message first = street.ask(streamed);
      assertThat(first.status()).as("nothing was sent yet, so the other is tried").isEqualTo(200);
      assertThat(first.text()).contains("two");
      assertThat(street.ask(streamed).status()).isEqualTo(200);
      assertThat(server.asked()).as("the limited key is not tried again").isEqualTo(3);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void allCoolingNamesTheSmallestRemainder(boolean streamed) throws Exception {
    try (FallbackStreet street = new FallbackStreet(server.as("a", "one"), other.as("b", "one"))) {
      server.says(limit("Retry-After: 140"));
      other.says(limit("Retry-After: 95"));
      street.ask(streamed);
      street.forward(10);
      Wire.Message refused = street.ask(streamed);

      assertThat(server.asked() + other.asked()).isEqualTo(2);
      assertThat(refused.status()).isEqualTo(429);
      assertThat(Integer.parseInt(refused.value("Retry-After"))).isBetween(84, 85);
      assertThat(refused.text())
          .contains("\"retry_after\":" + refused.value("Retry-After"))
          .contains("retry after " + refused.value("Retry-After") + " seconds")
          .contains("\"code\":\"fallback_cooling\"");
    }
  }

  @Test
  void neverLessThanTheConfiguredRange() throws Exception {
    try (FallbackStreet street = new FallbackStreet(server.as("a", "one"))) {
      server.says(limit("Retry-After: 5"));

      assertThat(street.ask().value("Retry-After")).isEqualTo("30");
    }
  }

  @Test
  void neverMoreThanTheGatesOwnEstimate() throws Exception {
    try (FallbackStreet street = new FallbackStreet(server.as("a", "one"))) {
      server.says(limit("Retry-After: 3000"));

      assertThat(street.ask().value("Retry-After")).isEqualTo("174");
    }
  }

  @Test
  void aFaultGoesOnToTheNextOne() throws Exception {
    try (FallbackStreet street = new FallbackStreet(server.as("a", "one"), other.as("b", "one"))) {
      server.says(ProviderServer.status(500, "oh"));
      Wire.Message answer = street.ask(true);

      assertThat(answer.value("X-Swapgate-Answered-By")).isEqualTo("fallback:b");
      assertThat(answer.text()).contains("good day");
      assertThat(street.ask(true).status()).isEqualTo(200);
      assertThat(server.asked()).as("it cools, since there is another").isEqualTo(1);
    }
  }

  @Test
  void theModelIsRewrittenAndNothingElse() throws Exception {
    Map<String, String> models = Map.of("local", "vendor/big \"2\"", "*", "vendor/any");
    try (FallbackStreet street =
        new FallbackStreet(server.as("a", models, ProviderRules.standard(), "one"))) {
      try (Wire client =
          street.begin("/v1/chat/completions", "{ \"x\": [1,  2], \"model\" : \"local\" }")) {
        assertThat(client.message().status()).isEqualTo(200);
      }
      assertThat(server.last().text())
          .isEqualTo("{ \"x\": [1,  2], \"model\" : \"vendor/big \\\"2\\\"\" }");
      try (Wire client = street.begin("/v1/completions", "{\"model\":\"else\"}")) {
        assertThat(client.message().status()).isEqualTo(200);
      }
      assertThat(server.last().text()).isEqualTo("{\"model\":\"vendor/any\"}");
    }
  }

  @Test
  void whatIsTheClientsFaultIsItsToHear() throws Exception {
    try (FallbackStreet street = new FallbackStreet(server.as("a", "one"), other.as("b", "one"))) {
      server.says(ProviderServer.status(400, "{\"error\":{\"message\":\"no such field\"}}"));
      Wire.Message answer = street.ask(true);

      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.text()).contains("no such field");
      assertThat(answer.value("X-Swapgate-Answered-By")).isEqualTo("fallback:a");
      assertThat(other.asked()).isZero();
      assertThat(street.cooling()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anAnthropicProviderAnswersItsOwnPath(boolean streamed) throws Exception {
    Provider provider =
        new Provider(
            "claude",
            server.url(),
            Provider.Api.ANTHROPIC,
            List.of(new Provider.Key("one", "sk-ant")),
            Map.of(),
            Provider.Api.ANTHROPIC.paths(),
            Map.of(),
            1,
            Provider.Timeouts.standard(),
            ProviderRules.standard());
    try (FallbackStreet street = new FallbackStreet(provider)) {
      try (Wire client = street.begin("/v1/messages", streamed)) {
        assertThat(client.message().status()).isEqualTo(200);
      }
      assertThat(server.last().start()).isEqualTo("POST /api/v1/messages HTTP/1.1");
      assertThat(server.last().value("X-Api-Key")).isEqualTo("sk-ant");
      assertThat(server.last().values("Authorization")).isEmpty();
      server.says(
          "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
              + "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":"
              + "\"rate_limit_error\",\"message\":\"slow\"}}\n\n");
      try (Wire client = street.begin("/v1/messages", streamed)) {
        Wire.Message refused = client.message();
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.text()).startsWith("{\"type\":\"error\"").contains("fallback_cooling");
      }
      assertThat(street.cooling()).containsExactly("claude:one limit 60");
      assertThat(street.ask(streamed).status()).as("chat completions are not its").isEqualTo(429);
    }
  }

  @Test
  void aModelThatIsGoneIsNotAskedForAgainUntilCleared() throws Exception {
    try (FallbackStreet street = new FallbackStreet(server.as("a", "one"))) {
      server.says(ProviderServer.status(410, "{}"));
      street.ask();
      server.answers("hello");
      street.forward(10_000_000);
      assertThat(street.ask().status()).isEqualTo(429);
      assertThat(server.asked()).isEqualTo(1);

      assertThat(street.street.fallback.clear("a:local", street.street.clock.now())).isTrue();
      assertThat(street.ask().status()).isEqualTo(200);
    }
  }

  @Test
  void whenDegradedTheFallbackAnswersToo() throws Exception {
    try (FallbackStreet street = new FallbackStreet(server.as("a", "one"))) {
      street.degraded();
      assertThat(street.ask().status()).isEqualTo(200);
      server.says(limit("Retry-After: 50"));
      Wire.Message refused = street.ask();

      assertThat(refused.status()).isEqualTo(503);
      assertThat(refused.value("Retry-After")).isEqualTo("50");
      assertThat(refused.text()).contains("fallback_cooling");
    }
  }

  @Test
  void aProfileMaySayNever() throws Exception {
    FallbackSettings settings =
        new FallbackSettings(
            Set.of(When.DURING_SWAP),
            Map.of("hermes", Set.of(), "short", Set.of(When.DEGRADED)),
            false,
            3,
            50,
            List.of(server.as("a", "one")));
    try (FallbackStreet street = new FallbackStreet(settings)) {
      for (String name : List.of("hermes", "short")) {
        try (Wire client = street.begin("/as/" + name + "/v1/chat/completions", false)) {
          assertThat(client.message().status()).isEqualTo(429);
        }
      }
      assertThat(server.asked()).isZero();
      try (Wire client = street.begin("/as/zed/v1/chat/completions", false)) {
        assertThat(client.message().status()).isEqualTo(200);
      }
      street.degraded();
      assertThat(street.ask().status()).isEqualTo(503);
    }
  }

  @Test
  void whatNobodyServesIsRefusedAsEver() throws Exception {
    Map<String, String> models = Map.of("other", "x");
    try (FallbackStreet street =
        new FallbackStreet(server.as("a", models, ProviderRules.standard(), "one"))) {
      for (String path : List.of("/v1/chat/completions", "/v1/embeddings", "/v1/messages")) {
        try (Wire client = street.begin(path, false)) {
          Wire.Message refused = client.message();
          assertThat(refused.status()).isEqualTo(429);
          assertThat(refused.text()).doesNotContain("fallback");
        }
      }
      assertThat(server.asked()).isZero();
    }
  }

  @Test
  void aHeldClientIsOfferedTheProviderFirstAndThenHeld() throws Exception {
    try (FallbackStreet street = new FallbackStreet(server.as("a", "one"))) {
      server.says(limit());
      try (Wire client = street.begin("/as/hold/v1/chat/completions", false)) {
        street.street.until(() -> street.street.chat.held() == 1, "it is held");
        assertThat(server.asked()).isEqualTo(1);
        street.street.gate.open();
        Wire engine = street.street.engine.next();
        assertThat(engine.message().text()).contains("\"model\":\"local\"");
        engine.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        assertThat(client.message().text()).isEqualTo("ok");
      }
      assertThat(street.street.gate.refusal).isEqualTo(GateView.Refusal.RATE_LIMIT);
      street.street.until(() -> street.street.chat.bufferedBytes() == 0, "nothing is kept");
    }
  }
}

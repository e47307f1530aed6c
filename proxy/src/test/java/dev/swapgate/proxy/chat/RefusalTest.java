package dev.swapgate.proxy.chat;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.swapgate.gate.core.GateView;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What clients are told while the turnstile is shut. */
class RefusalTest {
  private Street street;
  private Wire client;

  @BeforeEach
  void open() throws Exception {
    street = new Street();
    client = street.client();
  }

  @AfterEach
  void close() throws Exception {
    client.close();
    street.close();
  }

  private Wire.Message ask(String path) throws IOException {
    return client
        .send("POST " + path + " HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}")
        .message();
  }

  private static JsonNode json(Wire.Message answer) throws IOException {
    return new ObjectMapper().readTree(answer.body());
  }

  @Test
  void isExactlyTheMeasuredAnswer() throws Exception {
    Wire.Message answer = ask("/v1/chat/completions");

    assertThat(answer.start()).isEqualTo("HTTP/1.1 429 Too Many Requests");
    assertThat(answer.value("Retry-After")).isEqualTo("174");
    assertThat(answer.value("Content-Type")).isEqualTo("application/json");
    assertThat(answer.value("Cache-Control")).isEqualTo("no-store");
    assertThat(answer.value("X-Swapgate-Answered-By")).isEqualTo("gate");
    assertThat(answer.values("Connection")).isEmpty();
    assertThat(answer.text())
        .isEqualTo(
            "{\"error\":{\"message\":\"Rate limit: the GPU is busy with a media job. Please retry"
                + " after 174 seconds.\",\"type\":\"rate_limit_error\",\"param\":null,"
                + "\"code\":\"rate_limit_exceeded\",\"retry_after\":174}}");
  }

  @Test
  void takesTheShapeOfTheApi() throws Exception {
    JsonNode anthropic = json(ask("/v1/messages"));
    JsonNode ollama = json(ask("/api/chat"));

    assertThat(anthropic.path("error").path("type").asText()).isEqualTo("rate_limit_error");
    assertThat(ollama.path("error").asText()).contains("retry after 174 seconds");
    assertThat(street.engine.waiting()).as("connections to the engine").isZero();
  }

  @Test
  void readsALargeBodyFirstAndKeepsTheConnection() throws Exception {
    byte[] body = new byte[6 * 1024 * 1024];
    client.send("POST /v1/x HTTP/1.1\r\nHost: a\r\nContent-Length: " + body.length + "\r\n\r\n");
    client.send(body);
    assertThat(client.message().status()).isEqualTo(429);

    street.gate.open();
    client.send("GET /v1/x HTTP/1.1\r\nHost: a\r\n\r\n");
    Wire engine = street.engine.next();
    engine.message();
    engine.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    assertThat(client.message().text()).isEqualTo("ok");
  }

  @Test
  void degradedAndByHandHaveTheirOwnCode() throws Exception {
    street.gate.refusal = GateView.Refusal.DEGRADED;
    Wire.Message degraded = ask("/v1/x");
    street.gate.refusal = GateView.Refusal.STOPPED_BY_HAND;
    Wire.Message byHand = ask("/v1/x");

    assertThat(degraded.status()).isEqualTo(503);
    assertThat(json(degraded).path("error").path("code").asText()).isEqualTo("degraded");
    assertThat(json(degraded).path("error").path("message").asText()).contains("a media job runs");
    assertThat(degraded.value("Retry-After")).isEqualTo("174");
    assertThat(json(degraded).path("error").path("retry_after").asInt()).isEqualTo(174);
    assertThat(byHand.status()).isEqualTo(503);
    assertThat(json(byHand).path("error").path("code").asText()).isEqualTo("stopped_by_hand");
    assertThat(byHand.value("Retry-After")).isEqualTo("174");
  }

  @Test
  void aReasonThatClientsMisreadIsLeftOut() throws Exception {
    street.gate.refusal = GateView.Refusal.DEGRADED;
    street.gate.reason = "CUDA out of memory";

    assertThat(ask("/v1/x").text()).doesNotContain("memory").contains("swapgate status");
  }

  @Test
  void profilesCapTheWaitOrChangeTheStatus() throws Exception {
    Wire.Message honest = ask("/as/hermes/v1/x");
    Wire.Message shorter = ask("/as/short/v1/x");
    Wire.Message middle = ask("/as/short120/v1/x");
    Wire.Message unavailable = ask("/as/unavailable/v1/x");
    Wire.Message unknown = ask("/as/nobody/v1/x");

    assertThat(honest.value("Retry-After")).isEqualTo("174");
    assertThat(shorter.value("Retry-After")).isEqualTo("59");
    assertThat(json(shorter).path("error").path("retry_after").asInt()).isEqualTo(59);
    assertThat(middle.value("Retry-After")).isEqualTo("120");
    assertThat(unavailable.status()).isEqualTo(503);
    assertThat(unavailable.value("Retry-After")).isEqualTo("174");
    assertThat(unknown.status()).isEqualTo(404);
  }

  @Test
  void aProfilePrefixIsNotPassedOn() throws Exception {
    street.gate.open();
    client.send("GET /as/opencode/v1/models?x=1 HTTP/1.1\r\nHost: a\r\n\r\n");
    Wire engine = street.engine.next();
    assertThat(engine.message().start()).isEqualTo("GET /v1/models?x=1 HTTP/1.1");
    engine.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    assertThat(client.message().status()).isEqualTo(200);
  }

  @Test
  void healthIsRefusedForLoadBalancers() throws Exception {
    client.send("GET /health HTTP/1.1\r\nHost: a\r\n\r\n");
    assertThat(client.message().status()).isEqualTo(429);
  }

  @Test
  void wordsAreTheOnesClientsReadAsAWait() throws Exception {
    for (String profile : List.of("", "/as/short", "/as/unavailable")) {
      for (GateView.Refusal refusal : GateView.Refusal.values()) {
        street.gate.refusal = refusal;
        Wire.Message answer = ask(profile + "/v1/chat/completions");
        String message =
            json(answer).path("error").path("message").asText().toLowerCase(Locale.ROOT);

        assertThat(Refusal.FORBIDDEN).as(message).noneMatch(message::contains);
        if (answer.status() == 429) {
          assertThat(message)
              .contains("rate limit")
              .contains("please retry after " + answer.value("Retry-After") + " seconds");
        }
      }
    }
  }
}

package dev.swapgate.proxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.swapgate.proxy.e2e.KeptConnection.Answer;
import java.io.IOException;

/** What chat clients ask and expect, in the three shapes of API. */
final class Chat {
  static final String OPENAI = "/v1/chat/completions";
  static final String ANTHROPIC = "/v1/messages";
  static final String OLLAMA = "/api/chat";

  private Chat() {}

  static Answer ask(KeptConnection connection, String path) throws IOException {
    return connection.post(path, body(false));
  }

  private static String body(boolean stream) {
    return """
    {"model":"any","max_tokens":64,"stream":%s,
     "messages":[{"role":"user","content":"hello"}]}"""
        .formatted(stream);
  }

  static void assertAnsweredBy(Place engine, Answer answer) {
    assertThat(answer.status()).as("%s", answer).isEqualTo(200);
    assertThat(answer.header("X-Swapgate-Answered-By")).isEqualTo("engine:" + engine);
    assertThat(answer.body()).contains(engine.toString()).contains("t15");
  }

  /** A refusal that clients understand: header and body agree. */
  static void assertRefused(String path, Answer answer) {
    assertThat(answer.status()).as("%s %s", path, answer).isEqualTo(429);
    assertThat(answer.header("Content-Type")).isEqualTo("application/json");
    assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
    assertThat(answer.header("Connection")).isNotEqualToIgnoringCase("close");
    assertThat(answer.header("X-Swapgate-Answered-By")).isEqualTo("gate");
    int seconds = answer.retryAfter();
    assertThat(seconds).isBetween(30, 900);
    String words =
        "Rate limit: the GPU is busy with a media job. Please retry after " + seconds + " seconds.";
    JsonNode body = AdminApi.parse(answer.body());
    JsonNode error = body.path("error");
    switch (path) {
      case OPENAI -> {
        assertThat(error.path("message").asText()).isEqualTo(words);
        assertThat(error.path("type").asText()).isEqualTo("rate_limit_error");
        assertThat(error.path("code").asText()).isEqualTo("rate_limit_exceeded");
        assertThat(error.path("retry_after").asInt()).isEqualTo(seconds);
      }
      case ANTHROPIC -> {
        assertThat(body.path("type").asText()).isEqualTo("error");
        assertThat(error.path("type").asText()).isEqualTo("rate_limit_error");
        assertThat(error.path("message").asText()).isEqualTo(words);
      }
      default -> assertThat(error.asText()).isEqualTo(words);
    }
  }

  /** Begins an answer that takes some five seconds; returns when its first token is there. */
  static void beginLongStream(KeptConnection connection, Place engine) throws IOException {
    beginStream(connection, engine, 100);
  }

  /** The same with fifty tokens, one after each of these times. */
  static void beginStream(KeptConnection connection, Place engine, int millis) throws IOException {
    String delay = "X-Sim-Token-Delay: " + millis + "ms";
    connection.send(OPENAI, body(true), "X-Sim-Tokens: 50", delay);
    assertThat(connection.head().status()).isEqualTo(200);
    StringBuilder heard = new StringBuilder();
    while (heard.indexOf(engine.toString() + "\"") < 0) {
      String chunk = connection.chunk();
      assertThat(chunk).as("what follows " + heard).isNotEmpty();
      heard.append(chunk);
    }
  }

  /** Reads the rest of it, and holds that nothing is missing. */
  static void assertEndsWhole(KeptConnection connection) throws IOException {
    assertThat(connection.rest()).contains("t49").endsWith("data: [DONE]\n\n");
  }
}

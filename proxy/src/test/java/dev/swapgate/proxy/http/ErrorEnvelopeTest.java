package dev.swapgate.proxy.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

class ErrorEnvelopeTest {

  private static final ErrorAnswer BUSY =
      ErrorAnswer.rateLimited(
          "Rate limit: the GPU is busy with a media job. Please retry after 174 seconds.", 174);

  @Test
  void theOpenAiBodyIsExactlyTheOneThatWasMeasured() {
    assertThat(ErrorEnvelope.json(ApiShape.OPENAI, BUSY))
        .isEqualTo(
            "{\"error\":{\"message\":\"Rate limit: the GPU is busy with a media job. Please retry"
                + " after 174 seconds.\",\"type\":\"rate_limit_error\",\"param\":null,"
                + "\"code\":\"rate_limit_exceeded\",\"retry_after\":174}}");
  }

  @Test
  void anthropicClientsFindTheirOwnEnvelope() throws Exception {
    JsonNode body = new ObjectMapper().readTree(ErrorEnvelope.json(ApiShape.ANTHROPIC, BUSY));

    assertThat(body.path("type").asText()).isEqualTo("error");
    assertThat(body.path("error").path("type").asText()).isEqualTo("rate_limit_error");
    assertThat(body.path("error").path("message").asText()).contains("174");
  }

  @Test
  void ollamaClientsFindAStringAndNoObject() throws Exception {
    JsonNode body = new ObjectMapper().readTree(ErrorEnvelope.json(ApiShape.OLLAMA, BUSY));

    assertThat(body.path("error").isTextual()).isTrue();
    assertThat(body.path("retry_after").asInt()).isEqualTo(174);
  }

  @Test
  void theShapeFollowsThePath() {
    assertThat(ApiShape.of("/v1/chat/completions")).isEqualTo(ApiShape.OPENAI);
    assertThat(ApiShape.of("/v1/messages")).isEqualTo(ApiShape.ANTHROPIC);
    assertThat(ApiShape.of("/v1/messages/count_tokens")).isEqualTo(ApiShape.ANTHROPIC);
    assertThat(ApiShape.of("/v1/messagesX")).isEqualTo(ApiShape.OPENAI);
    assertThat(ApiShape.of("/api/chat")).isEqualTo(ApiShape.OLLAMA);
  }
}

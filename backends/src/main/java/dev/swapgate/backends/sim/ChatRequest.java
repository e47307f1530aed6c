package dev.swapgate.backends.sim;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an engine reads from a request to generate, whichever API it came by.
 *
 * @param maxTokens what the client allows; 0 when it says nothing
 * @param promptTokens a count of words, near enough
 */
record ChatRequest(
    String model, boolean stream, boolean includeUsage, int maxTokens, int promptTokens) {

  static ChatRequest read(String body, String defaultModel, boolean streamsByDefault) {
    Map<String, @Nullable Object> json = Json.asObject(Json.parse(body));
    Object stream = json.get("stream");
    Object options = Json.asObject(json.get("options")).get("num_predict");
    long limit =
        Json.asLong(
            json.getOrDefault("max_completion_tokens", json.get("max_tokens")),
            Json.asLong(options, 0));
    return new ChatRequest(
        Json.asText(json.get("model"), defaultModel),
        stream instanceof Boolean flag ? flag : streamsByDefault,
        Boolean.TRUE.equals(Json.asObject(json.get("stream_options")).get("include_usage")),
        (int) Math.max(0, Math.min(limit, Integer.MAX_VALUE)),
        body.split("\\s+").length);
  }
}

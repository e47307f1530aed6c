package dev.swapgate.backends.sim;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code /v1/messages}. */
record AnthropicShape(ChatRequest request, String id) implements ReplyShape {

  @Override
  public String streamType() {
    return "text/event-stream; charset=utf-8";
  }

  @Override
  public List<String> opening() {
    return List.of(
        named("message_start", Json.object("message", message(List.of(), null, 0))),
        named(
            "content_block_start",
            Json.object("index", 0, "content_block", Json.object("type", "text", "text", ""))));
  }

  @Override
  public String token(String text) {
    return named(
        "content_block_delta",
        Json.object("index", 0, "delta", Json.object("type", "text_delta", "text", text)));
  }

  @Override
  public List<String> closing(int tokens) {
    return List.of(
        named("content_block_stop", Json.object("index", 0)),
        named(
            "message_delta",
            Json.object(
                "delta", Json.object("stop_reason", "end_turn", "stop_sequence", null),
                "usage", Json.object("output_tokens", tokens))),
        named("message_stop", Json.object()));
  }

  @Override
  public Object whole(String text, int tokens) {
    return message(List.of(Json.object("type", "text", "text", text)), "end_turn", tokens);
  }

  private Map<String, @Nullable Object> message(
      List<?> content, @Nullable String stopReason, int tokens) {
    return Json.object(
        "id",
        "msg_" + id,
        "type",
        "message",
        "role",
        "assistant",
        "model",
        request.model(),
        "content",
        content,
        "stop_reason",
        stopReason,
        "stop_sequence",
        null,
        "usage",
        Json.object("input_tokens", request.promptTokens(), "output_tokens", tokens));
  }

  private static String named(String type, Map<String, @Nullable Object> fields) {
    Map<String, @Nullable Object> event = Json.object("type", type);
    event.putAll(fields);
    return "event: " + type + "\n" + ReplyShape.event(event);
  }
}

package dev.swapgate.backends.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code /v1/chat/completions} and {@code /v1/completions}. */
record OpenAiShape(ChatRequest request, String id, boolean chat) implements ReplyShape {
  private static final long CREATED = 1_700_000_000;

  @Override
  public String streamType() {
    return "text/event-stream; charset=utf-8";
  }

  @Override
  public List<String> opening() {
    return chat
        ? List.of(
            ReplyShape.event(
                chunk(choice("delta", Json.object("role", "assistant", "content", "")))))
        : List.of();
  }

  @Override
  public String token(String text) {
    return ReplyShape.event(
        chunk(chat ? choice("delta", Json.object("content", text)) : choice("text", text)));
  }

  @Override
  public List<String> closing(int tokens) {
    Map<String, @Nullable Object> last = chat ? choice("delta", Json.object()) : choice("text", "");
    last.put("finish_reason", "stop");
    List<String> parts = new ArrayList<>();
    parts.add(ReplyShape.event(chunk(last)));
    if (request.includeUsage()) {
      Map<String, @Nullable Object> usage =
          envelope(chat ? "chat.completion.chunk" : "text_completion");
      usage.put("choices", List.of());
      usage.put("usage", usage(tokens));
      parts.add(ReplyShape.event(usage));
    }
    parts.add("data: [DONE]\n\n");
    return parts;
  }

  @Override
  public Object whole(String text, int tokens) {
    Map<String, @Nullable Object> choice =
        chat
            ? choice("message", Json.object("role", "assistant", "content", text))
            : choice("text", text);
    choice.put("finish_reason", "stop");
    Map<String, @Nullable Object> answer = envelope(chat ? "chat.completion" : "text_completion");
    answer.put("choices", List.of(choice));
    answer.put("usage", usage(tokens));
    return answer;
  }

  private Map<String, @Nullable Object> chunk(Map<String, @Nullable Object> choice) {
    Map<String, @Nullable Object> chunk =
        envelope(chat ? "chat.completion.chunk" : "text_completion");
    chunk.put("choices", List.of(choice));
    return chunk;
  }

  private static Map<String, @Nullable Object> choice(String name, @Nullable Object content) {
    return Json.object("index", 0, name, content, "logprobs", null, "finish_reason", null);
  }

  private Map<String, @Nullable Object> envelope(String object) {
    return Json.object(
        "id",
        (chat ? "chatcmpl-" : "cmpl-") + id,
        "object",
        object,
        "created",
        CREATED,
        "model",
        request.model());
  }

  private Map<String, @Nullable Object> usage(int tokens) {
    return Json.object(
        "prompt_tokens",
        request.promptTokens(),
        "completion_tokens",
        tokens,
        "total_tokens",
        request.promptTokens() + tokens);
  }
}

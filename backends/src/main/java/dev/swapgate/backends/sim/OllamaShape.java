package dev.swapgate.backends.sim;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code /api/chat} and {@code /api/generate}: one JSON object a line. */
record OllamaShape(ChatRequest request, boolean chat) implements ReplyShape {

  @Override
  public String streamType() {
    return "application/x-ndjson";
  }

  @Override
  public List<String> opening() {
    return List.of();
  }

  @Override
  public String token(String text) {
    return Json.write(part(text, false)) + "\n";
  }

  @Override
  public List<String> closing(int tokens) {
    return List.of(Json.write(finished("", tokens)) + "\n");
  }

  @Override
  public Object whole(String text, int tokens) {
    return finished(text, tokens);
  }

  private Map<String, @Nullable Object> finished(String text, int tokens) {
    Map<String, @Nullable Object> last = part(text, true);
    last.put("done_reason", "stop");
    last.put("prompt_eval_count", request.promptTokens());
    last.put("eval_count", tokens);
    return last;
  }

  private Map<String, @Nullable Object> part(String text, boolean done) {
    Map<String, @Nullable Object> part =
        Json.object("model", request.model(), "created_at", "2023-11-14T22:13:20Z");
    if (chat) {
      part.put("message", Json.object("role", "assistant", "content", text));
    } else {
      part.put("response", text);
    }
    part.put("done", done);
    return part;
  }
}

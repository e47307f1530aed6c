package dev.swapgate.backends.sim;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One request for music on its way through the queue. */
final class MusicTask {
  static final int UNDER_WAY = 0;
  static final int SUCCEEDED = 1;
  static final int FAILED = 2;

  final String id;
  final String prompt;
  final String lyrics;
  final long seed;
  final int batch;
  final int steps;
  private volatile int status = UNDER_WAY;
  private volatile double progress;
  private volatile String result;

  MusicTask(String id, Map<String, @Nullable Object> request) {
    this.id = id;
    this.prompt = Json.asText(request.getOrDefault("prompt", request.get("caption")), "");
    this.lyrics = Json.asText(request.get("lyrics"), "");
    this.seed = number(request.get("seed"), -1);
    this.batch = Math.clamp(number(request.get("batch_size"), 2), 1, 8);
    this.steps = Math.clamp(number(request.get("inference_steps"), 8), 1, 200);
    this.result = item("", 0);
  }

  /** Forms bring numbers as text. */
  private static long number(@Nullable Object value, long otherwise) {
    if (value instanceof String text && text.strip().matches("-?\\d{1,18}")) {
      return Long.parseLong(text.strip());
    }
    return Json.asLong(value, otherwise);
  }

  void progress(double done) {
    progress = done;
    result = item("", UNDER_WAY);
  }

  void failed(String why) {
    result = Json.write(List.of(Json.object("file", "", "status", FAILED, "error", why)));
    status = FAILED;
  }

  void succeeded(List<String> links) {
    result = Json.write(links.stream().map(link -> fields(link, SUCCEEDED)).toList());
    status = SUCCEEDED;
  }

  Map<String, @Nullable Object> entry() {
    return Json.object("task_id", id, "status", status, "result", result, "progress_text", "step");
  }

  private String item(String link, int itemStatus) {
    return Json.write(List.of(fields(link, itemStatus)));
  }

  private Map<String, @Nullable Object> fields(String link, int itemStatus) {
    return Json.object(
        "file",
        link,
        "wave",
        "",
        "status",
        itemStatus,
        "progress",
        itemStatus == SUCCEEDED ? 1.0 : progress,
        "create_time",
        1_700_000_000,
        "env",
        "development",
        "prompt",
        prompt,
        "lyrics",
        lyrics,
        "metas",
        Json.object("bpm", 120, "duration", 1, "keyscale", "C Major"),
        "seed_value",
        Long.toString(seed));
  }
}

package dev.swapgate.backends.sim;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One submitted graph on its way through the queue into the history. */
final class ComfyPrompt {

  /** As {@code /api/jobs} names them. */
  enum Status {
    PENDING("pending"),
    IN_PROGRESS("in_progress"),
    COMPLETED("completed"),
    FAILED("failed"),
    CANCELLED("cancelled");

    final String word;

    Status(String word) {
      this.word = word;
    }
  }

  final String id;
  final double number;
  final Map<String, @Nullable Object> posted;
  final Map<String, @Nullable Object> extraData;
  final ComfyGraph graph;
  final List<String> outputNodes;
  final long createdMillis = System.currentTimeMillis();

  private final Map<String, @Nullable Object> outputs = new LinkedHashMap<>();
  private final List<List<@Nullable Object>> messages = new ArrayList<>();
  private Status status = Status.PENDING;
  private @Nullable Map<String, @Nullable Object> error;
  private long startedMillis;
  private long endedMillis;

  ComfyPrompt(
      String id,
      double number,
      Map<String, @Nullable Object> posted,
      Map<String, @Nullable Object> extraData,
      List<String> outputNodes) {
    this.id = id;
    this.number = number;
    this.posted = posted;
    this.extraData = extraData;
    this.graph = ComfyGraph.of(posted);
    this.outputNodes = List.copyOf(outputNodes);
  }

  synchronized void begin() {
    status = Status.IN_PROGRESS;
    startedMillis = System.currentTimeMillis();
    message("execution_start", Json.object());
  }

  synchronized void output(String node, Map<String, @Nullable Object> result) {
    outputs.put(node, result);
  }

  synchronized void end(Status last, String event, Map<String, @Nullable Object> details) {
    status = last;
    endedMillis = System.currentTimeMillis();
    if (last == Status.FAILED) {
      error = details;
    }
    message(event, details);
  }

  synchronized void message(String event, Map<String, @Nullable Object> details) {
    Map<String, @Nullable Object> data = Json.object("prompt_id", id);
    data.putAll(details);
    data.put("timestamp", System.currentTimeMillis());
    messages.add(List.of(event, data));
  }

  List<@Nullable Object> queueEntry() {
    return List.of(number, id, posted, extraData, outputNodes);
  }

  synchronized Map<String, @Nullable Object> historyEntry() {
    boolean success = status == Status.COMPLETED;
    return Json.object(
        "prompt", queueEntry(),
        "outputs", new LinkedHashMap<>(outputs),
        "status",
            Json.object(
                "status_str",
                success ? "success" : "error",
                "completed",
                success,
                "messages",
                List.copyOf(messages)),
        "meta", Json.object());
  }

  synchronized Map<String, @Nullable Object> jobEntry() {
    return Json.object(
        "id",
        id,
        "status",
        status.word,
        "priority",
        number,
        "create_time",
        createdMillis,
        "execution_start_time",
        startedMillis == 0 ? null : startedMillis,
        "execution_end_time",
        endedMillis == 0 ? null : endedMillis,
        "execution_error",
        error,
        "outputs_count",
        outputs.size(),
        "outputs",
        new LinkedHashMap<>(outputs),
        "workflow",
        Json.object("prompt", posted, "extra_data", extraData));
  }
}

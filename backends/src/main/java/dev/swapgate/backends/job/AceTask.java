package dev.swapgate.backends.job;

import com.fasterxml.jackson.databind.JsonNode;
import dev.swapgate.backends.media.AnswerException;
import dev.swapgate.backends.media.Json;
import dev.swapgate.gate.core.JobAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One task as {@code /query_result} tells it: a number for its state, and its items as JSON inside
 * a string.
 *
 * @param status 0 queued or running, 1 succeeded, 2 failed
 */
record AceTask(int status, List<JsonNode> items, String error) {
  private static final int REASON_LIMIT = 500;

  /**
   * The task; empty when the server does not know it: then it answers state 0 with no items, where
   * a queued task has one.
   */
  static Optional<AceTask> of(JsonNode entry) {
    int status = entry.path("status").asInt(-1);
    JsonNode result = entry.path("result");
    JsonNode list = result.isTextual() ? Json.maybe(result.asText()).orElse(result) : result;
    List<JsonNode> items = items(list);
    if (status == 0 && list.isArray() && items.isEmpty()) {
      return Optional.empty();
    }
    if (status < 0 || status > 2) {
      throw AnswerException.unanswered(
          "/query_result tells a state that is not known: " + Json.line(entry.toString(), 200));
    }
    return Optional.of(new AceTask(status, items, entry.path("error").asText("")));
  }

  private static List<JsonNode> items(JsonNode list) {
    List<JsonNode> items = new ArrayList<>();
    if (list.isArray()) {
      list.forEach(items::add);
    } else if (list.isObject()) {
      items.add(list);
    }
    return items;
  }

  JobAnswer state() {
    return switch (status) {
      case 0 -> new JobAnswer.Working(progress());
      case 1 -> new JobAnswer.Finished();
      default -> new JobAnswer.Errored(reason());
    };
  }

  private double progress() {
    return items.stream()
        .map(item -> item.path("progress"))
        .filter(JsonNode::isNumber)
        .mapToDouble(JsonNode::asDouble)
        .filter(fraction -> fraction >= 0 && fraction <= 1)
        .findFirst()
        .orElse(Double.NaN);
  }

  private String reason() {
    String told =
        items.stream()
            .map(item -> item.path("error").asText(""))
            .filter(text -> !text.isEmpty() && !text.equals("null"))
            .findFirst()
            .orElse(error);
    return told.isEmpty()
        ? "the server says the job failed and no more"
        : "the job failed on the server: " + Json.line(told, REASON_LIMIT);
  }

  /** Where its audio can be had, as the server writes it. */
  List<String> files() {
    return items.stream()
        .map(item -> item.path("file").asText(""))
        .filter(file -> !file.isEmpty())
        .toList();
  }
}

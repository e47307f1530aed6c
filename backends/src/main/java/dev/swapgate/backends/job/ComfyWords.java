package dev.swapgate.backends.job;

import com.fasterxml.jackson.databind.JsonNode;
import dev.swapgate.backends.media.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What ComfyUI finds wrong with a graph, said so that its author can mend it. */
final class ComfyWords {
  private static final int TEXT_LIMIT = 2_000;
  private static final int CHOICES_LIMIT = 12;

  private ComfyWords() {}

  /** Of an answer with status 400. */
  static String rejection(JsonNode body) {
    String nodes = nodes(body.path("node_errors"));
    if (!nodes.isEmpty()) {
      return nodes;
    }
    JsonNode error = body.path("error");
    JsonNode about = error.path("extra_info");
    String type = about.path("class_type").asText("");
    if (!type.isEmpty()) {
      return "node "
          + about.path("node_id").asText("?")
          + " ("
          + type
          + "): this kind of node is not installed on the server";
    }
    String told =
        error.isTextual()
            ? error.asText()
            : said(error.path("message").asText(""), error.path("details").asText(""));
    return told.isEmpty()
        ? "the server refused the workflow without a reason"
        : Json.line("the server refused the workflow: " + told, TEXT_LIMIT);
  }

  /** Each node with its faults; empty when there are none. */
  static String nodes(JsonNode nodeErrors) {
    List<String> lines = new ArrayList<>();
    for (Map.Entry<String, JsonNode> node : nodeErrors.properties()) {
      List<String> faults = new ArrayList<>();
      node.getValue().path("errors").forEach(error -> faults.add(fault(error)));
      if (!faults.isEmpty()) {
        String type = node.getValue().path("class_type").asText("?");
        lines.add("node " + node.getKey() + " (" + type + "): " + String.join(", ", faults));
      }
    }
    return Json.line(String.join("; ", lines), TEXT_LIMIT);
  }

  private static String fault(JsonNode error) {
    JsonNode about = error.path("extra_info");
    String input = about.path("input_name").asText("");
    String received = about.path("received_value").asText("");
    JsonNode limits = about.path("input_config").path(1);
    String general = said(error.path("message").asText(""), error.path("details").asText(""));
    if (input.isEmpty()) {
      return general;
    }
    return switch (error.path("type").asText("")) {
      case "value_not_in_list" ->
          input + " '" + received + "' is not on the server" + choices(error);
      case "required_input_missing" -> "the input " + input + " is missing";
      case "value_smaller_than_min" ->
          input + " " + received + " is below " + limits.path("min").asText("?") + ", the least";
      case "value_bigger_than_max" ->
          input + " " + received + " is above " + limits.path("max").asText("?") + ", the most";
      default -> general;
    };
  }

  /**
   * The choices stand as a list in the type's place, or newer as options beside it; of a long list
   * the server tells the length alone, at the end of its sentence.
   */
  private static String choices(JsonNode error) {
    JsonNode config = error.path("extra_info").path("input_config");
    JsonNode listed = config.path(0).isArray() ? config.path(0) : config.path(1).path("options");
    if (!listed.isArray()) {
      String[] sentence = error.path("details").asText("").split(" not in ", 2);
      return sentence.length < 2 ? "" : "; it has: " + Json.line(sentence[1], TEXT_LIMIT);
    }
    List<String> choices = new ArrayList<>();
    listed.forEach(choice -> choices.add(choice.asText()));
    if (choices.isEmpty()) {
      return "; it has none";
    }
    String some = choices.stream().limit(CHOICES_LIMIT).collect(Collectors.joining(", "));
    int more = choices.size() - CHOICES_LIMIT;
    return "; it has: " + some + (more > 0 ? " and " + more + " more" : "");
  }

  private static String said(String message, String details) {
    return details.isEmpty() ? message : message.isEmpty() ? details : message + ": " + details;
  }
}

package dev.swapgate.backends.job;

import com.fasterxml.jackson.databind.JsonNode;
import dev.swapgate.backends.media.Json;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * How far a graph has come, by what is said on the WebSocket: its nodes that are done (ran or were
 * cached) and the part of those that run, of all that are to run. Nodes count alike, however long
 * they take. What makes no sense is passed over. Thread-safe.
 */
final class ComfyProgress {

  /** More nodes than any graph has; a server that names more is not listened to. */
  private static final int MOST_NODES = 20_000;

  private String prompt = "";
  private final Set<String> done = new HashSet<>();
  private final Map<String, Part> parts = new HashMap<>();
  private String running = "";
  private long heard;

  /**
   * A node at work.
   *
   * @param shown the node of the graph for which it was made at run time; else itself
   */
  private record Part(String shown, double share) {}

  /** Takes in one message. */
  synchronized void hear(String text) {
    Json.maybe(text).ifPresent(message -> take(message.path("type").asText(""), message));
  }

  private void take(String type, JsonNode message) {
    JsonNode data = message.path("data");
    String of = data.path("prompt_id").asText("");
    if (type.equals("status") || (of.isEmpty() && !type.equals("progress"))) {
      return;
    }
    if (!of.isEmpty() && !of.equals(prompt)) {
      prompt = of;
      done.clear();
      parts.clear();
      running = "";
    }
    heard++;
    if (done.size() + parts.size() > MOST_NODES) {
      return;
    }
    switch (type) {
      case "execution_cached" -> data.path("nodes").forEach(node -> done.add(node.asText("")));
      case "executing" -> executing(data.path("node").asText(""), shown(data));
      case "executed" -> done.add(data.path("node").asText(""));
      case "progress" -> {
        String node = data.path("node").asText(running);
        Part before = parts.getOrDefault(node, new Part(shown(data), 0));
        parts.put(node, new Part(before.shown(), share(data)));
      }
      case "progress_state" -> {
        parts.clear();
        data.path("nodes").properties().forEach(one -> state(one.getKey(), one.getValue()));
      }
      default -> {}
    }
  }

  private void executing(String node, String shown) {
    if (!running.equals(node)) {
      done.add(running);
      running = node;
    }
    if (!node.isEmpty() && !node.equals("null")) {
      parts.putIfAbsent(node, new Part(shown, 0));
    }
  }

  private void state(String node, JsonNode state) {
    switch (state.path("state").asText("")) {
      case "finished" -> {
        if (shown(state).isEmpty() || shown(state).equals(node)) {
          done.add(node);
        } else {
          parts.put(node, new Part(shown(state), 1));
        }
      }
      case "running" -> parts.put(node, new Part(shown(state), share(state)));
      default -> {}
    }
  }

  private static String shown(JsonNode data) {
    return data.path("display_node_id").asText(data.path("display_node").asText(""));
  }

  private static double share(JsonNode data) {
    double value = data.path("value").asDouble(0);
    double max = data.path("max").asDouble(0);
    double share = value / max;
    return max > 0 && share >= 0 && share <= 1 ? share : 0;
  }

  /** How many messages it took in. */
  synchronized long heard() {
    return heard;
  }

  /** The fraction in [0, 1] of these nodes of this prompt. */
  synchronized double of(String id, Set<String> nodes) {
    if (nodes.isEmpty() || (!prompt.isEmpty() && !prompt.equals(id))) {
      return 0;
    }
    double sum = 0;
    for (String node : nodes) {
      sum += done.contains(node) ? 1 : part(node);
    }
    return Math.clamp(sum / nodes.size(), 0, 1);
  }

  /** Its own share; for a node that made others at run time the mean of theirs. */
  private double part(String node) {
    Part own = parts.get(node);
    double made =
        parts.entrySet().stream()
            .filter(one -> !one.getKey().equals(node) && one.getValue().shown().equals(node))
            .mapToDouble(one -> one.getValue().share())
            .average()
            .orElse(0);
    return Math.max(own == null ? 0 : own.share(), made);
  }
}

package dev.swapgate.backends.job;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Where an attempt stands in the server's queue.
 *
 * @param id by which the server knows it
 * @param item {@code [number, id, graph, extra, outputs]}
 */
record ComfyPlace(String id, boolean runs, JsonNode item) {

  /** Its place in the answer to {@code GET /queue}; empty when it is not in it. */
  static Optional<ComfyPlace> of(ComfyTicket ticket, JsonNode queue) {
    for (String list : List.of("queue_running", "queue_pending")) {
      for (JsonNode item : queue.path(list)) {
        String id = item.path(1).asText("");
        if (id.equals(ticket.id()) || (ticket.server().isEmpty() && isOf(ticket, item))) {
          return Optional.of(new ComfyPlace(id, list.equals("queue_running"), item));
        }
      }
    }
    return Optional.empty();
  }

  /** The ids of those that run, and how many wait; "" for none. */
  static String underWay(JsonNode queue) {
    StringBuilder ids = new StringBuilder();
    queue.path("queue_running").forEach(item -> ids.append(item.path(1).asText("")).append(' '));
    int waiting = queue.path("queue_pending").size();
    return ids.isEmpty() && waiting == 0 ? "" : ids.append('+').append(waiting).toString();
  }

  /** Whether {@code [number, id, graph, extra, outputs]} was sent under the ticket's client id. */
  static boolean isOf(ComfyTicket ticket, JsonNode item) {
    return item.path(3).path("client_id").asText("").equals(ticket.client());
  }

  /** The nodes that are to run: the outputs that passed its check, and all that they need. */
  Set<String> nodes() {
    JsonNode graph = item.path(2);
    Set<String> found = new HashSet<>();
    Deque<String> left = new ArrayDeque<>();
    item.path(4).forEach(output -> left.add(output.asText("")));
    if (left.isEmpty()) {
      graph.fieldNames().forEachRemaining(left::add);
    }
    while (!left.isEmpty()) {
      String node = left.pop();
      if (graph.has(node) && found.add(node)) {
        graph.path(node).path("inputs").forEach(input -> left.add(input.path(0).asText("")));
      }
    }
    return found;
  }
}

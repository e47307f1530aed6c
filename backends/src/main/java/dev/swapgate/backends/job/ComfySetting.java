package dev.swapgate.backends.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.swapgate.backends.media.AnswerException;
import dev.swapgate.backends.media.Json;
import dev.swapgate.backends.media.TypedValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Puts one value into a graph: {@code NODE.input=value}, the node by its id or by its title. Both
 * may hold dots, so each dot is tried as the border; an id beats a title.
 */
final class ComfySetting {
  private ComfySetting() {}

  static void put(ComfyGraph graph, String address, String value) {
    if (!address.contains(".")) {
      throw AnswerException.rejected(
          "'" + address + "' names no input: write NODE.input, the node by its id or its title");
    }
    List<String> known = new ArrayList<>();
    for (int dot = address.indexOf('.'); dot >= 0; dot = address.indexOf('.', dot + 1)) {
      String input = address.substring(dot + 1);
      Optional<String> id = node(graph, address.substring(0, dot));
      if (id.isPresent()) {
        ObjectNode inputs = ComfyGraph.inputs(graph.nodes().path(id.get()));
        if (inputs.has(input)) {
          inputs.set(input, fitting(graph, id.get(), input, inputs.get(input), value));
          return;
        }
        known.add(id.get());
      }
    }
    throw unknown(graph, address, known);
  }

  private static Optional<String> node(ComfyGraph graph, String name) {
    if (graph.node(name).isPresent()) {
      return Optional.of(name);
    }
    List<String> titled =
        graph.nodes().properties().stream()
            .filter(node -> ComfyGraph.title(node.getValue()).equals(name))
            .map(Map.Entry::getKey)
            .toList();
    if (titled.size() > 1) {
      throw AnswerException.rejected(
          "the title '"
              + name
              + "' is borne by "
              + titled.stream().map(graph::named).collect(Collectors.joining(", "))
              + "; use the node's id");
    }
    return titled.stream().findFirst();
  }

  private static JsonNode fitting(
      ComfyGraph graph, String id, String input, JsonNode existing, String value) {
    String place = id + "." + input;
    if (!existing.isArray()) {
      return TypedValue.like(existing, value, place);
    }
    Optional<JsonNode> wire = Json.maybe(value).filter(json -> isWire(graph, json));
    return wire.orElseThrow(
        () ->
            AnswerException.rejected(
                place
                    + " is wired to "
                    + graph.named(existing.path(0).asText())
                    + " and holds no value of its own; set the value there"));
  }

  private static boolean isWire(ComfyGraph graph, JsonNode json) {
    return json.isArray()
        && json.size() == 2
        && json.get(1).isInt()
        && graph.node(json.get(0).asText()).isPresent();
  }

  private static AnswerException unknown(ComfyGraph graph, String address, List<String> known) {
    if (known.isEmpty()) {
      return AnswerException.rejected(
          "'" + address + "' names no node of this workflow; it has: " + graph.listed());
    }
    String id = known.getFirst();
    List<String> inputs = new ArrayList<>();
    ComfyGraph.inputs(graph.nodes().path(id)).fieldNames().forEachRemaining(inputs::add);
    return AnswerException.rejected(
        "'"
            + address
            + "': "
            + graph.named(id)
            + " has no such input; it has: "
            + String.join(", ", inputs));
  }
}

package dev.swapgate.backends.generic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.swapgate.backends.media.Json;
import dev.swapgate.backends.recipe.JsonPath;
import java.util.ArrayList;
import java.util.List;

/** What stands in an answer at a path. */
final class Found {
  private Found() {}

  /** Everything that stands there, in the order of the answer; what is not there is left out. */
  static List<JsonNode> all(JsonNode answer, JsonPath path) {
    List<JsonNode> here = List.of(answer);
    for (JsonPath.Step step : path.steps()) {
      List<JsonNode> below = new ArrayList<>();
      for (JsonNode node : here) {
        descend(opened(node), step, below);
      }
      here = below;
    }
    return here.stream().filter(node -> !node.isMissingNode() && !node.isNull()).toList();
  }

  /** Some servers put JSON inside a string. */
  private static JsonNode opened(JsonNode node) {
    return node.isTextual() ? Json.maybe(node.textValue()).orElse(MissingNode.getInstance()) : node;
  }

  private static void descend(JsonNode node, JsonPath.Step step, List<JsonNode> below) {
    switch (step) {
      case JsonPath.Step.Key key -> below.add(node.path(key.name()));
      case JsonPath.Step.Item item -> below.add(node.path(item.place()));
      case JsonPath.Step.Each each -> {
        if (node.isArray()) {
          node.forEach(below::add);
        }
      }
    }
  }

  /** The first of them as text; an object or list as JSON; empty when there is none. */
  static String text(JsonNode answer, JsonPath path) {
    return all(answer, path).stream().findFirst().map(Found::text).orElse("");
  }

  static String text(JsonNode node) {
    return node.isValueNode() ? node.asText() : node.toString();
  }
}

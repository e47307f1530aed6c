package dev.swapgate.backends.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.swapgate.backends.media.AnswerException;
import dev.swapgate.backends.media.Json;
import dev.swapgate.backends.media.Shape;
import dev.swapgate.gate.core.JobRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A workflow in ComfyUI's API format, out of whatever wrapping people paste it in, with the values
 * of the request put in. Everything that can never run is Rejected here: the server answers such
 * bodies with a 500 that says nothing.
 *
 * @param nodes the graph itself: node id → {@code {class_type, inputs, …}}
 * @param extraData what a saved POST body carried beside it
 * @param images files that came inside the wrapping
 */
record ComfyGraph(ObjectNode nodes, Optional<ObjectNode> extraData, List<ComfyFile> images) {

  /** Inputs that decide how long a node takes; texts and seeds do not. */
  private static final Set<String> SIZES =
      Set.of(
          "steps",
          "start_at_step",
          "end_at_step",
          "width",
          "height",
          "batch_size",
          "length",
          "frames",
          "frame_count",
          "num_frames",
          "video_frames",
          "fps",
          "seconds",
          "duration",
          "scale_by",
          "upscale_by",
          "megapixels",
          "amount",
          "max_new_tokens",
          "ckpt_name",
          "unet_name");

  private static final List<String> SEEDS = List.of("seed", "noise_seed");

  /** How many names a message lists. */
  private static final int LISTED = 20;

  static ComfyGraph of(JobRequest request) {
    ComfyGraph graph = unwrapped(Json.request(request.json(), "workflow"));
    graph.check();
    request.set().forEach((address, value) -> ComfySetting.put(graph, address, value));
    return graph;
  }

  private static ComfyGraph unwrapped(ObjectNode body) {
    refuseEditorFormat(body);
    if (body.get("prompt") instanceof ObjectNode inner && !inner.has("class_type")) {
      refuseEditorFormat(inner);
      Optional<ObjectNode> extra =
          body.get("extra_data") instanceof ObjectNode data ? Optional.of(data) : Optional.empty();
      return new ComfyGraph(inner, extra, List.of());
    }
    if (body.get("input") instanceof ObjectNode input
        && input.get("workflow") instanceof ObjectNode inner) {
      refuseEditorFormat(inner);
      return new ComfyGraph(inner, Optional.empty(), ComfyFile.embedded(input.path("images")));
    }
    return new ComfyGraph(body, Optional.empty(), List.of());
  }

  private static void refuseEditorFormat(ObjectNode body) {
    if (body.get("nodes") instanceof ArrayNode
        && (body.has("links") || body.has("last_node_id") || body.has("version"))) {
      throw AnswerException.rejected(
          "this is a workflow as the ComfyUI editor saves it, which its server does not accept; "
              + "in ComfyUI choose Workflow → Export (API) and submit that file");
    }
  }

  private void check() {
    if (nodes.isEmpty()) {
      throw AnswerException.rejected("the workflow has no nodes");
    }
    for (Map.Entry<String, JsonNode> node : nodes.properties()) {
      if (!(node.getValue() instanceof ObjectNode object)) {
        throw AnswerException.rejected(
            "'"
                + Json.line(node.getKey(), 80)
                + "' is no node: an object with class_type and inputs");
      }
      if (!object.path("class_type").isTextual()) {
        throw AnswerException.rejected(
            "node " + Json.line(node.getKey(), 80) + " has no class_type");
      }
      if (!object.has("inputs")) {
        object.putObject("inputs");
      }
      if (!(object.get("inputs") instanceof ObjectNode)) {
        throw AnswerException.rejected(
            named(node.getKey()) + " has inputs that are no object of names and values");
      }
    }
  }

  Optional<ObjectNode> node(String id) {
    return nodes.get(id) instanceof ObjectNode node ? Optional.of(node) : Optional.empty();
  }

  static ObjectNode inputs(JsonNode node) {
    return (ObjectNode) node.get("inputs");
  }

  static String title(JsonNode node) {
    return node.path("_meta").path("title").asText("");
  }

  /** The node as people know it: id, class and title. */
  String named(String id) {
    JsonNode node = nodes.path(id);
    String type = node.path("class_type").asText("");
    String title = title(node);
    String told = title.isEmpty() || title.equals(type) ? type : type + " '" + title + "'";
    return "node " + id + " (" + Json.line(told, 100) + ")";
  }

  /** All nodes, for a message. */
  String listed() {
    List<String> names = new ArrayList<>();
    nodes.fieldNames().forEachRemaining(id -> names.add(named(id)));
    return names.stream().limit(LISTED).collect(Collectors.joining(", "))
        + (names.size() > LISTED ? " and " + (names.size() - LISTED) + " more" : "");
  }

  /** Where a seed stands as a number, not as a wire from another node. */
  List<String> seeds() {
    List<String> addresses = new ArrayList<>();
    for (Map.Entry<String, JsonNode> node : nodes.properties()) {
      for (String input : SEEDS) {
        if (inputs(node.getValue()).path(input).isNumber()) {
          addresses.add(node.getKey() + "." + input);
        }
      }
    }
    return addresses;
  }

  /** What its run time is learned by. */
  String shape() {
    List<String> traits = new ArrayList<>();
    for (JsonNode node : nodes) {
      List<String> sizes = new ArrayList<>();
      for (Map.Entry<String, JsonNode> input : inputs(node).properties()) {
        if (SIZES.contains(input.getKey().toLowerCase(Locale.ROOT))
            && input.getValue().isValueNode()) {
          sizes.add(input.getKey() + "=" + input.getValue().asText());
        }
      }
      sizes.sort(null);
      traits.add(node.get("class_type").asText() + sizes);
    }
    return Shape.of(traits);
  }
}

package dev.swapgate.proxy.workflows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A workflow in ComfyUI's API format: node id → {@code {class_type, inputs}}. */
public record Graph(ObjectNode nodes) {

  private static final List<String> FILES = List.of("image", "audio", "video", "file", "mask");

  /**
   * The graph in a document, out of the forms that people paste: bare, {@code {"prompt":…}}, {@code
   * {"input":{"workflow":…}}}; empty when it is no workflow at all.
   *
   * @throws WorkflowException when it is one as the editor saves it
   */
  public static Optional<Graph> in(ObjectNode document) {
    refuseEditorFormat(document);
    for (JsonNode inner :
        List.of(document.path("prompt"), document.path("input").path("workflow"), document)) {
      if (inner instanceof ObjectNode nodes && !nodes.has("class_type")) {
        refuseEditorFormat(nodes);
        if (isGraph(nodes)) {
          return Optional.of(new Graph(nodes));
        }
      }
    }
    return Optional.empty();
  }

  private static boolean isGraph(ObjectNode nodes) {
    return !nodes.isEmpty()
        && nodes.properties().stream().allMatch(node -> node.getValue().has("class_type"));
  }

  private static void refuseEditorFormat(ObjectNode document) {
    if (document.path("nodes").isArray()
        && (document.has("links") || document.has("last_node_id") || document.has("version"))) {
      throw new WorkflowException(
          "is a workflow as the ComfyUI editor saves it, which its server does not accept; in"
              + " ComfyUI choose Workflow → Export (API) and take that file");
    }
  }

  /**
   * The input at {@code NODE.input}, the node by its id or its title; both may hold dots.
   *
   * @throws WorkflowException when there is none that holds a value
   */
  Workflow.Input input(String name, String at) {
    for (int dot = at.indexOf('.'); dot >= 0; dot = at.indexOf('.', dot + 1)) {
      String input = at.substring(dot + 1);
      Optional<JsonNode> node = node(at.substring(0, dot));
      if (node.isPresent()) {
        JsonNode value = node.get().path("inputs").path(input);
        if (value.isArray()) {
          throw new WorkflowException(at + " is wired to another node; name the value there");
        }
        if (!value.isMissingNode()) {
          boolean file =
              value.isTextual()
                  && FILES.contains(input)
                  && node.get().path("class_type").asText().contains("Load");
          Workflow.Kind kind = file ? Workflow.Kind.FILE : Workflow.Kind.of(value);
          return new Workflow.Input(name, at, kind, value);
        }
      }
    }
    throw new WorkflowException(
        at
            + " is not in the workflow; write NODE.input, the node by its id or its title, for"
            + " example "
            + example());
  }

  private Optional<JsonNode> node(String name) {
    if (nodes.has(name)) {
      return Optional.of(nodes.get(name));
    }
    List<JsonNode> titled =
        nodes.properties().stream()
            .map(Map.Entry::getValue)
            .filter(node -> node.path("_meta").path("title").asText("").equals(name))
            .toList();
    return titled.size() == 1 ? Optional.of(titled.getFirst()) : Optional.empty();
  }

  private String example() {
    for (Map.Entry<String, JsonNode> node : nodes.properties()) {
      for (Map.Entry<String, JsonNode> input : node.getValue().path("inputs").properties()) {
        if (input.getValue().isValueNode()) {
          return node.getKey() + "." + input.getKey();
        }
      }
    }
    return "6.text";
  }
}

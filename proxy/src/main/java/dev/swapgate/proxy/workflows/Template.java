package dev.swapgate.proxy.workflows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Map;

/**
 * The request of a server that is no ComfyUI.
 *
 * @param known values that its backend takes although the request does not give them, as JSON
 */
public record Template(ObjectNode request, Map<String, JsonNode> known) {

  /**
   * The input at a key, or at a path through objects ({@code style.mood}).
   *
   * @throws WorkflowException when nothing stands there
   */
  Workflow.Input input(String name, String at) {
    JsonNode value = at(request, at);
    if (value.isMissingNode()) {
      value = known.getOrDefault(at, MissingNode.getInstance());
    }
    if (value.isMissingNode() || value.isContainerNode()) {
      throw new WorkflowException(
          at
              + (value.isContainerNode()
                  ? " is no single value of the request"
                  : " is not in the request, and its backend does not ask for it"));
    }
    JsonNode standard = value.isNull() ? TextNode.valueOf("") : value;
    return new Workflow.Input(name, at, Workflow.Kind.of(standard), standard);
  }

  private static JsonNode at(JsonNode object, String path) {
    int dot = path.indexOf('.');
    return object.has(path) || dot < 0
        ? object.path(path)
        : at(object.path(path.substring(0, dot)), path.substring(dot + 1));
  }
}

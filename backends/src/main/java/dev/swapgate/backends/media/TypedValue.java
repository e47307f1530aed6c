package dev.swapgate.backends.media;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Optional;

/** What a person types after {@code --set key=}, read by the type of the value it replaces. */
public final class TypedValue {
  private TypedValue() {}

  /** The value for a place that holds {@code existing}; Rejected when its type does not fit. */
  public static JsonNode like(JsonNode existing, String text, String place) {
    Optional<JsonNode> json = Json.maybe(text);
    if (existing.isNumber()) {
      return json.filter(JsonNode::isNumber)
          .orElseThrow(() -> unfitting(place, "a number", existing, text));
    }
    if (existing.isBoolean()) {
      return json.filter(JsonNode::isBoolean)
          .orElseThrow(() -> unfitting(place, "true or false", existing, text));
    }
    if (existing.isTextual()) {
      return json.filter(JsonNode::isTextual).orElseGet(() -> TextNode.valueOf(text));
    }
    return json.orElseGet(() -> TextNode.valueOf(text));
  }

  /** The value for a place that holds nothing yet: JSON when it reads as JSON, else text. */
  public static JsonNode free(String text) {
    return Json.maybe(text).orElseGet(() -> TextNode.valueOf(text));
  }

  private static AnswerException unfitting(
      String place, String type, JsonNode existing, String text) {
    return AnswerException.rejected(
        place + " holds " + type + " (" + existing + "); '" + Json.line(text, 80) + "' is none");
  }
}

package dev.swapgate.proxy.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Reads what the admin API says; a field that is absent or null reads as nothing. */
final class Json {

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build();

  private Json() {}

  static JsonNode parse(String text) throws JsonProcessingException {
    return MAPPER.readTree(text);
  }

  static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  /** Maps, lists and records as JSON. */
  static JsonNode of(Object value) {
    return MAPPER.valueToTree(value);
  }

  static String text(JsonNode node, String field) {
    JsonNode value = node.path(field);
    return value.isNull() || value.isMissingNode() ? "" : value.asText();
  }

  static OptionalLong number(JsonNode node, String field) {
    JsonNode value = node.path(field);
    return value.isNumber() ? OptionalLong.of(value.asLong()) : OptionalLong.empty();
  }

  static boolean flag(JsonNode node, String field) {
    return node.path(field).asBoolean(false);
  }

  /** The items of a list: the node itself when it is one, else the one under that name. */
  static List<JsonNode> items(JsonNode node, String field) {
    List<JsonNode> items = new ArrayList<>();
    (node.isArray() ? node : node.path(field)).forEach(items::add);
    return items;
  }

  /** The texts of a list under that name; an object stands for its {@code name}. */
  static List<String> names(JsonNode node, String field) {
    return items(node.path(field), field).stream()
        .map(item -> item.isObject() ? text(item, "name") : item.asText())
        .toList();
  }
}

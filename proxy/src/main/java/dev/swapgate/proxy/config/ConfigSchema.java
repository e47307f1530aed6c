package dev.swapgate.proxy.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The JSON Schema (2020-12) of {@code swapgate.yaml}, for editors. It is made from what the readers
 * ask, and is laxer than they are: ranges of durations and sizes, and what keys mean to one
 * another, are for {@code swapgate config} to tell.
 */
public final class ConfigSchema {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** What is put in from the environment may be anything. */
  private static final String OR_VARIABLE = "^(?:(?:%s)|.*\\$\\{.*)$";

  private final SchemaSource source = new SchemaSource();
  private final ObjectNode shared = JSON.objectNode();

  private ConfigSchema() {}

  /** The schema as it is published. */
  public static String text() {
    try {
      return new ObjectMapper()
              .enable(SerializationFeature.INDENT_OUTPUT)
              .writeValueAsString(new ConfigSchema().top())
          + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree of ours is always JSON", e);
    }
  }

  private ObjectNode top() {
    ObjectNode top = JSON.objectNode();
    top.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    top.put("title", "swapgate.yaml");
    top.setAll(keys(""));
    return top.set("$defs", shared);
  }

  private ObjectNode keys(String path) {
    ObjectNode keys = JSON.objectNode().put("type", "object").put("additionalProperties", false);
    ArrayNode required = JSON.arrayNode();
    ObjectNode properties = JSON.objectNode();
    children(path)
        .forEach(
            (key, child) -> {
              properties.set(key, value(child));
              if (source.isNeeded(child)) {
                required.add(key);
              }
            });
    if (properties.isEmpty()) {
      throw new IllegalStateException("SchemaSource.WHOLE has nothing at " + path);
    }
    if (!required.isEmpty()) {
      keys.set("required", required);
    }
    return keys.set("properties", properties);
  }

  private Map<String, String> children(String path) {
    Map<String, String> children = new LinkedHashMap<>();
    String prefix = path.isEmpty() ? "" : path + ".";
    for (String one : source.questions().keySet()) {
      String key = one.startsWith(prefix) ? one.substring(prefix.length()) : "";
      if (!key.isEmpty() && key.indexOf('.') < 0) {
        children.put(key, one);
      }
    }
    return children;
  }

  private ObjectNode value(String path) {
    Question question = source.questions().get(path);
    return switch (question) {
      case null -> throw new IllegalStateException("nobody asked for " + path);
      case Question.Text text -> single();
      case Question.Span span ->
          pattern(Durations.FORM.pattern())
              .put("description", span(span.standard(), span.min(), span.max()));
      case Question.Size size ->
          pattern(Sizes.FORM.pattern())
              .put("description", Sizes.text(size.min()) + " to " + Sizes.text(size.max()));
      case Question.Whole whole -> {
        ObjectNode number = whole(whole.min(), whole.max());
        whole.standard().ifPresent(standard -> number.put("default", standard));
        yield number;
      }
      case Question.Texts texts -> list(single());
      case Question.Wholes wholes -> list(whole(wholes.min(), wholes.max()));
      case Question.Anything anything -> JSON.objectNode();
      case Question.Keys section -> keys(path);
      case Question.FreeKeys free ->
          path.equals("media") ? media() : path.equals("engines") ? engines() : named(path);
    };
  }

  private ObjectNode engines() {
    ObjectNode engines = named("engines").put("minProperties", 1);
    return engines.set("propertyNames", names());
  }

  /** Which keys there are follows from the type. */
  private ObjectNode media() {
    ObjectNode one = JSON.objectNode().put("type", "object");
    one.set("required", JSON.arrayNode().add("type"));
    ArrayNode types = JSON.arrayNode();
    ArrayNode rules = JSON.arrayNode();
    children("media")
        .forEach(
            (type, path) -> {
              if (source.questions().containsKey(path + ".container") && !type.equals("any")) {
                types.add(type);
                shared.set(type, keys(path));
                rules.add(rule(type));
              }
            });
    ObjectNode type = JSON.objectNode().set("type", JSON.objectNode().set("enum", types));
    one.set("properties", type);
    one.set("allOf", rules);
    ObjectNode media = JSON.objectNode().put("type", "object");
    media.set("propertyNames", names());
    return media.set("additionalProperties", one);
  }

  private static ObjectNode rule(String type) {
    ObjectNode is = JSON.objectNode().set("type", JSON.objectNode().put("const", type));
    ObjectNode when = JSON.objectNode().set("properties", is);
    ObjectNode rule = JSON.objectNode().set("if", when);
    return rule.set("then", JSON.objectNode().put("$ref", "#/$defs/" + type));
  }

  private static ObjectNode names() {
    return JSON.objectNode().put("pattern", "^" + BackendsReader.ID + "$");
  }

  /** Keys that the owner of the box chooses, whose values are like those of the example. */
  private ObjectNode named(String path) {
    Set<ObjectNode> kinds = new LinkedHashSet<>();
    children(path).values().forEach(child -> kinds.add(value(child)));
    if (kinds.isEmpty()) {
      throw new IllegalStateException("SchemaSource.WHOLE has nothing at " + path);
    }
    ObjectNode map = JSON.objectNode().put("type", "object");
    if (kinds.size() == 1) {
      return map.set("additionalProperties", kinds.iterator().next());
    }
    ArrayNode any = JSON.arrayNode();
    kinds.forEach(any::add);
    return map.set("additionalProperties", JSON.objectNode().set("anyOf", any));
  }

  private static ObjectNode single() {
    ArrayNode types = JSON.arrayNode().add("string").add("number").add("boolean");
    return JSON.objectNode().set("type", types);
  }

  private static ObjectNode list(ObjectNode items) {
    return JSON.objectNode().put("type", "array").set("items", items);
  }

  private static ObjectNode pattern(String form) {
    return JSON.objectNode()
        .put("type", "string")
        .put("minLength", 1)
        .put("pattern", OR_VARIABLE.formatted(form));
  }

  private static ObjectNode whole(int min, int max) {
    ObjectNode whole = JSON.objectNode();
    whole.set("type", JSON.arrayNode().add("integer").add("string"));
    return whole
        .put("minimum", min)
        .put("maximum", max)
        .put("pattern", OR_VARIABLE.formatted("0|[1-9]\\d*"));
  }

  private static String span(Optional<Duration> standard, Duration min, Duration max) {
    String range = Durations.text(min) + " to " + Durations.text(max);
    return standard.map(value -> "default " + Durations.text(value) + ", ").orElse("") + range;
  }
}

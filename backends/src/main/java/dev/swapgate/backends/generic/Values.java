package dev.swapgate.backends.generic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.swapgate.backends.media.AnswerException;
import dev.swapgate.backends.media.Json;
import dev.swapgate.backends.media.MediaServer;
import dev.swapgate.backends.media.Shape;
import dev.swapgate.backends.media.TypedValue;
import dev.swapgate.backends.recipe.BodyTemplate;
import dev.swapgate.backends.recipe.Inputs;
import dev.swapgate.backends.recipe.TextTemplate;
import dev.swapgate.gate.core.JobRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/** The values of one job: the defaults, over them its request, over that what was set. */
record Values(ObjectNode all) {

  /**
   * The values of a request; Rejected when one is missing, or when it gives one that no template
   * has a place for.
   *
   * @param all whether there is a place for everything
   * @param places the names that templates use
   */
  static Values of(JobRequest request, Inputs inputs, boolean all, Iterable<String> places) {
    ObjectNode values = JsonNodeFactory.instance.objectNode();
    inputs.defaults().forEach((name, json) -> values.set(name, Json.maybe(json).orElseThrow()));
    values.setAll(Json.request(request.json(), "request"));
    request.set().forEach((key, text) -> put(values, key, text));
    for (String needed : new TreeSet<>(inputs.needs())) {
      if (values.path(needed).isMissingNode() || values.path(needed).isNull()) {
        throw AnswerException.rejected(
            "this backend needs '%s'; give it in the request or with --set %s=…"
                .formatted(needed, needed));
      }
    }
    if (!all) {
      refuseStrangers(values, places);
    }
    return new Values(values);
  }

  /** A dot leads into an object that is there. */
  private static void put(ObjectNode values, String key, String text) {
    int dot = key.indexOf('.');
    if (!values.has(key) && dot > 0 && values.get(key.substring(0, dot)) instanceof ObjectNode in) {
      put(in, key.substring(dot + 1), text);
      return;
    }
    JsonNode before = values.get(key);
    values.set(key, before == null ? TypedValue.free(text) : TypedValue.like(before, text, key));
  }

  private static void refuseStrangers(ObjectNode values, Iterable<String> places) {
    TreeSet<String> known = new TreeSet<>();
    places.forEach(known::add);
    values
        .fieldNames()
        .forEachRemaining(
            name -> {
              if (!known.contains(name)) {
                throw AnswerException.rejected(
                    "this backend has no use for '%s'; it takes: %s"
                        .formatted(Json.line(name, 80), String.join(", ", known)));
              }
            });
  }

  /** These and one more, for a template of a later step. */
  Values with(String name, String value) {
    ObjectNode more = all.deepCopy();
    more.put(name, value);
    return new Values(more);
  }

  /** All but those that stand in a path. */
  ObjectNode without(TextTemplate path) {
    return all.deepCopy().without(path.variables());
  }

  static Values none() {
    return new Values(JsonNodeFactory.instance.objectNode());
  }

  private JsonNode value(String name) {
    return name.equals(Inputs.ALL) ? all : all.path(name);
  }

  private String text(String name) {
    JsonNode value = value(name);
    return value.isValueNode() ? value.asText() : value.isMissingNode() ? "" : value.toString();
  }

  /** A path and query; values cannot add a step or a parameter. */
  String path(TextTemplate template) {
    return template.filled(name -> MediaServer.encoded(text(name)));
  }

  /** The content of a file. */
  String content(TextTemplate template) {
    return template.filled(this::text);
  }

  JsonNode body(BodyTemplate template) {
    return switch (template) {
      case BodyTemplate.Fixed fixed -> Json.maybe(fixed.json()).orElseThrow();
      case BodyTemplate.Text text -> {
        List<TextTemplate.Part> parts = text.text().parts();
        yield parts.size() == 1 && parts.getFirst() instanceof TextTemplate.Part.Variable alone
            ? orNull(value(alone.name()))
            : TextNode.valueOf(text.text().filled(this::text));
      }
      case BodyTemplate.Items list -> {
        var items = JsonNodeFactory.instance.arrayNode();
        list.items().forEach(item -> items.add(body(item)));
        yield items;
      }
      case BodyTemplate.Fields object -> {
        ObjectNode fields = JsonNodeFactory.instance.objectNode();
        object.fields().forEach((name, value) -> fields.set(name, body(value)));
        yield fields;
      }
    };
  }

  private static JsonNode orNull(JsonNode value) {
    return value.isMissingNode() ? JsonNodeFactory.instance.nullNode() : value.deepCopy();
  }

  /**
   * Numbers and truths decide how long a job takes, but for the seed; of texts, their length, in
   * doublings.
   */
  String shape() {
    List<String> traits = new ArrayList<>();
    int length = 0;
    for (Map.Entry<String, JsonNode> one : all.properties()) {
      JsonNode value = one.getValue();
      if (value.isTextual()) {
        length += value.textValue().length();
      } else if (value.isValueNode() && !one.getKey().toLowerCase(Locale.ROOT).contains("seed")) {
        traits.add(one.getKey() + "=" + value.asText());
      }
    }
    traits.add("text=" + Integer.toBinaryString(length).length());
    return Shape.of(traits);
  }
}

package dev.swapgate.proxy.config;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.swapgate.backends.recipe.BodyTemplate;
import dev.swapgate.backends.recipe.RecipeException;
import dev.swapgate.backends.recipe.TextTemplate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Reads YAML that stands for JSON: a plain word is a number, true, false or null when JSON would
 * say so, and else a text; what is quoted is always a text.
 */
final class BodyReader {
  static final String NO_VARIABLES =
      "holds ${…}; what is secret belongs into headers, which are never shown"
          + " (a literal ${ is written $${)";

  private static final Pattern FIXED =
      Pattern.compile("true|false|null|-?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d+)?");

  private final Section section;
  private final boolean fills;

  private BodyReader(Section section, boolean fills) {
    this.section = section;
    this.fills = fills;
  }

  /** The body at a key, with places for values. */
  static Optional<BodyTemplate> template(Section section, String key) {
    return section
        .node(key)
        .map(node -> new BodyReader(section, true).read(node, section.path(key)));
  }

  /** The value at a key, as JSON; braces mean nothing in it. */
  static Optional<String> json(Section section, String key) {
    return section
        .node(key)
        .map(node -> written(new BodyReader(section, false).read(node, section.path(key))));
  }

  private BodyTemplate read(Node node, String path) {
    return switch (node) {
      case Node.Refused refused -> new BodyTemplate.Fixed("null");
      case Node.Scalar scalar -> scalar(scalar, path);
      case Node.Sequence list -> {
        List<BodyTemplate> items = new ArrayList<>();
        for (Node item : list.items()) {
          items.add(read(item, path + "[" + items.size() + "]"));
        }
        yield new BodyTemplate.Items(items);
      }
      case Node.Mapping map -> {
        Map<String, BodyTemplate> fields = new LinkedHashMap<>();
        map.entries()
            .forEach((name, entry) -> fields.put(name, field(entry.value(), path + "." + name)));
        yield new BodyTemplate.Fields(fields);
      }
    };
  }

  /** {@code {prompt}} without quotes is, to YAML, a map with an empty value. */
  private BodyTemplate field(Node value, String path) {
    if (value instanceof Node.Mapping map
        && map.entries().size() == 1
        && map.entries().values().iterator().next().value() instanceof Node.Scalar empty
        && empty.isMissing()
        && empty.text().isEmpty()) {
      String inside = map.entries().keySet().iterator().next();
      section.problem(
          map.line(), path, "is a map to YAML; put quotes around it: \"{" + inside + "}\"");
    }
    return read(value, path);
  }

  private BodyTemplate scalar(Node.Scalar scalar, String path) {
    String text = scalar.text();
    if (scalar.isMissing()) {
      return new BodyTemplate.Fixed("null");
    }
    if (scalar.plain() && FIXED.matcher(text).matches()) {
      return new BodyTemplate.Fixed(text);
    }
    if (Placeholders.isIn(text)) {
      section.problem(scalar.line(), path, NO_VARIABLES);
    }
    String plain = text.replace("$${", "${");
    return new BodyTemplate.Text(fills ? template(plain, scalar.line(), path) : literal(plain));
  }

  private TextTemplate template(String text, int line, String path) {
    try {
      return TextTemplate.parse(text);
    } catch (RecipeException unread) {
      section.problem(line, path, unread.seen());
      return literal("");
    }
  }

  private static TextTemplate literal(String text) {
    return new TextTemplate(text, List.of(new TextTemplate.Part.Literal(text)));
  }

  /** Written out as JSON, templates as they stand. */
  static String written(BodyTemplate body) {
    return switch (body) {
      case BodyTemplate.Fixed fixed -> fixed.json();
      case BodyTemplate.Text text -> quoted(text.text().text());
      case BodyTemplate.Items list ->
          "[" + String.join(", ", list.items().stream().map(BodyReader::written).toList()) + "]";
      case BodyTemplate.Fields object ->
          "{"
              + String.join(
                  ", ",
                  object.fields().entrySet().stream()
                      .map(field -> quoted(field.getKey()) + ": " + written(field.getValue()))
                      .toList())
              + "}";
    };
  }

  private static String quoted(String text) {
    return TextNode.valueOf(text).toString();
  }
}

package dev.swapgate.proxy.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What may be said to a tool that makes something, as JSON Schema: workflows, and their inputs. */
final class ToolSchema {

  static final String WORKFLOW = "workflow";

  private static final int LONGEST_DEFAULT = 80;

  private ToolSchema() {}

  /**
   * @param offers at least one
   */
  static Map<String, Object> of(List<Workbench.Offer> offers) {
    Map<String, Object> properties = new LinkedHashMap<>();
    properties.put(
        WORKFLOW,
        Map.of(
            "type",
            "string",
            "enum",
            offers.stream().map(Workbench.Offer::name).toList(),
            "description",
            "Which workflow makes it; without it " + offers.getFirst().name()));
    Set<String> names = new LinkedHashSet<>();
    offers.forEach(offer -> offer.inputs().forEach(input -> names.add(input.name())));
    names.remove(WORKFLOW);
    names.forEach(name -> properties.put(name, property(name, offers)));
    List<String> required =
        names.contains("prompt") && offers.stream().allMatch(offer -> has(offer, "prompt"))
            ? List.of("prompt")
            : List.of();
    return Map.of(
        "type",
        "object",
        "properties",
        properties,
        "required",
        required,
        "additionalProperties",
        false);
  }

  private static boolean has(Workbench.Offer offer, String name) {
    return offer.inputs().stream().anyMatch(input -> input.name().equals(name));
  }

  /** The first of that name tells its kind: whoever names them alike means them alike. */
  private static Map<String, Object> property(String name, List<Workbench.Offer> offers) {
    List<Workbench.Offer> with = offers.stream().filter(offer -> has(offer, name)).toList();
    Workbench.Input input =
        with.getFirst().inputs().stream()
            .filter(one -> one.name().equals(name))
            .findFirst()
            .orElseThrow();
    String of =
        with.size() == offers.size()
            ? ""
            : " (only for "
                + String.join(", ", with.stream().map(Workbench.Offer::name).toList())
                + ")";
    return switch (input.kind()) {
      case "number" -> Map.of("type", "number", "description", standard(input) + of);
      case "flag" -> Map.of("type", "boolean", "description", standard(input) + of);
      case "file" ->
          Map.of("type", "string", "description", "The path of a file on this machine" + of);
      default -> Map.of("type", "string", "description", standard(input) + of);
    };
  }

  private static String standard(Workbench.Input input) {
    JsonNode value = input.standard();
    String text = value.isTextual() ? value.asText() : value.toString();
    return text.isBlank()
        ? "Its value"
        : "Without it: "
            + (text.length() > LONGEST_DEFAULT ? text.substring(0, LONGEST_DEFAULT) + " …" : text);
  }
}

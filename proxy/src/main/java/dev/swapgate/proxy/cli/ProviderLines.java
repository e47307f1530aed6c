package dev.swapgate.proxy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** The fallback providers of a status for people, with their keys and what is set aside. */
final class ProviderLines {

  private ProviderLines() {}

  static void add(List<String> lines, List<JsonNode> providers) {
    if (providers.isEmpty()) {
      return;
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("FALLBACK", "WHERE", "STATE", "COOLDOWN", "UNTIL", "WHY"));
    for (JsonNode provider : providers) {
      rows.add(
          row(
              Json.text(provider, "name"),
              Json.text(provider, "url"),
              Json.text(provider, "state"),
              provider));
      for (JsonNode key : Json.items(provider.path("keys"), "keys")) {
        rows.add(row("  key " + Json.text(key, "name"), Json.text(key, "key"), "", key));
      }
      for (JsonNode model : Json.items(provider.path("models"), "models")) {
        rows.add(row("  model " + Json.text(model, "name"), "", "", model));
      }
    }
    lines.add("");
    lines.addAll(Words.table(rows));
  }

  private static List<String> row(String name, String where, String state, JsonNode one) {
    boolean aside = one.has("cooldown");
    OptionalLong left = Json.number(one, "left_seconds");
    String until =
        left.isPresent()
            ? Words.moment(Json.text(one, "until")) + " (" + Words.seconds(left.getAsLong()) + ")"
            : aside ? "cleared" : "-";
    String word = state.isEmpty() ? (aside ? Json.text(one, "kind") : "ready") : state;
    return List.of(
        name,
        where.isEmpty() ? "-" : where,
        word,
        aside ? Json.text(one, "cooldown") : "-",
        until,
        aside ? Json.text(one, "why") : "-");
  }
}

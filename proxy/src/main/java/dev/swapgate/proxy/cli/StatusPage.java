package dev.swapgate.proxy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** The status as a page for people. */
final class StatusPage {

  private StatusPage() {}

  static List<String> lines(JsonNode status) {
    List<List<String>> facts = new ArrayList<>();
    facts.add(List.of("chat", chat(status)));
    facts.add(List.of("phase", Json.text(status, "phase").replace('_', ' ')));
    String reason = Json.text(status, "reason");
    if (!reason.isEmpty()) {
      facts.add(List.of("reason", reason));
    }
    String owner = Json.text(status, "owner");
    facts.add(List.of("owner", owner.isEmpty() ? "nobody" : owner));
    facts.add(List.of("selected", Json.text(status, "selected")));
    JsonNode swap = status.path("swap");
    if (swap.isObject()) {
      facts.add(
          List.of(
              "swap",
              "since "
                  + Words.moment(Json.text(swap, "since"))
                  + ", for "
                  + Words.seconds(Json.number(swap, "elapsed_seconds").orElse(0))));
    }
    JsonNode jobs = status.path("jobs");
    facts.add(
        List.of(
            "jobs",
            Json.text(jobs, "queued") + " queued, " + Json.text(jobs, "running") + " running"));
    facts.add(
        List.of(
            "requests",
            Json.text(status, "inside") + " inside, " + Json.text(status, "held") + " held"));
    facts.add(List.of("card", card(status.path("card"))));
    facts.add(
        List.of("host", Words.mib(Json.number(status.path("host"), "memory_free_mib")) + " free"));
    facts.add(List.of("fallback", fallback(status)));
    facts.add(List.of("version", Json.text(status, "version")));
    List<String> lines = new ArrayList<>(Words.table(facts));
    backends(lines, "ENGINE", Json.items(status.path("engines"), "engines"));
    backends(lines, "MEDIA", Json.items(status.path("media"), "media"));
    ProviderLines.add(lines, Json.items(status.path("fallback"), "fallback"));
    return lines;
  }

  private static String chat(JsonNode status) {
    if (Json.flag(status, "chat_open")) {
      return "open";
    }
    OptionalLong seconds = Json.number(status.path("swap"), "retry_after_seconds");
    return seconds.isPresent()
        ? "shut, open again in about " + seconds.getAsLong() + " seconds"
        : "shut";
  }

  private static String card(JsonNode card) {
    String name = Json.text(card, "name");
    return (name.isEmpty() ? "unnamed" : name)
        + ", "
        + Words.mib(Json.number(card, "total_mib"))
        + " in all, "
        + Words.mib(Json.number(card, "free_mib"))
        + " free ("
        + Json.text(card, "source")
        + ")";
  }

  private static String fallback(JsonNode status) {
    List<String> names =
        Json.items(status.path("fallback"), "fallback").stream()
            .map(one -> one.isObject() ? Json.text(one, "name") : one.asText())
            .toList();
    return names.isEmpty() ? "none" : String.join(", ", names);
  }

  private static void backends(List<String> lines, String title, List<JsonNode> backends) {
    if (backends.isEmpty()) {
      return;
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of(title, "CONTAINER", "STATE", "READY", "LAST LOAD"));
    for (JsonNode backend : backends) {
      OptionalLong last = Json.number(backend, "last_ready_seconds");
      rows.add(
          List.of(
              Json.text(backend, "name"),
              Json.text(backend, "container"),
              Json.text(backend, "state"),
              Json.flag(backend, "ready") ? "yes" : "no",
              last.isPresent() ? last.getAsLong() + " s" : "-"));
    }
    lines.add("");
    lines.addAll(Words.table(rows));
  }
}

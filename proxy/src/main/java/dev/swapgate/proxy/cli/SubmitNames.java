package dev.swapgate.proxy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * What can be submitted, asked of swapgate when it is needed: for the help text and for the
 * completion. Nothing when it does not answer.
 */
final class SubmitNames implements Iterable<String> {

  private final Session session;

  SubmitNames(Session session) {
    this.session = session;
  }

  private List<JsonNode> asked(String field) {
    try {
      return Json.items(session.admin().get("workflows"), field);
    } catch (CliException unreachable) {
      return List.of();
    }
  }

  @Override
  public Iterator<String> iterator() {
    List<String> names = new ArrayList<>();
    asked("workflows").forEach(one -> names.add(Json.text(one, "name")));
    asked("backends").forEach(one -> names.add(Json.text(one, "name")));
    return names.iterator();
  }

  /** For the end of the help text. */
  String help() {
    List<JsonNode> workflows = asked("workflows");
    if (workflows.isEmpty()) {
      return "";
    }
    StringBuilder text = new StringBuilder("%n%nWorkflows of this box:%n".formatted());
    workflows.forEach(one -> text.append("  ").append(line(one)).append("%n".formatted()));
    return text.toString();
  }

  /** {@code portrait --prompt=TEXT --seed=NUMBER}. */
  static String line(JsonNode workflow) {
    StringBuilder line = new StringBuilder(Json.text(workflow, "name"));
    for (JsonNode input : Json.items(workflow, "inputs")) {
      line.append(" --")
          .append(Json.text(input, "name"))
          .append('=')
          .append(Json.text(input, "kind").toUpperCase(java.util.Locale.ROOT));
    }
    return line.toString();
  }
}

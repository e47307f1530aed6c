package dev.swapgate.proxy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rehearse}: one real swap without a job. */
@Command(
    name = "rehearse",
    description =
        "Swap to a media backend and back without a job: proves the release, learns the time of"
            + " each step, and says which keys to set. Chat waits meanwhile.")
final class RehearseCommand implements Callable<Integer> {

  private final Session session;

  @Parameters(
      arity = "0..1",
      paramLabel = "BACKEND",
      description = "A media backend's name (default: the first of the configuration).")
  private Optional<String> backend = Optional.empty();

  @Option(names = "--json", description = "Print JSON, and nothing else, on standard output.")
  private boolean json;

  RehearseCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    AdminClient admin = session.admin();
    Terminal terminal = session.terminal();
    ObjectNode body = Json.object();
    backend.ifPresent(name -> body.put("backend", name));
    JsonNode report = admin.post("rehearsals", body);
    String path = "rehearsals/" + AdminClient.part(Json.text(report, "id"));
    int told = 0;
    while (true) {
      List<JsonNode> lines = Json.items(report, "timeline");
      lines.stream().skip(told).forEach(line -> terminal.tell(line(line)));
      told = lines.size();
      if (!Json.text(report, "state").equals("running")) {
        break;
      }
      terminal.pause();
      report = admin.get(path);
    }
    if (json) {
      terminal.say(report.toString());
    } else {
      print(report, terminal);
    }
    return Json.text(report, "state").equals("done") ? ExitCode.DONE : ExitCode.FAILED;
  }

  private static String line(JsonNode line) {
    return "%7s s  %-15s %s"
        .formatted(
            Json.text(line, "at"),
            Json.text(line, "what").replace('_', ' '),
            Json.text(line, "text"));
  }

  private static void print(JsonNode report, Terminal terminal) {
    boolean done = Json.text(report, "state").equals("done");
    terminal.say(
        (done ? "there and back in " : "failed after ")
            + Json.text(report, "seconds")
            + " s: "
            + Json.text(report, "engine")
            + " to "
            + Json.text(report, "backend")
            + (done ? " and back" : ": " + Json.text(report, "reason")));
    List<List<String>> times =
        Json.items(report, "times").stream()
            .map(
                one ->
                    List.of(
                        "  " + Json.text(one, "backend"),
                        Json.text(one, "step").replace('_', ' '),
                        Json.text(one, "seconds") + " s"))
            .toList();
    Words.table(times).forEach(terminal::say);
    for (JsonNode stop : Json.items(report, "stops")) {
      terminal.say(stop(stop));
    }
    JsonNode card = report.path("card");
    terminal.say(
        "the card: "
            + Words.mib(Json.number(card, "empty_mib"))
            + " free when empty; the engine holds "
            + Words.mib(Json.number(card, "engine_mib")));
    Json.items(report, "advice").forEach(text -> terminal.say("advice: " + text.asText()));
    String yaml = Json.text(report, "yaml");
    if (!yaml.isEmpty()) {
      terminal.say("set in swapgate.yaml:\n" + yaml.stripTrailing());
    } else if (done) {
      terminal.say("swapgate.yaml: nothing to change");
    }
  }

  private static String stop(JsonNode stop) {
    String code = Json.text(stop, "exit_code");
    return "stop of "
        + Json.text(stop, "container")
        + ": "
        + Json.text(stop, "seconds")
        + " s of "
        + Json.text(stop, "grace_seconds")
        + " s, "
        + (Json.flag(stop, "killed") ? "killed" : "by itself")
        + (code.isEmpty() ? "" : ", exit code " + code);
  }
}

package dev.swapgate.proxy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code jobs}: the newest jobs, one a line. */
@Command(name = "jobs", aliases = "ps", description = "List jobs, newest first.")
final class JobsCommand implements Callable<Integer> {

  private final Session session;

  @Option(names = "--json", description = "Print JSON, and nothing else, on standard output.")
  private boolean json;

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description = "Only these: queued, running, done, failed, cancelled; or several: a,b.")
  private Optional<String> state = Optional.empty();

  @Option(
      names = "--batch",
      paramLabel = "BATCH",
      description = "Only those of this batch, in the order of their acceptance.")
  private Optional<String> batch = Optional.empty();

  JobsCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    List<String> query = new ArrayList<>();
    state.ifPresent(word -> query.add("state=" + AdminClient.part(word)));
    batch.ifPresent(name -> query.add("batch=" + AdminClient.part(name)));
    JsonNode answer =
        session.admin().get("jobs" + (query.isEmpty() ? "" : "?" + String.join("&", query)));
    Terminal terminal = session.terminal();
    if (json) {
      terminal.say(answer.toString());
      return ExitCode.DONE;
    }
    List<JsonNode> jobs = Json.items(answer, "jobs");
    if (jobs.isEmpty()) {
      terminal.say("no jobs");
      return ExitCode.DONE;
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of(
            "ID", "STATE", "BACKEND", "PRIORITY", "TRIES", "CREATED", "ENDED", "FILES", "ERROR"));
    jobs.forEach(job -> rows.add(row(job)));
    Words.table(rows).forEach(terminal::say);
    return ExitCode.DONE;
  }

  private static List<String> row(JsonNode job) {
    String error = Json.text(job, "error").lines().findFirst().orElse("");
    return List.of(
        Json.text(job, "id"),
        Json.text(job, "state"),
        Json.text(job, "backend"),
        Json.text(job, "priority"),
        Json.text(job, "attempts"),
        Words.moment(Json.text(job, "created")),
        Words.moment(Json.text(job, "ended")),
        String.valueOf(Json.names(job, "files").size()),
        error.length() > 60 ? error.substring(0, 59) + "…" : error);
  }
}

package dev.swapgate.proxy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code job}: one job, field by field. */
@Command(name = "job", description = "Show one job.")
final class JobCommand implements Callable<Integer> {

  private final Session session;

  @Parameters(paramLabel = "ID", description = "The job.")
  private String id = "";

  @Option(names = "--json", description = "Print JSON, and nothing else, on standard output.")
  private boolean json;

  JobCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    JsonNode job = session.admin().get("jobs/" + AdminClient.part(id));
    Terminal terminal = session.terminal();
    if (json) {
      terminal.say(job.toString());
      return ExitCode.DONE;
    }
    List<List<String>> rows = new ArrayList<>();
    for (String field : List.of("id", "state", "backend", "priority", "attempts")) {
      rows.add(List.of(field, Json.text(job, field)));
    }
    for (String field : List.of("created", "started", "ended")) {
      rows.add(List.of(field, Words.moment(Json.text(job, field))));
    }
    for (String field : List.of("batch", "when", "window")) {
      if (!Json.text(job, field).isEmpty()) {
        rows.add(List.of(field, Json.text(job, field)));
      }
    }
    if (job.path("progress").isNumber()) {
      rows.add(List.of("progress", Math.round(job.path("progress").asDouble() * 100) + " %"));
    }
    if (!Json.text(job, "error").isEmpty()) {
      rows.add(List.of("error", Json.text(job, "error")));
    }
    Json.names(job, "files").forEach(name -> rows.add(List.of("file", name)));
    Words.table(rows).forEach(terminal::say);
    return ExitCode.DONE;
  }
}

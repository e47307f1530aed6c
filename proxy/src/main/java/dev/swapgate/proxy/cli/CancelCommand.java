package dev.swapgate.proxy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cancel}: a job that has not ended. */
@Command(name = "cancel", description = "Cancel a job, or what is left of a batch.")
final class CancelCommand implements Callable<Integer> {

  private final Session session;

  @Parameters(paramLabel = "ID", description = "The job, or the batch.")
  private String id = "";

  @Option(names = "--json", description = "Print JSON, and nothing else, on standard output.")
  private boolean json;

  CancelCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    return Batch.isName(id) ? all() : one();
  }

  private Integer all() {
    AdminClient admin = session.admin();
    List<JsonNode> open =
        Batch.look(admin, id).stream().filter(job -> !JobWatch.isOver(job)).toList();
    // The last one first, so that none of them begins because one before it went.
    for (JsonNode job : open.reversed()) {
      cancelled(admin, Json.text(job, "id"));
    }
    session
        .terminal()
        .say(
            json
                ? admin.get("jobs?batch=" + AdminClient.part(id)).toString()
                : "batch " + id + ": " + open.size() + " jobs cancelled");
    return ExitCode.DONE;
  }

  /** One that ended meanwhile is as good as cancelled. */
  private static void cancelled(AdminClient admin, String job) {
    try {
      admin.delete("jobs/" + AdminClient.part(job));
    } catch (CliException e) {
      if (e.exitCode() == ExitCode.NOT_REACHABLE
          || !JobWatch.isOver(admin.get("jobs/" + AdminClient.part(job)))) {
        throw e;
      }
    }
  }

  private Integer one() {
    JsonNode job = session.admin().delete("jobs/" + AdminClient.part(id));
    String state = Json.text(job, "state");
    session
        .terminal()
        .say(
            json
                ? job.toString()
                : "job "
                    + id
                    + (state.equals("cancelled") ? " is cancelled" : " will be cancelled"));
    return ExitCode.DONE;
  }
}

package dev.swapgate.proxy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cancel}: a job that has not ended. */
@Command(name = "cancel", description = "Cancel a job.")
final class CancelCommand implements Callable<Integer> {

  private final Session session;

  @Parameters(paramLabel = "ID", description = "The job.")
  private String id = "";

  @Option(names = "--json", description = "Print JSON, and nothing else, on standard output.")
  private boolean json;

  CancelCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
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

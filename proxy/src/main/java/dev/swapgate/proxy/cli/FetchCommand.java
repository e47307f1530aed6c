package dev.swapgate.proxy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code fetch}: what a job made. */
@Command(name = "fetch", description = "Save a job's files; nothing is overwritten.")
final class FetchCommand implements Callable<Integer> {

  private final Session session;

  @Parameters(paramLabel = "ID", description = "The job.")
  private String id = "";

  @Option(names = "--out", paramLabel = "DIR", description = "Where to (default: here).")
  private Path out = Path.of(".");

  FetchCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    Terminal terminal = session.terminal();
    AdminClient admin = session.admin();
    JsonNode job = admin.get("jobs/" + AdminClient.part(id));
    String state = Json.text(job, "state");
    if (!state.equals("done")) {
      boolean ended = state.equals("failed") || state.equals("cancelled");
      throw new CliException(
          ended ? ExitCode.FAILED : ExitCode.REFUSED,
          "job "
              + id
              + (ended
                  ? " " + state + " and has no files"
                  : " is " + state + "; swapgate wait " + id));
    }
    Path folder = terminal.folder().resolve(out).normalize();
    new Downloads(admin).save(job, folder).forEach(path -> terminal.say(path.toString()));
    return ExitCode.DONE;
  }
}

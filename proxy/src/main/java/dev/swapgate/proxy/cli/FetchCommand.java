package dev.swapgate.proxy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code fetch}: what a job or batch made. */
@Command(name = "fetch", description = "Save the files of a job or batch; nothing is overwritten.")
final class FetchCommand implements Callable<Integer> {

  private final Session session;

  @Parameters(paramLabel = "ID", description = "The job, or the batch.")
  private String id = "";

  @Option(names = "--out", paramLabel = "DIR", description = "Where to (default: here).")
  private Path out = Path.of(".");

  FetchCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    AdminClient admin = session.admin();
    return Batch.isName(id) ? all(admin) : one(admin);
  }

  /** What is done of a batch; what is not is told, and decides the exit code. */
  private Integer all(AdminClient admin) {
    Terminal terminal = session.terminal();
    Path folder = terminal.folder().resolve(out).normalize();
    int worst = ExitCode.DONE;
    for (JsonNode job : Batch.look(admin, id)) {
      if (Json.text(job, "state").equals("done")) {
        new Downloads(admin).save(job, folder).forEach(path -> terminal.say(path.toString()));
      } else {
        terminal.tell("job " + Json.text(job, "id") + " is " + Json.text(job, "state"));
        worst = Math.max(worst, JobWatch.isOver(job) ? ExitCode.FAILED : ExitCode.REFUSED);
      }
    }
    return worst;
  }

  private Integer one(AdminClient admin) {
    Terminal terminal = session.terminal();
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

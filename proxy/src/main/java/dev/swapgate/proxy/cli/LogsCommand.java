package dev.swapgate.proxy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code logs}: what happened to a job, oldest first. */
@Command(name = "logs", description = "Show what happened to a job.")
final class LogsCommand implements Callable<Integer> {

  private final Session session;

  @Parameters(paramLabel = "ID", description = "The job.")
  private String id = "";

  @Option(names = "--json", description = "Print JSON, and nothing else, on standard output.")
  private boolean json;

  LogsCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    JsonNode log = session.admin().get("jobs/" + AdminClient.part(id) + "/log");
    Terminal terminal = session.terminal();
    if (json) {
      terminal.say(log.toString());
    } else {
      HistoryCommand.lines(Json.items(log, "lines")).forEach(terminal::say);
    }
    return ExitCode.DONE;
  }
}

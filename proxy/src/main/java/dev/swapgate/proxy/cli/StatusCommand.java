package dev.swapgate.proxy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code status}: how things stand, on one page. */
@Command(name = "status", description = "Show how things stand.")
final class StatusCommand implements Callable<Integer> {

  private final Session session;

  @Option(names = "--json", description = "Print JSON, and nothing else, on standard output.")
  private boolean json;

  StatusCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    AdminClient admin = session.admin();
    JsonNode status = admin.get("status");
    if (json) {
      session.terminal().say(status.toString());
    } else {
      StatusPage.lines(status).forEach(session.terminal()::say);
    }
    return ExitCode.DONE;
  }
}

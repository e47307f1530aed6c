package dev.swapgate.proxy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code maintenance}: hands off, or on again. */
@Command(name = "maintenance", description = "Leave all containers alone, or take over again.")
final class MaintenanceCommand implements Callable<Integer> {

  private final Session session;

  @Parameters(paramLabel = "on|off", description = "on: swapgate starts and stops nothing.")
  private Switch state = Switch.ON;

  @Option(names = "--json", description = "Print JSON, and nothing else, on standard output.")
  private boolean json;

  MaintenanceCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    boolean on = state == Switch.ON;
    JsonNode status = session.admin().post("maintenance", Json.object().put("on", on));
    session
        .terminal()
        .say(
            json
                ? status.toString()
                : on
                    ? "maintenance is on: swapgate starts and stops nothing"
                    : "maintenance is off: swapgate decides again");
    return ExitCode.DONE;
  }

  /** What can be said. */
  enum Switch {
    ON,
    OFF
  }
}

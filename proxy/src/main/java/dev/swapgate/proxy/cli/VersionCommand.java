package dev.swapgate.proxy.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code version}: of this program, and of the swapgate that runs. */
@Command(name = "version", description = "Show the version.")
final class VersionCommand implements Callable<Integer> {

  private final Session session;

  @Option(names = "--json", description = "Print JSON, and nothing else, on standard output.")
  private boolean json;

  VersionCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    String mine = Version.ofThisProgram();
    Optional<String> running = running();
    Terminal terminal = session.terminal();
    if (json) {
      ObjectNode answer = Json.object().put("version", mine);
      running.ifPresent(version -> answer.put("running", version));
      terminal.say(answer.toString());
    } else {
      terminal.say("swapgate " + mine);
      running.ifPresent(version -> terminal.say("running: swapgate " + version));
    }
    return ExitCode.DONE;
  }

  /** Empty when none runs, or none that would tell: that is no error here. */
  private Optional<String> running() {
    try {
      return Optional.of(Json.text(session.admin().get("version"), "version"));
    } catch (CliException e) {
      return Optional.empty();
    }
  }
}

package dev.swapgate.proxy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.swapgate.proxy.app.LocalCheck;
import dev.swapgate.proxy.app.StartException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code check}: what would go wrong, and what mends it. */
@Command(
    name = "check",
    description = "Look for what would make a swap fail, whether swapgate runs or not.")
final class CheckCommand implements Callable<Integer> {

  private final Session session;

  @Option(names = "--json", description = "Print JSON, and nothing else, on standard output.")
  private boolean json;

  CheckCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    JsonNode answer = answer();
    Terminal terminal = session.terminal();
    List<JsonNode> findings = Json.items(answer, "findings");
    boolean severe =
        findings.stream().anyMatch(finding -> Json.text(finding, "severity").equals("problem"));
    if (json) {
      terminal.say(answer.toString());
    } else if (findings.isEmpty()) {
      terminal.say("nothing found: a swap can go there and back");
    } else {
      findings.forEach(finding -> print(finding, terminal));
    }
    return severe ? ExitCode.FAILED : ExitCode.DONE;
  }

  /** A swapgate that does not run yet cannot be asked: then it is looked from here. */
  private JsonNode answer() {
    try {
      return session.admin().get("check");
    } catch (CliException e) {
      if (e.exitCode() != ExitCode.NOT_REACHABLE || session.namesAdmin()) {
        throw e;
      }
      Path file = session.configFile().orElseThrow(() -> e);
      session.terminal().tell("swapgate does not run; looked without it, by " + file);
      try {
        return Json.of(Map.of("findings", LocalCheck.findings(session.loader().load(file))));
      } catch (StartException notUsable) {
        throw new CliException(
            notUsable.exitCode(), String.valueOf(notUsable.getMessage()), notUsable);
      }
    }
  }

  private static void print(JsonNode finding, Terminal terminal) {
    String backend = Json.text(finding, "backend");
    terminal.say(
        Json.text(finding, "severity")
            + (backend.isEmpty() ? "" : " " + backend)
            + ": "
            + Json.text(finding, "what"));
    field(finding, "why", terminal);
    field(finding, "mend", terminal);
  }

  private static void field(JsonNode finding, String name, Terminal terminal) {
    String text = Json.text(finding, name);
    if (!text.isEmpty()) {
      terminal.say("  " + name + ": " + text);
    }
  }
}

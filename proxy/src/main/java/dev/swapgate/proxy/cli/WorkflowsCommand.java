package dev.swapgate.proxy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code workflows}: what can be submitted by name. */
@Command(
    name = "workflows",
    description = "List the workflows that can be submitted by name, with their inputs.")
final class WorkflowsCommand implements Callable<Integer> {

  private final Session session;

  @Option(names = "--json", description = "Print JSON, and nothing else, on standard output.")
  private boolean json;

  WorkflowsCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    JsonNode answer = session.admin().get("workflows");
    Terminal terminal = session.terminal();
    List<JsonNode> workflows = Json.items(answer, "workflows");
    if (json) {
      terminal.say(answer.toString());
    } else if (workflows.isEmpty()) {
      terminal.say("no workflows; name them under workflows in swapgate.yaml");
    } else {
      workflows.forEach(one -> terminal.say(SubmitNames.line(one)));
    }
    return ExitCode.DONE;
  }
}

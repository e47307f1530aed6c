package dev.swapgate.proxy.cli;

import dev.swapgate.proxy.mcp.AgentServer;
import dev.swapgate.proxy.mcp.WorkbenchException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code mcp}: serves an agent on standard input and output. */
@Command(
    name = "mcp",
    description = {
      "Serve an agent by the Model Context Protocol, on standard input and output:",
      "make_image, make_music, job_status, gpu_status. For the agent's configuration, not to be"
          + " typed."
    })
final class McpCommand implements Callable<Integer> {

  private final Session session;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where files are saved, a folder for each job (default: ~/swapgate).")
  private Optional<Path> out = Optional.empty();

  McpCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    Terminal terminal = session.terminal();
    Path folder =
        out.map(terminal.folder()::resolve)
            .orElseGet(() -> Path.of(terminal.environment().getOrDefault("HOME", "."), "swapgate"));
    try {
      AgentServer.serve(
          new AgentWorkbench(session, folder),
          Version.ofThisProgram(),
          terminal.in(),
          new LineOutput(terminal.out()));
    } catch (WorkbenchException unreachable) {
      // Of tools it knows nothing yet: whoever started it is told why.
      throw unreachable.getCause() instanceof CliException told
          ? told
          : new CliException(ExitCode.REFUSED, String.valueOf(unreachable.getMessage()));
    }
    return ExitCode.DONE;
  }
}

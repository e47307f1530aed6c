package dev.swapgate.proxy.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code completion}: what lets a shell complete commands and options. */
@Command(
    name = "completion",
    description = "Print the completion for bash and zsh: source <(swapgate completion).")
final class CompletionCommand implements Callable<Integer> {

  private final Session session;

  @Spec private CommandSpec spec = CommandSpec.create();

  CompletionCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    AutoComplete.bash("swapgate", spec.parent().commandLine())
        .lines()
        .forEach(session.terminal()::say);
    return ExitCode.DONE;
  }
}

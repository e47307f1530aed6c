package dev.swapgate.proxy.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code demo}: the launcher runs the script; from the bare jar this says where it is. */
@Command(name = "demo", description = "Show a swap on a pretend card, without a GPU.")
final class DemoCommand implements Callable<Integer> {

  private final Session session;

  DemoCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    session.terminal().say("The demo is a script beside the sources: run scripts/demo");
    return ExitCode.DONE;
  }
}

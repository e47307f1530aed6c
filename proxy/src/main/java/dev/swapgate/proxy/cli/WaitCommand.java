package dev.swapgate.proxy.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code wait}: until a job or batch that was submitted earlier is through. */
@Command(name = "wait", description = "Wait for a job or a batch.")
final class WaitCommand implements Callable<Integer> {

  private final Session session;

  @Parameters(paramLabel = "ID", description = "The job, or the batch.")
  private String id = "";

  @Option(names = "--chat", description = "Wait until chat is open again, too.")
  private boolean chat;

  @Mixin private final FollowOptions follow = new FollowOptions();

  WaitCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    follow.check();
    return follow.follow(
        session, session.admin(), id, chat ? JobWatch.Until.CHAT : JobWatch.Until.DONE);
  }
}

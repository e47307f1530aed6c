package dev.swapgate.gate.sim;

import dev.swapgate.gate.core.Command;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobAnswer;
import java.util.List;

/**
 * Containers that are themselves a job: what lies ready for their next run, and what the daemon
 * tells of their last one.
 */
final class SimExits {
  private final SimWorld world;

  SimExits(SimWorld world) {
    this.world = world;
  }

  /** It runs now, by whomever: for the request that lies ready, or in vain. */
  void began(SimContainer container) {
    int run = container.run;
    if (container.staged.isEmpty() || container.stagedAfter + 1 != run) {
      world.after(200, () -> world.card.exit(container, run, 2));
      return;
    }
    boolean errors = world.strikes(Fault.JOB_ERRORS);
    if (!world.strikes(Fault.JOB_HANGS)) {
      // Some are over before anybody has looked.
      boolean brief = world.random.nextInt(4) == 0;
      long takes = world.random.nextLong(5, brief ? 50 : 120_000 / world.pace);
      world.after(takes, () -> world.card.exit(container, run, errors ? 3 : 0));
    }
  }

  void ask(Command.Ask ask, SimContainer container, String ticket) {
    if (ask.question() == Command.Question.SUBMIT) {
      world.servers.sent(ask.job().id());
    }
    boolean lost = world.strikes(Fault.SERVER_SILENT);
    long to = world.life;
    world.after(
        world.random.nextLong(1, 100),
        () -> {
          JobAnswer answer =
              world.daemon.isDown()
                  ? new JobAnswer.Unanswered("no daemon")
                  : answer(ask, container, ticket);
          if (world.life == to) {
            world.handle(
                SimServers.answered(ask, lost ? new JobAnswer.Unanswered("timed out") : answer));
          }
        });
  }

  private JobAnswer answer(Command.Ask ask, SimContainer container, String ticket) {
    return switch (ask.question()) {
      case SUBMIT -> {
        if (container.running) {
          yield new JobAnswer.Unanswered("its container runs");
        }
        container.staged = ticket;
        container.stagedAfter = container.run;
        yield new JobAnswer.Accepted(new Job.Ticket(ticket), "");
      }
      case FOLLOW -> state(container, ticket);
      case CANCEL -> {
        if (!container.staged.equals(ticket) || !container.running) {
          container.staged = "";
          yield new JobAnswer.Interrupted();
        }
        yield state(container, ticket);
      }
      case COLLECT -> collect(ask, container, ticket);
    };
  }

  private static JobAnswer state(SimContainer container, String ticket) {
    if (!container.staged.equals(ticket)) {
      return new JobAnswer.NeverCame();
    }
    if (container.run == container.stagedAfter) {
      return new JobAnswer.Waiting();
    }
    if (container.running) {
      return new JobAnswer.Working(Double.NaN);
    }
    return switch (container.exitCode) {
      case 0 -> new JobAnswer.Finished();
      case 137 -> new JobAnswer.NotKnown();
      default -> new JobAnswer.Errored("exit code " + container.exitCode);
    };
  }

  private JobAnswer collect(Command.Ask ask, SimContainer container, String ticket) {
    if (!container.staged.equals(ticket)) {
      return new JobAnswer.Uncollectable("another request lies there");
    }
    if (world.store.isDown()) {
      return new JobAnswer.Unwritable("disk full");
    }
    world.disk.files.add(ask.job().id());
    return new JobAnswer.Collected(List.of("a.png"));
  }
}

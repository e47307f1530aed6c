package dev.swapgate.gate.sim;

import dev.swapgate.gate.core.Command;
import dev.swapgate.gate.core.Event;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobAnswer;
import dev.swapgate.gate.core.ProbeResult;
import java.util.List;

/** The servers in the containers: whether they are ready, and what media servers know of jobs. */
final class SimServers {
  private final SimWorld world;
  private final SimExits exits;

  SimServers(SimWorld world) {
    this.world = world;
    this.exits = new SimExits(world);
  }

  /** A container that is itself a job runs now. */
  void began(SimContainer container) {
    exits.began(container);
  }

  void probe(Command.Probe probe) {
    SimContainer container = world.containers.get(probe.backend());
    boolean passes = container.isReady(world.now) && !world.strikes(Fault.PROBE_FLAPS);
    world.post(
        world.random.nextLong(1, 50),
        new Event.Probed(
            probe.ask(),
            probe.backend(),
            passes ? new ProbeResult.Passed() : new ProbeResult.NotReady("refused")));
  }

  void ask(Command.Ask ask) {
    SimContainer server = world.containers.get(ask.job().backend());
    if (ask.job().ticket().isEmpty()) {
      throw world.fail("the server is asked about " + ask.job() + ", which has no ticket");
    }
    String ticket = ask.job().ticket().get().value();
    if (server.runsToExit) {
      exits.ask(ask, server, ticket);
      return;
    }
    if (!server.isReady(world.now)) {
      world.post(world.random.nextLong(1, 200), answered(ask, new JobAnswer.Unanswered("refused")));
      return;
    }
    if (ask.question() == Command.Ask.Question.SUBMIT) {
      sent(ask.job().id());
    }
    int run = server.run;
    boolean lost = world.strikes(Fault.SERVER_SILENT);
    long to = world.life;
    world.after(
        world.random.nextLong(1, 100),
        () -> {
          boolean same = server.running && server.run == run && !server.paused;
          JobAnswer answer =
              same ? serve(ask, server, ticket) : new JobAnswer.Unanswered("connection reset");
          if (world.life == to) {
            world.handle(answered(ask, lost ? new JobAnswer.Unanswered("timed out") : answer));
          }
        });
  }

  static Event answered(Command.Ask ask, JobAnswer answer) {
    return new Event.Answered(ask.ask(), ask.job().id(), answer);
  }

  private JobAnswer serve(Command.Ask ask, SimContainer server, String ticket) {
    SimContainer.SimJob job = server.jobs.get(ticket);
    return switch (ask.question()) {
      case SUBMIT -> {
        submitted(ask, server, ticket);
        yield new JobAnswer.Accepted(new Job.Ticket(ticket), "");
      }
      case FOLLOW -> job == null && remembers(server) ? new JobAnswer.NeverCame() : state(job);
      case CANCEL -> {
        if (job != null && !job.hangs) {
          job.cancelled = true;
        }
        yield state(job);
      }
      case COLLECT -> collect(ask, job);
    };
  }

  /** ComfyUI knows every attempt since its start; of the others only what is under way is known. */
  private static boolean remembers(SimContainer server) {
    return server.id.value().equals("comfyui");
  }

  /** A submission is on its way. */
  void sent(Job.Id id) {
    Job.State state = world.disk.jobs.get(id).state();
    if (state.isFinal()) {
      throw world.fail("job " + id + " was submitted though it is " + state);
    }
    if (state != Job.State.RUNNING) {
      throw world.fail("job " + id + " was submitted before its attempt was written");
    }
  }

  private void submitted(Command.Ask ask, SimContainer server, String ticket) {
    for (SimContainer.SimJob other : server.jobs.values()) {
      if (world.now < other.doneAt && !other.cancelled) {
        throw world.fail(
            "job " + ask.job().id() + " was submitted while another runs on " + server.id);
      }
    }
    SimContainer.SimJob job = new SimContainer.SimJob();
    job.doneAt = world.now + world.random.nextLong(1_000, 120_000 / world.pace);
    job.errors = world.strikes(Fault.JOB_ERRORS);
    job.hangs = world.strikes(Fault.JOB_HANGS);
    if (job.hangs) {
      job.doneAt = Long.MAX_VALUE;
    }
    server.jobs.put(ticket, job);
  }

  private JobAnswer state(SimContainer.SimJob job) {
    if (job == null) {
      return new JobAnswer.NotKnown();
    }
    if (job.cancelled) {
      return new JobAnswer.Interrupted();
    }
    if (world.now < job.doneAt) {
      return new JobAnswer.Working(job.hangs ? 0.5 : Double.NaN);
    }
    return job.errors ? new JobAnswer.Errored("node 4 failed") : new JobAnswer.Finished();
  }

  private JobAnswer collect(Command.Ask ask, SimContainer.SimJob job) {
    if (job == null) {
      return new JobAnswer.NotKnown();
    }
    if (world.store.isDown()) {
      return new JobAnswer.Unwritable("disk full");
    }
    world.disk.files.add(ask.job().id());
    return new JobAnswer.Collected(List.of("a.png"));
  }
}

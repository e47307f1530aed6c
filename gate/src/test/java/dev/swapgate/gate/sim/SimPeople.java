package dev.swapgate.gate.sim;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.Command;
import dev.swapgate.gate.core.Event;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** People: they wish things of swapgate, and they meddle with its containers and its clock. */
final class SimPeople {
  private final SimWorld world;
  private final Map<Long, Job.Id> cancels = new HashMap<>();
  private long requests;
  private int jobNumber;

  SimPeople(SimWorld world) {
    this.world = world;
  }

  /** The process died or begins anew: nobody waits for an answer any more. */
  void forget() {
    cancels.clear();
  }

  void submit(Backend.Id media) {
    Job.Id id = new Job.Id("j" + ++jobNumber);
    Job job =
        new Job(
            id,
            media,
            "s",
            Job.State.QUEUED,
            0,
            Optional.empty(),
            world.wall(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            "",
            List.of());
    world.handle(
        new Event.Wish.Submit(++requests, job, new JobRequest("{}", Map.of(), List.of()), ""));
  }

  void cancelOne() {
    List<Job.Id> open = new ArrayList<>();
    world.disk.jobs.values().stream()
        .filter(job -> !job.state().isFinal() && world.acknowledged.containsKey(job.id()))
        .forEach(job -> open.add(job.id()));
    if (open.isEmpty() || world.loop == null) {
      return;
    }
    Job.Id id = open.get(world.random.nextInt(open.size()));
    cancels.put(++requests, id);
    world.handle(new Event.Wish.Cancel(requests, id));
  }

  long nextRequest() {
    return ++requests;
  }

  void reply(Command.Reply reply) {
    if (reply.answer() instanceof Command.Answer.Accepted accepted) {
      world.acknowledged.putIfAbsent(accepted.job().id(), accepted.job().state());
    }
    Job.Id cancelled = cancels.remove(reply.request());
    if (cancelled != null && reply.answer() instanceof Command.Answer.Changed) {
      world.acknowledged.put(cancelled, Job.State.CANCELLED);
    }
  }

  /** Somebody does something to a container. */
  void hand() {
    world.faultCount++;
    List<SimContainer> all = new ArrayList<>(world.containers.values());
    SimContainer one = all.get(world.random.nextInt(all.size()));
    int deed = world.random.nextInt(7);
    world.trace("HAND " + deed + " on " + one.id);
    switch (deed) {
      case 0, 1 -> {
        if (one.exists && !one.running) {
          world.card.started(one, false);
          world.post(1, new Event.Hinted(Optional.of(one.id), false));
        }
      }
      case 2 -> {
        if (one.running) {
          world.post(0, new Event.Hinted(Optional.of(one.id), true));
          int run = one.run;
          world.after(world.random.nextLong(50, 3_000), () -> world.card.exit(one, run, 143));
        }
      }
      case 3 -> {
        if (one.running) {
          world.post(0, new Event.Hinted(Optional.of(one.id), true));
          world.card.ended(one, 137);
        }
      }
      case 4 -> one.paused = one.running;
      case 5 -> {
        if (!one.running && one.exists) {
          one.exists = false;
          int number = world.random.nextInt(1_000_000);
          world.after(
              world.random.nextLong(500, 90_000),
              () -> {
                one.exists = true;
                one.everStarted = false;
                one.containerId = "c-" + one.id + "-" + number;
              });
        }
      }
      default -> {
        for (SimContainer each : all) {
          if (each.exists && !each.running) {
            world.card.started(each, false);
          }
        }
        world.post(1, new Event.Hinted(Optional.empty(), false));
      }
    }
  }
}

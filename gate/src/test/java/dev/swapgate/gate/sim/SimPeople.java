package dev.swapgate.gate.sim;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.Command;
import dev.swapgate.gate.core.Event;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobRequest;
import dev.swapgate.gate.core.Phase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** People: they wish things of swapgate and wait for its answers. */
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

  /** Somebody sees that maintenance is on, perhaps since a stop by hand, and ends it. */
  void endMaintenance() {
    if (world.loop.view().phase() == Phase.MAINTENANCE) {
      world.handle(new Event.Wish.Maintain(++requests, false));
    }
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
}

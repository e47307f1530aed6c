package dev.swapgate.gate.sim;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.Command;
import dev.swapgate.gate.core.Event;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobRequest;
import dev.swapgate.gate.core.JobTerms;
import dev.swapgate.gate.core.NewJob;
import dev.swapgate.gate.core.Phase;
import dev.swapgate.gate.core.Priority;
import dev.swapgate.gate.core.TimeWindow;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

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

  /** One job, or now and then a batch, on whatever terms. */
  void submitSome(Backend.Id media) {
    int count = jobNumber % 5 == 3 ? 3 : 1;
    JobTerms terms = terms();
    submit(media, count, count == 1 ? terms : terms.inBatch(new Job.Id("b-" + jobNumber)));
  }

  /** Follows from what came before, so that it takes nothing of the seed's luck. */
  private JobTerms terms() {
    return switch ((int) ((world.now + 7L * jobNumber) % 12)) {
      case 0, 1, 2 -> JobTerms.PLAIN.withPriority(Priority.HIGH);
      case 3 -> JobTerms.PLAIN.withPriority(Priority.LOW);
      case 4 -> JobTerms.PLAIN.whenIdle();
      case 5 -> {
        // All day but for a few minutes, of which one or two are still to come.
        LocalTime from =
            world.wall().plusSeconds(90).atZone(ZoneOffset.UTC).toLocalTime().withNano(0);
        yield JobTerms.PLAIN.within(new TimeWindow(from, from.minusMinutes(10), ZoneOffset.UTC));
      }
      default -> JobTerms.PLAIN;
    };
  }

  void submit(Backend.Id media) {
    submit(media, 1, JobTerms.PLAIN);
  }

  private void submit(Backend.Id media, int count, JobTerms terms) {
    JobRequest request = new JobRequest("{}", Map.of(), List.of());
    List<NewJob> jobs =
        Stream.generate(() -> new NewJob(job(media).on(terms), request)).limit(count).toList();
    world.handle(new Event.Wish.Submit(++requests, jobs, ""));
  }

  private Job job(Backend.Id media) {
    Job.Id id = new Job.Id("j" + ++jobNumber);
    return new Job(
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
    world.leases.reply(reply);
    if (reply.answer() instanceof Command.Answer.Accepted accepted) {
      accepted
          .places()
          .forEach(one -> world.acknowledged.putIfAbsent(one.job().id(), one.job().state()));
    }
    Job.Id cancelled = cancels.remove(reply.request());
    if (cancelled != null && reply.answer() instanceof Command.Answer.Changed) {
      world.acknowledged.put(cancelled, Job.State.CANCELLED);
    }
  }
}

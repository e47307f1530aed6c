package dev.swapgate.gate.runtime;

import static java.util.stream.Collectors.toSet;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.Box;
import dev.swapgate.gate.core.Command;
import dev.swapgate.gate.core.Command.Answer;
import dev.swapgate.gate.core.Engine;
import dev.swapgate.gate.core.Event;
import dev.swapgate.gate.core.GateEvent.Level;
import dev.swapgate.gate.core.HandRules;
import dev.swapgate.gate.core.HandRules.Finding;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.NewJob;
import dev.swapgate.gate.core.Now;
import dev.swapgate.gate.core.OwnerPolicy;
import dev.swapgate.gate.core.Restores;
import dev.swapgate.gate.core.RetryAfterEstimator;
import dev.swapgate.gate.core.Situation;
import dev.swapgate.gate.core.TimeWindow;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What people want, asked for or done by hand. Not thread-safe; belongs to the loop. */
final class WishDesk {

  private final Situation s;
  private final Outbox outbox;
  private final JobDesk desk;
  private final LeaseDesk leases;
  private final Map<Long, Integer> accepting = new HashMap<>();

  WishDesk(Situation s, Outbox outbox, JobDesk desk, LeaseDesk leases) {
    this.s = s;
    this.outbox = outbox;
    this.desk = desk;
    this.leases = leases;
  }

  /** Jobs whose backend is no longer configured can never run. */
  void dropUnknown(Now now) {
    s.jobs()
        .run()
        .filter(run -> s.box().media(run.job().backend()).isEmpty())
        .ifPresent(run -> s.jobs().run(Optional.empty()));
    for (Job job : s.jobs().queued()) {
      if (s.box().media(job.backend()).isEmpty()) {
        desk.failQueued(
            job.backend(), "no media backend is named " + job.backend() + " any more", now);
      }
    }
  }

  void wish(Event.Wish wish, Now now) {
    Optional<Answer> answer =
        switch (wish) {
          case Event.Wish.Submit submit -> submit(submit);
          case Event.Wish.Cancel cancel -> desk.cancel(cancel.request(), cancel.job(), now);
          case Event.Wish.Select select -> Optional.of(select(select.engine(), now));
          case Event.Wish.TakeLease take -> Optional.of(leases.take(take, now));
          case Event.Wish.Beat beat -> Optional.of(leases.beat(beat, now));
          case Event.Wish.Release release -> Optional.of(leases.release(release.lease(), now));
          case Event.Wish.Maintain maintain -> Optional.of(maintain(maintain.on(), now));
          case Event.Wish.Reconfigure change -> Optional.of(reconfigure(change, now));
        };
    answer.ifPresent(one -> outbox.add(new Command.Reply(wish.request(), one)));
  }

  private Optional<Answer> submit(Event.Wish.Submit submit) {
    for (NewJob one : submit.jobs()) {
      if (s.box().media(one.job().backend()).isEmpty()) {
        return refuse(Answer.Kind.NOT_FOUND, "no media backend is named " + one.job().backend());
      }
    }
    int limit = s.box().policy().queue();
    int count = submit.jobs().size();
    int room = limit - s.jobs().size() - accepting.values().stream().mapToInt(n -> n).sum();
    if (count > room) {
      return refuse(Answer.Kind.FULL, full(limit, count, room));
    }
    accepting.put(submit.request(), count);
    outbox.add(new Command.Accept(submit.request(), submit.jobs(), submit.idempotencyKey()));
    return Optional.empty();
  }

  private static String full(int limit, int count, int room) {
    return count == 1 || room <= 0
        ? "the queue holds its limit of " + limit + " jobs (limits.queue)"
        : "none of the "
            + count
            + " jobs was accepted: the queue takes "
            + room
            + " more, its limit is "
            + limit
            + " (limits.queue)";
  }

  /** The jobs are on disk, or could not be written. */
  void accepted(Event.Accepted accepted, Now now) {
    accepting.remove(accepted.request());
    if (accepted.jobs().isEmpty()) {
      outbox.add(
          new Command.Reply(
              accepted.request(),
              new Answer.Refused(
                  Answer.Kind.STORAGE,
                  "the job could not be written to state_dir: " + accepted.error())));
      return;
    }
    s.storeWritable(true);
    for (Job job : accepted.jobs()) {
      boolean isNew = s.jobs().job(job.id()).isEmpty() && !job.state().isFinal();
      if (isNew) {
        s.jobs().add(job);
        outbox.tell(Level.INFO, "job " + job.id() + " is queued", job, now);
      }
    }
    List<Answer.Place> places = places(accepted.jobs(), now);
    outbox.add(new Command.Reply(accepted.request(), new Answer.Accepted(places)));
  }

  /** In one pass over the queue, for there may be many of both. */
  private List<Answer.Place> places(List<Job> jobs, Now now) {
    RetryAfterEstimator estimator = s.estimator();
    Duration first =
        s.jobs()
            .run()
            .map(run -> estimator.run(run.job()))
            .orElse(Duration.ZERO)
            .plus(chatLeft(now));
    Set<Job.Id> asked = jobs.stream().map(Job::id).collect(toSet());
    Map<Job.Id, Answer.Place> waiting = new HashMap<>();
    Duration startsIn = first;
    int position = 1;
    for (Job job : s.jobs().queued()) {
      if (asked.contains(job.id())) {
        waiting.put(job.id(), place(job, position, startsIn, now));
      }
      startsIn = startsIn.plus(estimator.run(job));
      position++;
    }
    return jobs.stream()
        .map(
            job ->
                Optional.ofNullable(waiting.get(job.id()))
                    .orElseGet(() -> place(s.jobs().job(job.id()).orElse(job), 1, first, now)))
        .toList();
  }

  private Answer.Place place(Job job, int position, Duration startsIn, Now now) {
    Duration outage = s.estimator().wholeSwap(job, OwnerPolicy.engine(s, now));
    return new Answer.Place(job, position, inTime(job, startsIn, outage, now), outage);
  }

  /** What chat may still be served before the card goes to a job. */
  private Duration chatLeft(Now now) {
    if (s.openFor().isEmpty()) {
      return Duration.ZERO;
    }
    Duration served = now.steady().minus(s.openSince().orElse(now.steady()));
    Duration left = s.box().policy().minChat().minus(served);
    return left.isNegative() ? Duration.ZERO : left;
  }

  /** The terms of the job may put its start off. */
  private Duration inTime(Job job, Duration startsIn, Duration takes, Now now) {
    Instant start = now.wall().plus(startsIn);
    if (job.when().filter(start::isBefore).isPresent()) {
      start = job.when().get();
    }
    Duration idle = s.idleSince().map(since -> now.steady().minus(since)).orElse(Duration.ZERO);
    Instant calm = now.wall().plus(s.box().policy().idle()).minus(idle);
    if (job.terms().idle() && start.isBefore(calm)) {
      start = calm;
    }
    Optional<TimeWindow> window = job.terms().window();
    if (window.isPresent() && !window.get().fits(start, takes)) {
      start = window.get().next(start);
    }
    return Duration.between(now.wall(), start);
  }

  private Answer select(Backend.Id engine, Now now) {
    if (s.box().engine(engine).isEmpty()) {
      return refused(Answer.Kind.NOT_FOUND, "no engine is named " + engine);
    }
    choose(engine, "it was asked for", now);
    return changed();
  }

  private void choose(Backend.Id engine, String why, Now now) {
    s.select(engine);
    s.restores().forgive(engine);
    s.handStop(Optional.empty());
    outbox.add(new Command.Remember(Memory.SELECTED, engine.value()));
    outbox.add(new Command.Remember(Memory.SELECTED_FILE, s.box().selected().value()));
    outbox.tell(Level.INFO, "engine", engine + " is selected: " + why, engine, now);
  }

  private Answer reconfigure(Event.Wish.Reconfigure change, Now now) {
    Box box = change.box();
    if (!box.hasContainersOf(s.box())) {
      return refused(
          Answer.Kind.INVALID, "backends or their containers changed, which takes a restart");
    }
    boolean selects = !box.selected().equals(s.box().selected());
    s.box(box);
    outbox.tell(Level.INFO, "config", change.what(), now);
    if (selects) {
      choose(box.selected(), "the configuration says so now", now);
    }
    return changed();
  }

  private Answer maintain(boolean on, Now now) {
    if (on) {
      hold("maintenance was asked for", false, now);
      return changed();
    }
    s.maintenance(Optional.empty());
    outbox.add(new Command.Remember(Memory.MAINTENANCE, ""));
    List<Engine> up =
        s.box().engines().stream().filter(one -> !s.sightings().isDown(one.id())).toList();
    if (up.size() == 1 && !up.getFirst().id().equals(s.selected())) {
      choose(up.getFirst().id(), "it alone ran when maintenance ended", now);
    }
    outbox.tell(Level.INFO, "phase", "maintenance is over", now);
    return changed();
  }

  private void hold(String why, boolean byHand, Now now) {
    s.maintenance(Optional.of(new Situation.Maintenance(why, byHand)));
    outbox.add(new Command.Remember(Memory.MAINTENANCE, why));
    outbox.tell(byHand ? Level.ERROR : Level.INFO, "phase", "maintenance: " + why, now);
  }

  /** What somebody did with the containers. */
  void found(Finding finding, Now now) {
    switch (finding) {
      case Finding.LeaseByHand lease -> leases.byHand(lease.media(), now);
      case Finding.WentDown down -> leases.wentDown(down.backend(), now);
      case Finding.Died died ->
          outbox.tell(
              Level.ERROR,
              "engine",
              died.engine() + " died (" + died.how() + "); it is restored at once",
              died.engine(),
              now);
      case Finding.StoppedByHand stopped -> {
        s.handStop(
            Optional.of(
                new Situation.HandStop(stopped.engine(), now.steady().plus(HandRules.LEFT_ALONE))));
        outbox.tell(
            Level.WARN,
            "engine",
            stopped.engine()
                + " was stopped by hand; it is left alone for "
                + HandRules.LEFT_ALONE.toSeconds()
                + " s, then restored",
            stopped.engine(),
            now);
      }
      case Finding.StoppedAgain again ->
          hold(
              again.engine()
                  + " was stopped by hand again within "
                  + HandRules.AGAIN.toSeconds()
                  + " s of its return; "
                  + "'swapgate maintenance off' brings it back",
              true,
              now);
      case Finding.Chosen chosen ->
          choose(chosen.engine(), "it was started by hand in place of the one stopped", now);
    }
  }

  /** Ends what was only for a time. */
  void expire(Now now) {
    leases.expire(now);
    if (s.handStop().filter(stop -> now.steady().compareTo(stop.until()) >= 0).isPresent()) {
      s.handStop(Optional.empty());
    }
    quiet(now);
  }

  /** The fallback serves and nobody is there: the selected engine gets another attempt. */
  private void quiet(Now now) {
    forgiveBatchEngine(now);
    boolean away = s.openFor().filter(id -> !id.equals(s.selected())).isPresent();
    Duration quiet = Restores.QUIET;
    Duration served = now.steady().minus(s.openSince().orElse(now.steady()));
    boolean idle =
        s.idleSince().map(at -> now.steady().minus(at).compareTo(quiet) >= 0).orElse(false);
    if (away && s.maintenance().isEmpty() && idle && served.compareTo(quiet) >= 0) {
      s.box().engine(s.selected()).ifPresent(one -> s.restores().tryAgain(one, now));
    }
  }

  /** Once media work has been quiet, a batch engine that failed gets another chance. */
  private void forgiveBatchEngine(Now now) {
    boolean quiet =
        s.openSince()
            .filter(at -> s.openFor().isPresent())
            .filter(at -> now.steady().minus(at).compareTo(s.box().policy().batchQuiet()) >= 0)
            .isPresent();
    if (quiet) {
      s.box()
          .batchEngine()
          .filter(id -> !id.equals(s.openFor().orElseThrow()) && !id.equals(s.selected()))
          .ifPresent(s.restores()::forgive);
    }
  }

  private static Answer changed() {
    return new Answer.Changed(Optional.empty(), Optional.empty());
  }

  private static Answer refused(Answer.Kind kind, String reason) {
    return new Answer.Refused(kind, reason);
  }

  private static Optional<Answer> refuse(Answer.Kind kind, String reason) {
    return Optional.of(refused(kind, reason));
  }
}

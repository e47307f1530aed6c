package dev.swapgate.gate.core;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Who should own the card now: the first rule that applies (DESIGN 3). Pure. */
public final class OwnerPolicy {

  /** How long a job whose results are on disk keeps the card for its final state to be written. */
  private static final Duration ENDING_WAIT = Duration.ofSeconds(5);

  private OwnerPolicy() {}

  public static Ownership owner(Situation s, Now now) {
    if (s.maintenance().isPresent()) {
      return new Ownership(Optional.empty(), Ownership.Why.MAINTENANCE);
    }
    Optional<Backend.Id> busy =
        s.jobs().run().filter(run -> needsServer(run, now)).map(run -> run.job().backend());
    if (busy.isPresent()) {
      return new Ownership(busy, Ownership.Why.RUNNING_JOB);
    }
    if (s.leases().stream().anyMatch(lease -> lease.backend().isEmpty())) {
      return new Ownership(Optional.empty(), Ownership.Why.LEASE);
    }
    Optional<Backend.Id> leased =
        s.leases().stream()
            .flatMap(lease -> lease.backend().stream())
            .filter(id -> !s.setAsides().isAside(id, now))
            .findFirst();
    if (leased.isPresent()) {
      return new Ownership(leased, Ownership.Why.LEASE);
    }
    List<Job> due = due(s, now);
    if (!due.isEmpty()) {
      return new Ownership(Optional.of(first(s, due).backend()), Ownership.Why.DUE_JOB);
    }
    return lingering(s, now)
        .map(id -> new Ownership(Optional.of(id), Ownership.Why.LINGER))
        .orElseGet(() -> new Ownership(Optional.of(engine(s, now).id()), Ownership.Why.ENGINE));
  }

  /** The engine that serves when no media work is to be done now. */
  public static Engine engine(Situation s, Now now) {
    return BatchEngineRule.serves(s, now)
        .orElseGet(() -> s.restores().toServe(s.box(), s.selected()));
  }

  /** Collected results wait for their final state a moment, but chat does not wait for a disk. */
  private static boolean needsServer(JobRun run, Now now) {
    return run.stage() != JobRun.Stage.ENDING
        || now.steady().minus(run.stageSince()).compareTo(ENDING_WAIT) < 0;
  }

  /**
   * The next job to run: of those due, one on the backend that has the card goes first, unless the
   * one whose turn it is has a higher priority.
   */
  static Job first(Situation s, List<Job> due) {
    Job next = due.getFirst();
    return due.stream()
        .filter(job -> !s.sightings().isDown(job.backend()))
        .findFirst()
        .filter(here -> !next.terms().priority().isAbove(here.terms().priority()))
        .orElse(next);
  }

  /** The jobs that may run now, in the order of their turns. */
  public static List<Job> due(Situation s, Now now) {
    if (!s.storeWritable() || !isTurn(s, now)) {
      return List.of();
    }
    return s.jobs().queued().stream().filter(job -> isDue(s, job, now)).toList();
  }

  /** Outside a swap chat was served long enough; inside one it has not been out too long. */
  private static boolean isTurn(Situation s, Now now) {
    Policy policy = s.box().policy();
    if (s.swap().isPresent() && s.openFor().isEmpty()) {
      if (isComingHome(s, s.swap().get(), now)) {
        return false;
      }
      Duration out = now.steady().minus(s.swap().get().since());
      return out.compareTo(policy.maxOutage()) < 0 || wouldBeInVain(s);
    }
    // Neither serving nor in a swap (boot): a visit may as well come first.
    return s.openFor().isEmpty()
        || s.openSince()
            .map(since -> now.steady().minus(since).compareTo(policy.minChat()) >= 0)
            .orElse(false);
  }

  /** An engine that was started in this swap, and is not overdue, serves first. */
  private static boolean isComingHome(Situation s, Situation.Swap swap, Now now) {
    return s.box().engines().stream().anyMatch(engine -> isComingHome(s, engine, swap, now));
  }

  private static boolean isComingHome(Situation s, Engine engine, Situation.Swap swap, Now now) {
    Optional<Sightings.Running> running = s.sightings().running(engine.id());
    boolean startedNow =
        s.attempts()
            .last(engine.id(), Note.Verb.START)
            .filter(start -> !start.sentAt().isBefore(swap.sinceAt()))
            .isPresent();
    return startedNow
        && running
            .filter(one -> !s.attempts().wasOrderedDown(engine.id(), one.run()))
            .filter(
                one ->
                    one.ready()
                        || Reconciler.loading(one, now).compareTo(engine.budgets().readiness()) < 0)
            .isPresent();
  }

  /**
   * A swap of this process that has done no job yet. On a box whose way to the first job takes
   * longer than {@code max_outage}, calling it off would make chat pay again and again for nothing.
   */
  private static boolean wouldBeInVain(Situation s) {
    return s.shutSince().isPresent() && s.lastJobEnd().isEmpty();
  }

  /** True when all it waits for is its turn. */
  static boolean isWaiting(Situation s, Job job, Now now) {
    return s.storeWritable() && isDue(s, job, now);
  }

  /**
   * True when it would run once chat is well: who keeps the card from an engine that could not be
   * brought back keeps this job waiting, too.
   */
  static boolean wantsCard(Situation s, Job job, Now now) {
    return s.storeWritable() && isReady(s, job, now);
  }

  private static boolean isDue(Situation s, Job job, Now now) {
    return isReady(s, job, now) && s.restores().degraded(s.box(), s.selected()).isEmpty();
  }

  private static boolean isReady(Situation s, Job job, Now now) {
    return isTime(s, job, now)
        && s.box().media(job.backend()).isPresent()
        && !s.setAsides().isAside(job.backend(), now)
        && preflight(s, job.backend()).isEmpty();
  }

  /** Its moment has come, nobody has chatted for a while if it asks for that, its hours last. */
  public static boolean isTime(Situation s, Job job, Now now) {
    return job.when().map(when -> !now.wall().isBefore(when)).orElse(true)
        && (!job.terms().idle() || isIdle(s, now))
        && job.terms()
            .window()
            .map(window -> window.fits(now.wall(), untilChat(s, job, now)))
            .orElse(true);
  }

  private static boolean isIdle(Situation s, Now now) {
    return s.idleSince()
        .filter(since -> now.steady().minus(since).compareTo(s.box().policy().idle()) >= 0)
        .isPresent();
  }

  /** How long it takes until chat is back when this job is the next one. */
  private static Duration untilChat(Situation s, Job job, Now now) {
    RetryAfterEstimator estimator = s.estimator();
    Engine engine = s.restores().toServe(s.box(), s.selected());
    if (s.openFor().isPresent()) {
      return estimator.wholeSwap(job, engine);
    }
    Duration home = estimator.fromHere(job, engine);
    if (s.sightings().isReady(job.backend())) {
      return home;
    }
    Duration loading =
        s.sightings()
            .running(job.backend())
            .map(running -> Reconciler.loading(running, now))
            .orElse(Duration.ZERO);
    Duration left = estimator.startToReady(job.backend()).minus(loading);
    return left.isPositive() ? home.plus(left) : home;
  }

  /** Why a visit of this backend would end badly, told before anything is stopped. */
  public static Optional<String> preflight(Situation s, Backend.Id media) {
    for (Backend.Id id : List.of(media, s.selected())) {
      Optional<ContainerSighting> seen = s.sightings().look(id).map(Sightings.Look::seen);
      if (seen.isEmpty()) {
        continue;
      }
      String container = s.box().backend(id).container();
      if (seen.get().state() == ContainerSighting.State.MISSING) {
        return Optional.of("no container is named " + container + "; create it, do not start it");
      }
      if (seen.get().autoRemove()) {
        return Optional.of(
            "container " + container + " was created with --rm and would be gone once stopped");
      }
    }
    return Optional.empty();
  }

  /** Within a swap, a ready media backend that has just done its last job. */
  private static Optional<Backend.Id> lingering(Situation s, Now now) {
    Duration linger = s.box().policy().linger();
    if (linger.isZero() || s.lastJobEnd().isEmpty()) {
      return Optional.empty();
    }
    Situation.JobEnd last = s.lastJobEnd().get();
    boolean stays =
        s.sightings().isReady(last.backend())
            && !s.isCondemned(last.backend())
            && now.steady().minus(last.at()).compareTo(linger) < 0;
    return stays ? Optional.of(last.backend()) : Optional.empty();
  }

  /** Steady time at which waiting alone may change the answer; empty when it cannot. */
  public static Optional<Duration> nextChange(Situation s, Now now) {
    Optional<Duration> next = s.leases().stream().map(Lease::overAt).min(Duration::compareTo);
    for (Job job : s.jobs().queued()) {
      Duration at = s.setAsides().until(job.backend());
      if (s.openFor().isPresent()) {
        at =
            Durations.max(at, s.openSince().orElse(Duration.ZERO).plus(s.box().policy().minChat()));
      }
      if (job.when().isPresent()) {
        Duration until = Duration.between(now.wall(), job.when().get());
        at = Durations.max(at, now.steady().plus(until));
      }
      if (job.terms().window().filter(one -> one.end(now.wall()).isEmpty()).isPresent()) {
        Instant begins = job.terms().window().get().next(now.wall());
        at = Durations.max(at, now.steady().plus(Duration.between(now.wall(), begins)));
      }
      if (job.terms().idle() && s.idleSince().isPresent()) {
        at = Durations.max(at, s.idleSince().get().plus(s.box().policy().idle()));
      }
      next = earlier(next, at);
    }
    if (s.lastJobEnd().isPresent()) {
      next = earlier(next, s.lastJobEnd().get().at().plus(s.box().policy().linger()));
    }
    Optional<Duration> quiet =
        s.openFor().filter(id -> s.box().batchEngine().equals(Optional.of(id))).isPresent()
            ? BatchEngineRule.quietAt(s)
            : Optional.empty();
    if (quiet.isPresent()) {
      next = earlier(next, quiet.get());
    }
    return next.filter(at -> at.compareTo(now.steady()) > 0);
  }

  private static Optional<Duration> earlier(Optional<Duration> a, Duration b) {
    return a.isPresent() && a.get().compareTo(b) <= 0 ? a : Optional.of(b);
  }
}

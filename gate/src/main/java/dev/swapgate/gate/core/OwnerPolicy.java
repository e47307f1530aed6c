package dev.swapgate.gate.core;

import java.time.Duration;
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
        .orElseGet(
            () ->
                new Ownership(
                    Optional.of(s.restores().toServe(s.box(), s.selected()).id()),
                    Ownership.Why.ENGINE));
  }

  /** Collected results wait for their final state a moment, but chat does not wait for a disk. */
  private static boolean needsServer(JobRun run, Now now) {
    return run.stage() != JobRun.Stage.ENDING
        || now.steady().minus(run.stageSince()).compareTo(ENDING_WAIT) < 0;
  }

  /** The next job to run: of those due, one on the backend that has the card goes first. */
  static Job first(Situation s, List<Job> due) {
    return due.stream()
        .filter(job -> !s.sightings().isDown(job.backend()))
        .findFirst()
        .orElse(due.getFirst());
  }

  /** The jobs that may run now, oldest first. */
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
      Duration out = now.steady().minus(s.swap().get().since());
      return out.compareTo(policy.maxOutage()) < 0 || wouldBeInVain(s);
    }
    // Neither serving nor in a swap (boot): a visit may as well come first.
    return s.openFor().isEmpty()
        || s.openSince()
            .map(since -> now.steady().minus(since).compareTo(policy.minChat()) >= 0)
            .orElse(false);
  }

  /**
   * A swap of this process that has done no job yet. On a box whose way to the first job takes
   * longer than {@code max_outage}, calling it off would make chat pay again and again for nothing.
   */
  private static boolean wouldBeInVain(Situation s) {
    return s.shutSince().isPresent() && s.lastJobEnd().isEmpty();
  }

  private static boolean isDue(Situation s, Job job, Now now) {
    boolean reached = job.when().map(when -> !now.wall().isBefore(when)).orElse(true);
    return reached
        && s.box().media(job.backend()).isPresent()
        && !s.setAsides().isAside(job.backend(), now)
        && s.restores().degraded(s.box(), s.selected()).isEmpty()
        && preflight(s, job.backend()).isEmpty();
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
    Optional<Duration> next = s.leases().stream().map(Lease::until).min(Duration::compareTo);
    for (Job job : s.jobs().queued()) {
      Duration at = s.setAsides().until(job.backend());
      if (s.openFor().isPresent()) {
        at = later(at, s.openSince().orElse(Duration.ZERO).plus(s.box().policy().minChat()));
      }
      if (job.when().isPresent()) {
        Duration until = Duration.between(now.wall(), job.when().get());
        at = later(at, now.steady().plus(until));
      }
      next = earlier(next, at);
    }
    if (s.lastJobEnd().isPresent()) {
      next = earlier(next, s.lastJobEnd().get().at().plus(s.box().policy().linger()));
    }
    return next.filter(at -> at.compareTo(now.steady()) > 0);
  }

  private static Duration later(Duration a, Duration b) {
    return a.compareTo(b) >= 0 ? a : b;
  }

  private static Optional<Duration> earlier(Optional<Duration> a, Duration b) {
    return a.isPresent() && a.get().compareTo(b) <= 0 ? a : Optional.of(b);
  }
}

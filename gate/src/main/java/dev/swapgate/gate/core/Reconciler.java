package dev.swapgate.gate.core;

import dev.swapgate.gate.core.Attempts.Attempt;
import dev.swapgate.gate.core.ContainerSighting.Run;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Compares who should own the card with what is seen; the first rule that applies gives the next
 * step (the table of DESIGN 3). Crash, reboot, the owner's hand and the normal swap all take this
 * one path. Pure.
 */
public final class Reconciler {

  /** Added to the grace period before a kill, and the time between two kills (DESIGN 2). */
  public static final Duration KILL_AFTER = Duration.ofSeconds(10);

  /** No command is based on a look that was answered longer ago than this. */
  public static final Duration LOOK_GOOD_FOR = Duration.ofSeconds(1);

  /** How long a name without a container is waited for; {@code compose up} recreates (DESIGN 4). */
  public static final Duration MISSING_WAIT = Duration.ofSeconds(60);

  /** How long those who were cut have to leave before the engine is stopped all the same. */
  public static final Duration CUT_WAIT = Duration.ofSeconds(2);

  private Reconciler() {}

  public static Step decide(Situation s, Ownership ownership, Now now) {
    Sightings sightings = s.sightings();
    if (sightings.isBlind()) {
      return new Step.Blind(sightings.blindReason());
    }
    if (!sightings.complete(s.box())) {
      return new Step.Look();
    }
    if (ownership.why() == Ownership.Why.MAINTENANCE) {
      return hold(s);
    }
    Optional<Attempt> underWay = s.attempts().underWay();
    if (underWay.isPresent()) {
      return new Step.Await(
          underWay.get().verb() + " of " + underWay.get().backend(), underWay.get().deadline());
    }
    for (Backend backend : s.box().backends()) {
      if (!isFresh(s, backend.id())) {
        return new Step.Look();
      }
    }
    Optional<Step> settling = Optional.empty();
    for (Backend backend : s.box().backends()) {
      Optional<Step> step = settle(s, backend, ownership, now);
      if (step.isPresent() && !(step.get() instanceof Step.Settling)) {
        return aged(s, step.get(), now);
      }
      settling = settling.or(() -> step);
    }
    for (Backend backend : s.box().backends()) {
      if (!ownership.is(backend.id()) && !sightings.isDown(backend.id())) {
        return aged(s, remove(s, backend, ownership, now), now);
      }
    }
    if (settling.isPresent()) {
      // Nothing is started while something of ours may still take effect; stops have gone on.
      return settling.get();
    }
    return ownership
        .owner()
        .map(id -> aged(s, own(s, s.box().backend(id), now), now))
        .orElseGet(Step.Rest::new);
  }

  /** Rule 0: in maintenance no command is sent, but an engine that runs may serve. */
  private static Step hold(Situation s) {
    for (Engine engine : s.box().engines()) {
      boolean loading = s.sightings().running(engine.id()).map(one -> !one.ready()).orElse(false);
      if (loading && !s.sightings().isPaused(engine.id())) {
        return new Step.Probe(engine.id());
      }
    }
    return new Step.Rest();
  }

  /** A command needs a look that is not too old. */
  private static Step aged(Situation s, Step step, Now now) {
    boolean commands =
        step instanceof Step.Stop || step instanceof Step.Kill || step instanceof Step.Start;
    boolean old =
        s.sightings()
            .lastAnswered()
            .map(at -> now.steady().minus(at).compareTo(LOOK_GOOD_FOR) > 0)
            .orElse(true);
    return commands && old ? new Step.Look() : step;
  }

  /** Only looks asked after the last command to that container ended are used. */
  private static boolean isFresh(Situation s, Backend.Id id) {
    return s.sightings()
        .look(id)
        .map(look -> look.asked().compareTo(s.attempts().lastEnd(id)) > 0)
        .orElse(false);
  }

  /** Rule 3: what was sent and is not certain, or was sent and has not worked. */
  private static Optional<Step> settle(Situation s, Backend backend, Ownership ownership, Now now) {
    Backend.Id id = backend.id();
    Attempts attempts = s.attempts();
    Optional<Run> run = s.sightings().running(id).map(Sightings.Running::run);
    boolean down = s.sightings().isDown(id);
    if (!down && run.isPresent() && attempts.wasOrderedDown(id, run.get())) {
      return Optional.of(untilDown(s, id, now));
    }
    Optional<Attempt> start = attempts.last(id, Note.Verb.START).filter(Reconciler::isOpen);
    if (start.isPresent()) {
      boolean welcome = ownership.is(id);
      return Optional.of(
          !down && !welcome
              ? new Step.Stop(id, "its start had no known end and it is not wanted now")
              : new Step.Settling("the start of " + id + ", whose end is unknown"));
    }
    // A stop or kill whose run is over, but whose end is unknown: not before its deadline.
    return attempts
        .last(id, Note.Verb.STOP)
        .filter(Reconciler::isOpen)
        .or(() -> attempts.last(id, Note.Verb.KILL).filter(Reconciler::isOpen))
        .map(order -> new Step.Settling("the stop of " + id + ", whose end is unknown"));
  }

  private static boolean isOpen(Attempt attempt) {
    return attempt.end().isPresent() && !attempt.settled();
  }

  /** One stop was sent; never a second one. Look until down; kill at grace + 10 s. */
  private static Step untilDown(Situation s, Backend.Id id, Now now) {
    Optional<Attempt> stop = s.attempts().last(id, Note.Verb.STOP);
    Optional<Attempt> kill = s.attempts().last(id, Note.Verb.KILL);
    Duration killAt =
        stop.map(one -> one.sent().plus(one.grace()).plus(KILL_AFTER)).orElse(now.steady());
    Duration again = kill.map(one -> one.sent().plus(KILL_AFTER)).orElse(Duration.ZERO);
    Duration at = killAt.compareTo(again) >= 0 ? killAt : again;
    return now.steady().compareTo(at) >= 0
        ? new Step.Kill(id, "it still runs " + KILL_AFTER.toSeconds() + " s after its grace period")
        : new Step.Await(id + " to go down", at);
  }

  /** Rule 4: a backend that is not the owner is not down. */
  private static Step remove(Situation s, Backend backend, Ownership ownership, Now now) {
    Backend.Id id = backend.id();
    if (backend instanceof Engine engine) {
      if (mayFinishLoading(s, engine, ownership, now)) {
        return new Step.Probe(id);
      }
      Optional<Step> draining = drain(s, engine, now);
      if (draining.isPresent()) {
        return draining.get();
      }
    }
    String owner = ownership.owner().map(Backend.Id::value).orElse("nobody");
    return new Step.Stop(id, owner + " is to own the card");
  }

  /** Stopping an engine in its warm-up orphans GPU workers: one that is alone gets ready first. */
  private static boolean mayFinishLoading(
      Situation s, Engine engine, Ownership ownership, Now now) {
    boolean asked = ownership.why() != Ownership.Why.DUE_JOB;
    boolean alone =
        s.box().backends().stream()
            .allMatch(one -> one.id().equals(engine.id()) || s.sightings().isDown(one.id()));
    return !asked
        && alone
        && !s.sightings().isPaused(engine.id())
        && !s.isCondemned(engine.id())
        && s.sightings()
            .running(engine.id())
            .map(
                one ->
                    !one.ready() && loading(one, now).compareTo(engine.budgets().readiness()) < 0)
            .orElse(false);
  }

  private static Optional<Step> drain(Situation s, Engine engine, Now now) {
    boolean mine = s.lastOpenFor().map(engine.id()::equals).orElse(false);
    if (!mine || (s.inside() == 0 && s.openFor().isEmpty())) {
      return Optional.empty();
    }
    Duration since = s.shutSince().orElse(now.steady());
    Duration until = since.plus(engine.budgets().drain());
    if (now.steady().compareTo(until) < 0) {
      return Optional.of(new Step.Drain(engine.id(), until));
    }
    if (s.cutSince().isEmpty()) {
      return Optional.of(new Step.Cut(engine.id()));
    }
    Duration left = s.cutSince().get().plus(CUT_WAIT);
    return now.steady().compareTo(left) < 0
        ? Optional.of(new Step.Await("those who were cut to leave", left))
        : Optional.empty();
  }

  /** Rules 5 to 9: the owner is alone; bring it to where it belongs. */
  private static Step own(Situation s, Backend backend, Now now) {
    Backend.Id id = backend.id();
    if (backend instanceof Media media && media.runsToExit()) {
      return runToExit(s, media, now);
    }
    if (s.sightings().isDown(id)) {
      return bringUp(s, backend, now);
    }
    Optional<Sightings.Running> running = s.sightings().running(id);
    Optional<String> noUse = s.noUse(id);
    if (noUse.isPresent()) {
      return new Step.Stop(id, noUse.get());
    }
    if (running.isPresent() && !running.get().ready()) {
      return awaitReady(backend, running.get(), now);
    }
    return backend instanceof Media ? new Step.Work(id) : new Step.Rest();
  }

  /** A job's request is laid down first, then its container is started for it, once. */
  private static Step runToExit(Situation s, Media media, Now now) {
    Backend.Id id = media.id();
    Optional<JobRun> job = s.jobs().run().filter(run -> run.job().backend().equals(id));
    if (s.sightings().isDown(id)) {
      boolean waits = job.filter(run -> run.waitsForStart(s.attempts().lastEnd(id))).isPresent();
      return waits ? bringUp(s, media, now) : new Step.Work(id);
    }
    Optional<String> noUse = s.noUse(id);
    if (noUse.isPresent()) {
      return new Step.Stop(id, noUse.get());
    }
    if (job.isPresent()) {
      return new Step.Work(id);
    }
    return s.isLeased(id) ? new Step.Rest() : new Step.Stop(id, "it runs for no job");
  }

  private static Step bringUp(Situation s, Backend backend, Now now) {
    Backend.Id id = backend.id();
    Optional<Step> failed = failedStart(s, backend);
    if (failed.isPresent()) {
      return failed.get();
    }
    Optional<Situation.HandStop> hand = s.handStop().filter(stop -> stop.engine().equals(id));
    if (hand.isPresent() && now.steady().compareTo(hand.get().until()) < 0) {
      return new Step.Await("the hand that stopped " + id, hand.get().until());
    }
    Optional<Duration> missing = s.sightings().missingSince(id);
    if (missing.isPresent()) {
      return missing(s, backend, missing.get(), now);
    }
    Duration notBefore = s.restores().notBefore(id);
    if (backend instanceof Engine && now.steady().compareTo(notBefore) < 0) {
      return new Step.Await("back-off before the next start of " + id, notBefore);
    }
    if (s.card().isProven(backend.budgets().vramMib(), s.cardDirtySince(), s.sightings(), now)) {
      return new Step.Start(id, true);
    }
    return free(s, backend, now);
  }

  /** Rule 5: the proof of release, within the owner's release budget. */
  private static Step free(Situation s, Backend backend, Now now) {
    Duration release = backend.budgets().release();
    Duration since = s.card().seekingSince().orElse(now.steady());
    boolean over = now.steady().minus(since).compareTo(release) > 0;
    if (!over) {
      return new Step.Measure(backend.id());
    }
    String holders = s.card().holders(s.sightings());
    if (s.card().isHeldByOurs(s.sightings())) {
      return new Step.Held(backend.id(), holders);
    }
    if (backend instanceof Media) {
      return new Step.FailVisit(
          backend.id(),
          "the card was not proven free for "
              + backend.id()
              + " within the release budget of "
              + release.toSeconds()
              + " s (needed "
              + s.card().needed(backend.budgets().vramMib())
              + " MiB, free "
              + s.card().last().map(sample -> sample.freeMib() + " MiB").orElse("unknown")
              + "): "
              + holders);
    }
    // Chat must not stay down for a stranger's memory: the engine says itself whether it fits.
    return new Step.Start(backend.id(), false);
  }

  private static Step missing(Situation s, Backend backend, Duration since, Now now) {
    Duration waited = since.plus(MISSING_WAIT);
    // Without the back-off one failed attempt would follow the other with no time in between.
    Duration backOff =
        backend instanceof Engine ? s.restores().notBefore(backend.id()) : Duration.ZERO;
    Duration until = waited.compareTo(backOff) >= 0 ? waited : backOff;
    if (now.steady().compareTo(until) < 0) {
      return new Step.Await("a container named " + backend.container(), until);
    }
    String reason =
        "no container is named " + backend.container() + "; create it ('docker compose create')";
    return fail(backend, reason, true);
  }

  /** A start of ours that ended without the container staying up. */
  private static Optional<Step> failedStart(Situation s, Backend backend) {
    Optional<Attempt> start =
        s.attempts()
            .last(backend.id(), Note.Verb.START)
            .filter(one -> one.settled() && !one.accounted());
    if (start.isEmpty()) {
      return Optional.empty();
    }
    String name = backend.container();
    String reason =
        switch (start.get().end().orElseThrow()) {
          case CommandEnd.Failed refused ->
              "Docker would not start " + name + ": " + refused.reason();
          case CommandEnd.Done done -> name + exited(s, backend.id());
          case CommandEnd.Unknown unknown ->
              "the start of "
                  + name
                  + " had no known end ("
                  + unknown.reason()
                  + ") and it is down";
        };
    boolean counts = !isMachineNotReady(reason);
    return Optional.of(fail(backend, reason, counts));
  }

  private static String exited(Situation s, Backend.Id id) {
    OptionalInt code =
        s.sightings().look(id).map(look -> look.seen().exitCode()).orElse(OptionalInt.empty());
    return " exited before it was ready"
        + (code.isPresent() ? " with code " + code.getAsInt() : "");
  }

  /** Driver, CDI or daemon not ready, as at boot: no fault of the engine (DESIGN 4). */
  static boolean isMachineNotReady(String reason) {
    String lower = reason.toLowerCase(java.util.Locale.ROOT);
    return lower.contains("could not select device driver")
        || lower.contains("unresolvable cdi")
        || lower.contains("nvidia-container-cli")
        || lower.contains("driver not loaded")
        || lower.contains("cannot reach docker");
  }

  private static Step fail(Backend backend, String reason, boolean counts) {
    return switch (backend) {
      case Media media -> new Step.FailVisit(media.id(), reason);
      case Engine engine -> new Step.FailRestore(engine.id(), reason, counts);
    };
  }

  /** Rule 7: the owner runs and is not ready. */
  private static Step awaitReady(Backend backend, Sightings.Running running, Now now) {
    Duration elapsed = loading(running, now);
    Duration budget = backend.budgets().readiness();
    if (elapsed.compareTo(budget) <= 0) {
      return new Step.Probe(backend.id());
    }
    String seen =
        running.lastReason().isEmpty() ? "" : "; the last probe saw: " + running.lastReason();
    return switch (backend) {
      case Media media ->
          new Step.FailVisit(
              media.id(),
              media.container()
                  + " was not ready within its budget of "
                  + budget.toSeconds()
                  + " s"
                  + seen);
      case Engine engine ->
          elapsed.compareTo(budget.multipliedBy(2)) > 0
              ? new Step.FailRestore(
                  engine.id(),
                  engine.container()
                      + " was not ready within twice its budget of "
                      + budget.toSeconds()
                      + " s"
                      + seen,
                  true)
              : new Step.Overdue(engine.id(), elapsed);
    };
  }

  /** How long this run has been loading; stands still while Docker cannot be asked. */
  public static Duration loading(Sightings.Running running, Now now) {
    return now.steady().minus(running.since()).minus(running.blind());
  }
}

package dev.swapgate.gate.runtime;

import dev.swapgate.gate.core.Attempts.Attempt;
import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.Command;
import dev.swapgate.gate.core.ContainerSighting.Run;
import dev.swapgate.gate.core.Engine;
import dev.swapgate.gate.core.GateEvent.Level;
import dev.swapgate.gate.core.GateView;
import dev.swapgate.gate.core.Media;
import dev.swapgate.gate.core.Note;
import dev.swapgate.gate.core.Now;
import dev.swapgate.gate.core.SetAsides;
import dev.swapgate.gate.core.Sightings;
import dev.swapgate.gate.core.Situation;
import dev.swapgate.gate.core.Step;
import dev.swapgate.gate.core.StepTimes;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Carries the steps of a swap out and notes what follows. Not thread-safe; belongs to the loop. */
final class StepDesk {

  private final Situation s;
  private final Outbox outbox;
  private final JobDesk desk;
  private final LeaseDesk leases;
  private boolean visited;
  private Optional<String> heldBy = Optional.empty();

  StepDesk(Situation s, Outbox outbox, JobDesk desk, LeaseDesk leases) {
    this.s = s;
    this.outbox = outbox;
    this.desk = desk;
    this.leases = leases;
  }

  /** Nobody enters any more: a swap begins, unless one is under way. */
  void shut(Now now) {
    s.shut(now);
    if (s.swap().isEmpty()) {
      s.swap(Optional.of(new Situation.Swap(now.steady(), now.wall())));
      outbox.add(new Command.Remember(Memory.SWAP_SINCE, Long.toString(now.wall().toEpochMilli())));
      outbox.tell(Level.INFO, "swap", "the turnstile is shut, inside=" + s.inside(), now);
    }
  }

  /** Chat flows again: the swap is over. */
  void opened(Backend.Id engine, Now now) {
    s.opened(engine, servedSince(engine, now));
    s.swap()
        .ifPresent(
            swap -> {
              Duration took = now.steady().minus(swap.since());
              outbox.add(new Command.Remember(Memory.SWAP_SINCE, ""));
              outbox.tell(
                  Level.INFO,
                  "swap",
                  "the turnstile is open for " + engine + ", chat waited_ms=" + took.toMillis(),
                  engine,
                  now);
            });
    s.swapOver();
    if (visited && !engine.equals(s.selected())) {
      s.box().engine(s.selected()).ifPresent(one -> s.restores().tryAgain(one, now));
    }
    visited = false;
  }

  /** An engine that was up before this process counts as serving since its start. */
  private Duration servedSince(Backend.Id engine, Now now) {
    boolean first = s.openSince().isEmpty() && s.swap().isEmpty();
    Optional<Instant> started = s.sightings().running(engine).map(one -> one.run().startedAt());
    return first && started.isPresent()
        ? now.steady().minus(Duration.between(started.get(), now.wall()))
        : now.steady();
  }

  void cut(Step.Cut cut, GateView view, Now now) {
    s.cut(now);
    outbox.add(new Command.Cut(cut.engine(), view.outlook().retryAfterSeconds(now)));
    outbox.tell(
        Level.WARN,
        "engine",
        "the drain budget of "
            + cut.engine()
            + " is over, inside="
            + s.inside()
            + ": the rest is ended visibly",
        cut.engine(),
        now);
  }

  /** A stop or kill, once. */
  void order(
      Backend backend, Note.Verb verb, Duration grace, Duration budget, String why, Now now) {
    Backend.Id id = backend.id();
    if (verb == Note.Verb.STOP && s.openFor().map(id::equals).orElse(false)) {
      throw new InvariantBreach("a stop of " + id + " while the turnstile is open for it");
    }
    Optional<Run> run = s.sightings().running(id).map(Sightings.Running::run);
    if (verb == Note.Verb.STOP
        && run.map(one -> s.attempts().wasOrderedDown(id, one)).orElse(false)) {
      throw new InvariantBreach("a second stop of " + id + " in one run");
    }
    if (backend instanceof Engine && verb == Note.Verb.STOP) {
      s.shutSince()
          .ifPresent(at -> outbox.learn(StepTimes.Step.DRAIN, id, "", now.steady().minus(at)));
    }
    Attempt attempt = s.attempts().send(id, verb, run, grace, budget, now);
    outbox.add(new Command.Docker(attempt.note(), backend.container(), grace, budget));
    tellCommand(attempt, backend, why, now);
  }

  void start(Step.Start start, Now now) {
    Backend backend = s.box().backend(start.backend());
    mayStart(backend, start.proven(), now);
    if (start.proven()) {
      Duration dirty = s.cardDirtySince();
      lastDown()
          .ifPresent(id -> outbox.learn(StepTimes.Step.RELEASE, id, "", now.steady().minus(dirty)));
    }
    s.card().rest();
    visited |= backend instanceof Media;
    Duration budget = backend.budgets().start();
    Attempt attempt =
        s.attempts()
            .send(backend.id(), Note.Verb.START, Optional.empty(), Duration.ZERO, budget, now);
    outbox.add(new Command.Docker(attempt.note(), backend.container(), Duration.ZERO, budget));
    String why =
        start.proven()
            ? "the card is free"
            : "not proven free, tried all the same: " + s.card().holders(s.sightings());
    tellCommand(attempt, backend, why, now);
  }

  /** Invariants 1 and 2 of DESIGN 9, checked before each start. */
  private void mayStart(Backend backend, boolean proven, Now now) {
    for (Backend other : s.box().backends()) {
      boolean unsure = s.attempts().isUnsettled(other.id());
      if (!s.sightings().isDown(other.id()) || unsure) {
        throw new InvariantBreach(
            "a start of "
                + backend.id()
                + " while "
                + other.id()
                + " "
                + (unsure ? "has a command whose end is unknown" : "is not down"));
      }
    }
    if (proven
        && !s.card()
            .isProven(backend.budgets().vramMib(), s.cardDirtySince(), s.sightings(), now)) {
      throw new InvariantBreach("a start of " + backend.id() + " before the card is proven free");
    }
    if (!proven && backend instanceof Media) {
      throw new InvariantBreach("a start of media " + backend.id() + " on a card not proven free");
    }
  }

  private Optional<Backend.Id> lastDown() {
    return s.box().backends().stream()
        .map(Backend::id)
        .filter(id -> s.sightings().downSince(id).isPresent())
        .max(
            java.util.Comparator.comparing(
                id -> s.sightings().downSince(id).orElse(Duration.ZERO)));
  }

  private void tellCommand(Attempt attempt, Backend backend, String why, Now now) {
    String verb = attempt.verb().name().toLowerCase(java.util.Locale.ROOT);
    outbox.tell(
        Level.INFO, "command", verb + " " + backend.container() + ": " + why, backend.id(), now);
  }

  /** It has its passes under its present run. */
  void ready(Backend backend, Now now) {
    Backend.Id id = backend.id();
    Run run = s.sightings().running(id).orElseThrow().run();
    Optional<Attempt> start = s.attempts().last(id, Note.Verb.START);
    boolean ours = s.attempts().isOurs(id, run, backend.budgets().start());
    if (ours && start.filter(one -> !one.accounted()).isPresent()) {
      Duration took = now.steady().minus(start.get().sent());
      outbox.learn(StepTimes.Step.START_TO_READY, id, "", took);
    }
    s.attempts().account(id);
    outbox.tell(Level.INFO, "step", id + " is ready", id, now);
    switch (backend) {
      case Engine engine -> s.restores().succeeded(id);
      case Media media -> s.setAsides().succeeded(id);
    }
  }

  /** It went down: how long its stop took is learned. */
  void wentDown(Backend.Id id, Now now) {
    s.condemned().remove(id);
    s.attempts()
        .last(id, Note.Verb.STOP)
        .filter(stop -> stop.run().isPresent() && !stop.accounted() && !isStartedSince(id, stop))
        .filter(stop -> now.steady().minus(stop.sent()).compareTo(Duration.ofHours(1)) < 0)
        .ifPresent(
            stop -> outbox.learn(StepTimes.Step.STOP, id, "", now.steady().minus(stop.sent())));
  }

  private boolean isStartedSince(Backend.Id id, Attempt stop) {
    return s.attempts()
        .last(id, Note.Verb.START)
        .filter(start -> start.sent().compareTo(stop.sent()) > 0)
        .isPresent();
  }

  void held(Step.Held held, Now now) {
    if (!heldBy.equals(Optional.of(held.holder()))) {
      heldBy = Optional.of(held.holder());
      outbox.tell(
          Level.ERROR,
          "card",
          "nothing is started for " + held.backend() + ": the card is held by " + held.holder(),
          held.backend(),
          now);
    }
  }

  void overdue(Step.Overdue overdue, Now now) {
    Run run = s.sightings().running(overdue.engine()).orElseThrow().run();
    if (s.restores().overdue(run)) {
      outbox.tell(
          Level.WARN,
          "engine",
          overdue.engine()
              + " is overdue: not ready after "
              + overdue.elapsed().toSeconds()
              + " s, budget "
              + s.box().backend(overdue.engine()).budgets().readiness().toSeconds()
              + " s; probing goes on",
          overdue.engine(),
          now);
    }
  }

  /** The visit ends by the backend's fault; its jobs stay queued, no attempt is counted. */
  boolean failVisit(Step.FailVisit fail, Now now) {
    Backend.Id id = fail.media();
    Media media = s.box().media(id).orElseThrow();
    int inARow = s.setAsides().failed(id, fail.reason(), now);
    visited = true;
    s.attempts().account(id);
    s.card().rest();
    leases.visitFailed(id, now);
    desk.visitFailed(id, fail.reason(), now);
    condemn(id);
    outbox.add(new Command.TellLog(id, media.container(), fail.reason()));
    outbox.tell(
        Level.ERROR,
        "media",
        "visit " + inARow + " of " + id + " in a row failed: " + fail.reason(),
        id,
        now);
    if (inARow >= SetAsides.VISITS) {
      desk.failQueued(id, fail.reason(), now);
    }
    return true;
  }

  boolean failRestore(Step.FailRestore fail, Now now) {
    Engine engine = s.box().engine(fail.engine()).orElseThrow();
    s.restores().failed(fail.engine(), fail.reason(), fail.counts(), now);
    s.attempts().account(fail.engine());
    s.card().rest();
    condemn(fail.engine());
    outbox.add(new Command.TellLog(fail.engine(), engine.container(), fail.reason()));
    boolean givenUp = s.restores().isGivenUp(engine);
    outbox.tell(
        givenUp ? Level.ERROR : Level.WARN,
        "engine",
        "attempt "
            + s.restores().failures(fail.engine())
            + " to bring "
            + fail.engine()
            + " back failed: "
            + fail.reason(),
        fail.engine(),
        now);
    return true;
  }

  private void condemn(Backend.Id id) {
    s.sightings().running(id).ifPresent(one -> s.condemned().put(id, one.run()));
  }
}

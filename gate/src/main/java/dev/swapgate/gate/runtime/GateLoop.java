package dev.swapgate.gate.runtime;

import dev.swapgate.gate.core.Attempts.Attempt;
import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.Box;
import dev.swapgate.gate.core.CardReading;
import dev.swapgate.gate.core.CardWatch;
import dev.swapgate.gate.core.Command;
import dev.swapgate.gate.core.CommandEnd;
import dev.swapgate.gate.core.ContainerSighting;
import dev.swapgate.gate.core.Engine;
import dev.swapgate.gate.core.Event;
import dev.swapgate.gate.core.GateEvent.Level;
import dev.swapgate.gate.core.GateView;
import dev.swapgate.gate.core.HandRules;
import dev.swapgate.gate.core.Note;
import dev.swapgate.gate.core.Now;
import dev.swapgate.gate.core.OwnerPolicy;
import dev.swapgate.gate.core.Ownership;
import dev.swapgate.gate.core.Phase;
import dev.swapgate.gate.core.PhaseRule;
import dev.swapgate.gate.core.ProbePace;
import dev.swapgate.gate.core.Reconciler;
import dev.swapgate.gate.core.Sightings;
import dev.swapgate.gate.core.Situation;
import dev.swapgate.gate.core.Step;
import dev.swapgate.gate.core.StepTimes;
import dev.swapgate.gate.core.TurnstileRule;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The gate's heart beat: one event in, commands out. Has no thread and no clock of its own, so the
 * simulation runs this very loop. Not thread-safe: one caller at a time.
 */
public final class GateLoop {

  /** Time between two looks while something is under way, and at rest. */
  static final Duration LOOK_MOVING = Duration.ofSeconds(1);

  static final Duration LOOK_RESTING = Duration.ofSeconds(5);

  private static final Duration LOOK_LIMIT = Duration.ofSeconds(15);
  private static final Duration MEASURE_LIMIT = Duration.ofSeconds(10);
  private static final Duration PROBE_LIMIT = Duration.ofSeconds(60);
  private static final Duration KILL_BUDGET = Duration.ofSeconds(10);
  private static final int ROUNDS = 50;
  private static final String LOOK = "look";
  private static final String MEASURE = "measure";
  private static final String PROBE = "probe:";

  private final Situation s;
  private final StepTimes times;
  private final Turnstile turnstile;
  private final Asks asks = new Asks();
  private final Outbox outbox;
  private final JobDesk desk;
  private final WishDesk wishes;
  private final StepDesk steps;
  private final HandRules hands = new HandRules();
  private final ViewMaker views;
  private final Map<Backend.Id, Duration> downFrom = new HashMap<>();
  private Ownership ownership;
  private Step step = new Step.Look();
  private Phase phase = Phase.BOOTING;
  private Duration phaseSince;
  private boolean lookSoon = true;
  private Optional<GateView> view = Optional.empty();
  private Now last;

  /**
   * @param memory what an earlier process left behind
   */
  public GateLoop(Box box, Memory memory, Turnstile turnstile, Now now) {
    this.s = memory.situation(box, now);
    this.times = s.times();
    this.turnstile = turnstile;
    this.outbox = new Outbox(times);
    this.desk = new JobDesk(s, asks, outbox);
    LeaseDesk leases = new LeaseDesk(s, outbox, now);
    this.steps = new StepDesk(s, outbox, desk, leases);
    this.wishes = new WishDesk(s, outbox, desk, leases);
    this.views = new ViewMaker(s, times);
    this.phaseSince = now.steady();
    this.ownership = OwnerPolicy.owner(s, now);
    this.last = now;
    outbox.add(new Command.Remember(Memory.SELECTED_FILE, box.selected().value()));
    wishes.dropUnknown(now);
  }

  /** How the gate stands after the last event. */
  public GateView view() {
    GateView made = view.orElseGet(() -> views.view(ownership, step, phase, phaseSince, last));
    view = Optional.of(made);
    return made;
  }

  /** Steady time at which {@link Event.Woke} is due, if nothing comes sooner. */
  public Duration wakeAt(Now now) {
    return outbox.wakeAt().orElse(now.steady().plus(LOOK_MOVING));
  }

  /** Takes one event in and gives what is to be carried out, in this order. */
  public List<Command> handle(Event event, Now now) {
    outbox.begin();
    last = now;
    view = Optional.empty();
    s.inside(turnstile.inside(), now);
    apply(event, now);
    expire(now);
    desk.advance(now);
    reconcile(now);
    desk.advance(now);
    look(now);
    plan(now);
    show(now);
    return outbox.take();
  }

  private void apply(Event event, Now now) {
    switch (event) {
      case Event.Woke woke -> {}
      case Event.Emptied emptied -> {}
      case Event.Looked looked -> looked(looked, now);
      case Event.LookFailed failed -> lookFailed(failed, now);
      case Event.Measured measured ->
          asks.answered(measured.ask()).ifPresent(ask -> measured(ask.asked(), measured, now));
      case Event.Probed probed -> probed(probed, now);
      case Event.CommandEnded ended -> ended(ended.attempt(), ended.end(), now);
      case Event.Begun begun -> desk.begun(begun.ask(), begun.job(), now);
      case Event.Answered answered ->
          desk.answered(answered.ask(), answered.job(), answered.answer(), now);
      case Event.Saved saved -> desk.saved(saved.ask(), saved.job(), saved.error(), now);
      case Event.Accepted accepted -> wishes.accepted(accepted, now);
      case Event.Hinted hinted -> {
        hinted.backend().filter(id -> hinted.signalled()).ifPresent(hands::signalled);
        lookSoon = true;
      }
      case Event.Wish wish -> wishes.wish(wish, now);
    }
  }

  private void looked(Event.Looked looked, Now now) {
    Optional<Asks.Ask> ask = asks.answered(looked.ask());
    if (ask.isEmpty()) {
      return;
    }
    if (s.sightings().isBlind()) {
      outbox.tell(Level.INFO, "engine", "Docker answers again", now);
    }
    List<Engine> missing =
        s.box().engines().stream()
            .filter(one -> s.sightings().missingSince(one.id()).isPresent())
            .toList();
    s.sightings().looked(looked.seen(), ask.get().asked(), now);
    s.judgeSuspect();
    missing.stream()
        .filter(one -> s.sightings().missingSince(one.id()).isEmpty())
        .forEach(one -> s.restores().tryAgain(one, now));
    for (Backend backend : s.box().backends()) {
      s.sightings().look(backend.id()).ifPresent(one -> s.attempts().looked(backend.id(), one));
      wentDown(backend, now);
      if (s.sightings().confirmReady(backend.id(), backend.budgets().passes())) {
        steps.ready(backend, now);
        hands.restored(backend.id(), now);
      }
    }
    hands.looked(s, ownership.owner(), now).forEach(finding -> wishes.found(finding, now));
  }

  /** A stop that worked: how long it took is learned. */
  private void wentDown(Backend backend, Now now) {
    Optional<Duration> since = s.sightings().downSince(backend.id());
    boolean isNew =
        since.isPresent() && !since.equals(Optional.ofNullable(downFrom.get(backend.id())));
    since.ifPresentOrElse(
        at -> downFrom.put(backend.id(), at), () -> downFrom.remove(backend.id()));
    if (isNew) {
      steps.wentDown(backend.id(), now);
    }
  }

  private void lookFailed(Event.LookFailed failed, Now now) {
    asks.answered(failed.ask()).ifPresent(ask -> blind(failed.reason(), ask.asked(), now));
  }

  private void blind(String reason, Duration asked, Now now) {
    boolean before = s.sightings().isBlind();
    s.sightings().failed(reason, asked, now);
    if (!before && s.sightings().isBlind()) {
      outbox.tell(
          Level.WARN, "engine", "Docker cannot be asked, no command is sent: " + reason, now);
    }
  }

  private void measured(Duration asked, Event.Measured measured, Now now) {
    s.card().measured(measured.reading(), asked);
    if (s.allDown() && s.attempts().underWay().isEmpty()) {
      s.card()
          .learnBaseline(s.cardDirtySince(), s.sightings())
          .ifPresent(mib -> outbox.add(new Command.Remember(Memory.BASELINE, Long.toString(mib))));
    }
    if (asked.compareTo(now.steady()) > 0) {
      throw new InvariantBreach("a reading of the card was asked in the future: " + asked);
    }
  }

  private void probed(Event.Probed probed, Now now) {
    Optional<Asks.Ask> ask = asks.answered(probed.ask());
    Backend backend = s.box().backend(probed.backend());
    if (ask.isEmpty()) {
      return;
    }
    s.sightings()
        .running(backend.id())
        // A run that began after the probe was asked is not the one that answered it.
        .filter(one -> one.since().compareTo(ask.get().asked()) <= 0)
        .ifPresent(
            one ->
                s.sightings()
                    .probed(
                        backend.id(),
                        one.run(),
                        probed.result(),
                        backend.budgets().passes(),
                        ask.get().asked(),
                        now));
    boolean passes =
        s.sightings()
            .running(backend.id())
            .map(one -> !one.ready() && one.passes() >= backend.budgets().passes())
            .orElse(false);
    lookSoon |= passes;
  }

  private void ended(long number, CommandEnd end, Now now) {
    Optional<Attempt> attempt = s.attempts().ended(number, end, now);
    lookSoon = true;
    if (attempt.isPresent() && end instanceof CommandEnd.Unknown unknown) {
      Attempt one = attempt.get();
      outbox.tell(
          Level.WARN,
          "command",
          one.verb() + " of " + one.backend() + " has no known end: " + unknown.reason(),
          one.backend(),
          now);
    }
  }

  /** Takes back what nobody answered, and what was only for a time. */
  private void expire(Now now) {
    for (Asks.Ask ask : asks.overdue(now)) {
      switch (ask.name()) {
        case LOOK -> blind("no answer within " + LOOK_LIMIT.toSeconds() + " s", ask.asked(), now);
        case MEASURE ->
            s.card()
                .measured(
                    new CardReading.Failed("no answer within " + MEASURE_LIMIT.toSeconds() + " s"),
                    ask.asked());
        default -> desk.overdue(ask, now);
      }
    }
    s.attempts()
        .underWay()
        .filter(one -> now.steady().compareTo(one.deadline()) >= 0)
        .ifPresent(
            one -> ended(one.number(), new CommandEnd.Unknown("no answer by its deadline"), now));
    wishes.expire(now);
  }

  private void reconcile(Now now) {
    for (int round = 0; round < ROUNDS; round++) {
      ownership = OwnerPolicy.owner(s, now);
      turn(now);
      step = Reconciler.decide(s, ownership, now);
      if (!(step instanceof Step.Measure || step instanceof Step.Held)) {
        s.card().rest();
      }
      if (!perform(now)) {
        return;
      }
    }
    throw new InvariantBreach("no rest after " + ROUNDS + " steps, the last one " + step);
  }

  private void turn(Now now) {
    Optional<Backend.Id> wanted = TurnstileRule.openFor(s, ownership);
    if (wanted.equals(s.openFor())) {
      return;
    }
    if (wanted.isEmpty()) {
      turnstile.shut();
      steps.shut(now);
    } else {
      turnstile.open(wanted.get());
      steps.opened(wanted.get(), now);
    }
    s.inside(turnstile.inside(), now);
  }

  /** Does the step; true when the situation changed by it, so that the next one is due. */
  private boolean perform(Now now) {
    return switch (step) {
      case Step.Rest rest -> false;
      case Step.Await await -> {
        outbox.wakeAt(await.until());
        yield false;
      }
      case Step.Settling settling -> false;
      case Step.Blind blind -> {
        probeWhileBlind(now);
        yield false;
      }
      case Step.Look look -> {
        lookSoon = true;
        yield false;
      }
      case Step.Drain drain -> {
        outbox.wakeAt(drain.until());
        yield false;
      }
      case Step.Cut cut -> {
        steps.cut(cut, view(), now);
        view = Optional.empty();
        yield true;
      }
      case Step.Stop stop -> order(Note.Verb.STOP, stop.backend(), stop.why(), now);
      case Step.Kill kill -> order(Note.Verb.KILL, kill.backend(), kill.why(), now);
      case Step.Measure measure -> {
        s.card().seek(now);
        measure(CardWatch.INTERVAL, now);
        yield false;
      }
      case Step.Held held -> {
        steps.held(held, now);
        measure(CardWatch.SLOW_INTERVAL, now);
        yield false;
      }
      case Step.Start start -> {
        steps.start(start, now);
        yield false;
      }
      case Step.Probe probe -> probe(probe.backend(), now);
      case Step.Overdue overdue -> {
        steps.overdue(overdue, now);
        yield probe(overdue.engine(), now);
      }
      case Step.Work work -> desk.beginNext(work.media(), now);
      case Step.FailVisit fail -> steps.failVisit(fail, now);
      case Step.FailRestore fail -> steps.failRestore(fail, now);
    };
  }

  private boolean order(Note.Verb verb, Backend.Id id, String why, Now now) {
    Backend backend = s.box().backend(id);
    Duration grace =
        backend
            .budgets()
            .stopGracePeriod()
            .orElseGet(
                () ->
                    s.sightings()
                        .look(id)
                        .map(look -> look.seen().stopTimeout())
                        .orElse(ContainerSighting.DEFAULT_STOP_TIMEOUT));
    Duration budget = verb == Note.Verb.STOP ? grace.plus(Reconciler.KILL_AFTER) : KILL_BUDGET;
    steps.order(backend, verb, grace, budget, why, now);
    return false;
  }

  private void probeWhileBlind(Now now) {
    if (s.openFor().isEmpty()) {
      s.lastOpenFor().filter(s.sightings()::isReady).ifPresent(id -> probe(id, now));
    }
  }

  private boolean probe(Backend.Id id, Now now) {
    String name = PROBE + id;
    Duration at =
        s.sightings()
            .running(id)
            .flatMap(run -> run.lastProbe().map(last -> last.plus(pause(id, run, last))))
            .orElse(now.steady());
    if (asks.isOut(name)) {
      return false;
    }
    if (now.steady().compareTo(at) >= 0) {
      outbox.add(new Command.Probe(asks.ask(name, PROBE_LIMIT, now), id));
    } else {
      outbox.wakeAt(at);
    }
    return false;
  }

  private Duration pause(Backend.Id id, Sightings.Running run, Duration lastProbe) {
    return ProbePace.pause(
        run.passes(),
        lastProbe.minus(run.since()),
        times.learned(new StepTimes.Key(StepTimes.Step.START_TO_READY, id, "")),
        s.box().backend(id).budgets().interval());
  }

  private void measure(Duration interval, Now now) {
    if (asks.isOut(MEASURE)) {
      return;
    }
    Duration at = s.card().lastAsked().map(last -> last.plus(interval)).orElse(now.steady());
    if (now.steady().compareTo(at) >= 0) {
      outbox.add(new Command.Measure(asks.ask(MEASURE, MEASURE_LIMIT, now)));
    } else {
      outbox.wakeAt(at);
    }
  }

  private boolean resting() {
    return step instanceof Step.Rest && s.openFor().isPresent();
  }

  private void look(Now now) {
    if (asks.isOut(LOOK)) {
      return;
    }
    Duration interval = resting() ? LOOK_RESTING : LOOK_MOVING;
    Duration at = s.sightings().lastAsked().map(last -> last.plus(interval)).orElse(now.steady());
    boolean waitAfterFailure = s.sightings().isBlind() && now.steady().compareTo(at) < 0;
    if ((lookSoon && !waitAfterFailure) || now.steady().compareTo(at) >= 0) {
      lookSoon = false;
      Map<Backend.Id, String> containers = new HashMap<>();
      s.box().backends().forEach(one -> containers.put(one.id(), one.container()));
      outbox.add(new Command.Look(asks.ask(LOOK, LOOK_LIMIT, now), containers));
    } else {
      outbox.wakeAt(at);
    }
    if (resting() && step instanceof Step.Rest) {
      measure(LOOK_RESTING.multipliedBy(6), now);
    }
  }

  private void plan(Now now) {
    asks.nextDeadline().ifPresent(outbox::wakeAt);
    s.attempts().underWay().ifPresent(one -> outbox.wakeAt(one.deadline()));
    OwnerPolicy.nextChange(s, now).ifPresent(outbox::wakeAt);
  }

  private void show(Now now) {
    Phase next = PhaseRule.phase(s, ownership, step);
    if (next == phase) {
      return;
    }
    Duration took = now.steady().minus(phaseSince);
    Phase before = phase;
    phase = next;
    phaseSince = now.steady();
    view = Optional.empty();
    outbox.tell(
        Level.INFO,
        "phase",
        before.word()
            + " => "
            + next.word()
            + " took_ms="
            + took.toMillis()
            + " owner="
            + ownership.owner().map(Backend.Id::value).orElse("-")
            + " why=\""
            + view().reason()
            + "\"",
        now);
  }
}

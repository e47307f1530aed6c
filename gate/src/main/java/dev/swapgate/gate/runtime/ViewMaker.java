package dev.swapgate.gate.runtime;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.CardReading;
import dev.swapgate.gate.core.Engine;
import dev.swapgate.gate.core.GateView;
import dev.swapgate.gate.core.GateView.BackendView;
import dev.swapgate.gate.core.GateView.CardView;
import dev.swapgate.gate.core.GateView.LeaseView;
import dev.swapgate.gate.core.GateView.Refusal;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobRun;
import dev.swapgate.gate.core.Lease;
import dev.swapgate.gate.core.Now;
import dev.swapgate.gate.core.Outlook;
import dev.swapgate.gate.core.OwnerPolicy;
import dev.swapgate.gate.core.Ownership;
import dev.swapgate.gate.core.Phase;
import dev.swapgate.gate.core.RetryAfterEstimator;
import dev.swapgate.gate.core.Sightings;
import dev.swapgate.gate.core.Situation;
import dev.swapgate.gate.core.Step;
import dev.swapgate.gate.core.StepTimes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Puts the situation into one value for people and clients. Not thread-safe. */
final class ViewMaker {

  private final Situation s;
  private final StepTimes times;

  ViewMaker(Situation s, StepTimes times) {
    this.s = s;
    this.times = times;
  }

  GateView view(Ownership ownership, Step step, Phase phase, Duration phaseSince, Now now) {
    return new GateView(
        phase,
        ownership.owner(),
        s.selected(),
        s.openFor().isPresent(),
        reason(ownership, step, now),
        refusal(phase),
        s.openFor().isPresent()
            ? Optional.empty()
            : s.swap().map(swap -> new GateView.Swap(swap.sinceAt(), swap.since())),
        outlook(ownership, phase, phaseSince, now),
        s.inside(),
        s.jobs().queued().size(),
        s.jobs().run().isPresent() ? 1 : 0,
        s.box().engines().stream().map(one -> backend(one, now)).toList(),
        s.box().media().stream().map(one -> backend(one, now)).toList(),
        s.leases().stream().map(ViewMaker::view).toList(),
        card(),
        !s.sightings().isBlind(),
        s.jobs().run().map(ViewMaker::work));
  }

  private static GateView.Work work(JobRun run) {
    double progress = run.heard().progress();
    return new GateView.Work(
        run.job().id(),
        run.job().backend(),
        Double.isNaN(progress)
            ? OptionalDouble.empty()
            : OptionalDouble.of(Math.clamp(progress, 0, 1)));
  }

  private Refusal refusal(Phase phase) {
    if (s.maintenance().map(Situation.Maintenance::byHand).orElse(false)) {
      return Refusal.STOPPED_BY_HAND;
    }
    return phase == Phase.DEGRADED ? Refusal.DEGRADED : Refusal.RATE_LIMIT;
  }

  private Outlook outlook(Ownership ownership, Phase phase, Duration phaseSince, Now now) {
    Engine engine = OwnerPolicy.engine(s, now);
    Duration swapSince = s.swap().map(Situation.Swap::since).orElse(now.steady());
    Optional<Duration> lease =
        ownership.why() == Ownership.Why.LEASE
            ? s.leases().stream()
                .filter(one -> one.backend().equals(ownership.owner()))
                .map(Lease::until)
                .findFirst()
            : Optional.empty();
    return s.estimator()
        .outlook(
            new RetryAfterEstimator.Where(
                phase,
                phaseSince,
                swapSince,
                jobsOfThisSwap(ownership, now, swapSince),
                s.jobs().run().filter(ViewMaker::isRunning).map(JobRun::begun),
                s.lastJobEnd().isEmpty(),
                engine,
                lease,
                media()),
            now);
  }

  /** The media backend on the card; once nothing is on it, the last one of this swap. */
  private Optional<Backend.Id> media() {
    return s.box().backends().stream()
        .map(Backend::id)
        .filter(id -> s.sightings().running(id).isPresent())
        .reduce((engine, media) -> media)
        .or(() -> s.lastJobEnd().map(Situation.JobEnd::backend))
        .filter(id -> s.box().media(id).isPresent());
  }

  /** The present job, then those that will be begun before chat has been out too long. */
  private List<Job> jobsOfThisSwap(Ownership ownership, Now now, Duration swapSince) {
    List<Job> jobs = new ArrayList<>();
    s.jobs().run().filter(ViewMaker::isRunning).map(JobRun::job).ifPresent(jobs::add);
    boolean media = ownership.owner().flatMap(s.box()::media).isPresent();
    if (!media) {
      return jobs;
    }
    Duration out = now.steady().minus(swapSince);
    for (Job job : jobs) {
      out = out.plus(s.estimator().run(job));
    }
    for (Job job : s.jobs().queued()) {
      boolean due = OwnerPolicy.isTime(s, job, now);
      boolean fits = jobs.isEmpty() || out.compareTo(s.box().policy().maxOutage()) < 0;
      if (due && fits && !s.setAsides().isAside(job.backend(), now)) {
        jobs.add(job);
        out = out.plus(s.estimator().run(job));
      }
    }
    return jobs;
  }

  private static boolean isRunning(JobRun run) {
    return run.stage() != JobRun.Stage.ENDING;
  }

  private BackendView backend(Backend one, Now now) {
    Optional<Duration> lastReady =
        times.learned(new StepTimes.Key(StepTimes.Step.START_TO_READY, one.id(), ""));
    boolean leasable = s.box().media(one.id()).filter(media -> !media.runsToExit()).isPresent();
    return new BackendView(
        one.id(),
        one.container(),
        state(one),
        s.sightings().isReady(one.id()),
        lastReady,
        leasable,
        s.setAsides().view(one.id(), now));
  }

  private String state(Backend one) {
    Optional<Sightings.Look> look = s.sightings().look(one.id());
    if (look.isEmpty() || s.sightings().isBlind()) {
      return "unknown";
    }
    Optional<Sightings.Running> running = s.sightings().running(one.id());
    boolean ordered =
        running.map(r -> s.attempts().wasOrderedDown(one.id(), r.run())).orElse(false);
    return switch (look.get().seen().state()) {
      case MISSING -> "missing";
      case DOWN -> isStarting(one) ? "starting" : "down";
      case PAUSED -> "paused";
      case RUNNING -> ordered ? "stopping" : s.sightings().isReady(one.id()) ? "ready" : "starting";
    };
  }

  private boolean isStarting(Backend one) {
    return s.attempts()
        .underWay()
        .filter(attempt -> attempt.backend().equals(one.id()))
        .isPresent();
  }

  private CardView card() {
    Optional<CardReading.Sample> last = s.card().last();
    return last.map(sample -> new CardView(sample.totalMib(), sample.freeMib(), "nvidia-smi"))
        .orElseGet(() -> new CardView(-1, -1, "unknown"));
  }

  /** One sentence: why it is so. */
  private String reason(Ownership ownership, Step step, Now now) {
    if (s.maintenance().isPresent()) {
      return s.maintenance().get().reason();
    }
    if (s.openFor().isPresent() && step instanceof Step.Rest) {
      return waiting(now).orElse("chat is open");
    }
    return switch (step) {
      case Step.Rest rest -> ownership.owner().isEmpty() ? "the card is leased to nobody" : "";
      case Step.Blind blind -> "Docker cannot be asked: " + blind.reason();
      case Step.Await await -> "waiting for " + await.what();
      case Step.Settling settling -> "settling " + settling.what();
      case Step.Look look -> "looking at the containers";
      case Step.Drain drain -> s.inside() + " answers of " + drain.engine() + " may finish";
      case Step.Cut cut -> "the drain budget of " + cut.engine() + " is over";
      case Step.Stop stop -> "stopping " + stop.backend() + ": " + stop.why();
      case Step.Kill kill -> "killing " + kill.backend() + ": " + kill.why();
      case Step.Measure measure -> "proving the card free for " + measure.backend();
      case Step.Held held -> "the card is held by " + held.holder();
      case Step.Start start -> "starting " + start.backend();
      case Step.Probe probe -> "waiting until " + probe.backend() + " is ready" + degraded();
      case Step.Work work ->
          s.jobs()
              .run()
              .map(run -> "job " + run.job().id() + " runs on " + work.media())
              .orElse(work.media() + " has the card");
      case Step.FailVisit fail -> fail.reason();
      case Step.FailRestore fail -> fail.reason();
      case Step.Overdue overdue -> overdue.engine() + " is overdue, still probing" + degraded();
    };
  }

  private String degraded() {
    return s.restores().degraded(s.box(), s.selected()).map(why -> " (" + why + ")").orElse("");
  }

  /** Why a job waits though chat is open. */
  private Optional<String> waiting(Now now) {
    return s.jobs().queued().stream()
        .findFirst()
        .map(
            job ->
                s.setAsides().isAside(job.backend(), now)
                    ? "chat is open; jobs wait, "
                        + job.backend()
                        + " is set aside: "
                        + s.setAsides().reason(job.backend())
                    : "chat is open; jobs wait");
  }

  static String name(Lease lease) {
    return lease.backend().map(Backend.Id::value).orElse("nobody");
  }

  static LeaseView view(Lease lease) {
    return new LeaseView(
        lease.id(),
        lease.backend().map(Backend.Id::value).orElse("none"),
        lease.untilAt(),
        lease.byHand(),
        lease.terms());
  }
}

package dev.swapgate.gate.core;

import dev.swapgate.gate.core.StepTimes.Key;
import dev.swapgate.gate.core.StepTimes.Step;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * When chat will be open again (DESIGN 6): what is left of this swap, all jobs and visits that run
 * before it. Pure.
 */
public final class RetryAfterEstimator {

  /**
   * The part of a learned restore that Retry-After adds. A client with two waits of at most 600 s
   * that calls early in a long swap asks for the last time exactly when the engine is expected: in
   * the survival simulation, with restores of 690 s that vary by 5 %, 77 % of such calls were
   * answered without a margin, all with this one.
   */
  private static final int MARGIN = 8;

  private final Box box;
  private final StepTimes times;

  public RetryAfterEstimator(Box box, StepTimes times) {
    this.box = box;
    this.times = times;
  }

  /**
   * Where the swap stands.
   *
   * @param phase what is being done
   * @param phaseSince steady time since when
   * @param swapSince steady time at which the turnstile shut
   * @param jobs the jobs of this swap still to be done, the present one first
   * @param runSince steady time at which the present job's run began, once it has
   * @param firstJob true while no job of this swap is over
   * @param engine the engine that will be restored
   * @param leaseUntil steady time of a lease's end, when a lease holds the card
   * @param media the media backend that is on the card, or was the last on it in this swap
   */
  public record Where(
      Phase phase,
      Duration phaseSince,
      Duration swapSince,
      List<Job> jobs,
      Optional<Duration> runSince,
      boolean firstJob,
      Engine engine,
      Optional<Duration> leaseUntil,
      Optional<Backend.Id> media) {}

  public Outlook outlook(Where where, Now now) {
    if (where.leaseUntil().isPresent()) {
      Duration until = where.leaseUntil().get();
      return outlook(until.minus(now.steady()), now.steady(), restore(where.engine()));
    }
    if (where.jobs().isEmpty()) {
      return home(where, now);
    }
    Job current = where.jobs().getFirst();
    return knows(current.backend()) ? learned(where) : unlearned(where, now);
  }

  /** Nothing learned: generation − elapsed, later generations, and the engine's restore. */
  private Outlook unlearned(Where where, Now now) {
    Duration later = restore(where.engine());
    for (Job job : where.jobs().subList(1, where.jobs().size())) {
      later = later.plus(knows(job.backend()) ? run(job) : generation(job));
    }
    Duration from = where.firstJob() ? where.swapSince() : where.runSince().orElse(now.steady());
    return outlook(generation(where.jobs().getFirst()), from, later);
  }

  /** Learned: what is left of this step, and all later ones. */
  private Outlook learned(Where where) {
    Backend.Id engine = where.engine().id();
    Backend.Id leaving = where.media().orElse(engine);
    Job first = where.jobs().getFirst();
    List<Duration> steps =
        List.of(
            restore(where.engine()), // A loading engine that is alone gets ready first.
            step(Step.DRAIN, engine),
            step(Step.STOP, leaving),
            step(Step.RELEASE, leaving),
            step(Step.START_TO_READY, first.backend()),
            run(first).plus(collect(first)));
    int running = steps.size() - 1;
    int at =
        where.runSince().isPresent()
            ? running
            : switch (where.phase()) {
              case RESTORING -> 0;
              case SERVING, DRAINING -> 1;
              case STOPPING_ENGINE, STOPPING_MEDIA -> 2;
              case FREEING, DEGRADED -> 3;
              case STARTING_MEDIA -> 4;
              case BOOTING, RUNNING, MAINTENANCE -> running;
            };
    Duration later = Duration.ZERO;
    for (Duration step : steps.subList(at + 1, steps.size())) {
      later = later.plus(step);
    }
    Backend.Id last = first.backend();
    for (Job job : where.jobs().subList(1, where.jobs().size())) {
      if (!job.backend().equals(last)) {
        later = later.plus(leave(last)).plus(step(Step.START_TO_READY, job.backend()));
        last = job.backend();
      }
      later = later.plus(run(job)).plus(collect(job));
    }
    later = later.plus(leave(last)).plus(restore(where.engine()));
    return outlook(steps.get(at), where.runSince().orElse(where.phaseSince()), later, engine);
  }

  /** The way home: the media backend goes, the engine comes. */
  private Outlook home(Where where, Now now) {
    Duration restore = restore(where.engine());
    Backend.Id engine = where.engine().id();
    Duration stop = where.media().map(id -> step(Step.STOP, id)).orElse(Duration.ZERO);
    Duration release = where.media().map(id -> step(Step.RELEASE, id)).orElse(Duration.ZERO);
    return switch (where.phase()) {
      case RESTORING -> outlook(restore, where.phaseSince(), Duration.ZERO, engine);
      case FREEING -> outlook(release, where.phaseSince(), restore, engine);
      case STOPPING_MEDIA -> outlook(stop, where.phaseSince(), release.plus(restore), engine);
      case RUNNING ->
          outlook(Duration.ZERO, now.steady(), stop.plus(release).plus(restore), engine);
      case BOOTING, SERVING, DRAINING, STOPPING_ENGINE, STARTING_MEDIA, DEGRADED, MAINTENANCE ->
          outlook(restore, now.steady(), Duration.ZERO, engine);
    };
  }

  private Outlook outlook(Duration expected, Duration since, Duration later) {
    Policy policy = box.policy();
    return new Outlook(expected, since, later, policy.retryAfterMin(), policy.retryAfterMax());
  }

  private Outlook outlook(Duration expected, Duration since, Duration later, Backend.Id engine) {
    Policy policy = box.policy();
    Duration margin = margin(engine);
    return new Outlook(
        expected, since, later, margin, policy.retryAfterMin(), policy.retryAfterMax());
  }

  /** None for a short restore: there a last wait of the smallest Retry-After carries over it. */
  private Duration margin(Backend.Id engine) {
    Duration margin = step(Step.START_TO_READY, engine).dividedBy(MARGIN);
    return margin.compareTo(box.policy().retryAfterMin()) < 0 ? Duration.ZERO : margin;
  }

  /** How long one more job takes from here, with a whole swap around it. */
  public Duration wholeSwap(Job job, Engine engine) {
    if (!knows(job.backend())) {
      return generation(job).plus(restore(engine));
    }
    return step(Step.DRAIN, engine.id())
        .plus(step(Step.STOP, engine.id()))
        .plus(step(Step.RELEASE, engine.id()))
        .plus(step(Step.START_TO_READY, job.backend()))
        .plus(run(job))
        .plus(collect(job))
        .plus(leave(job.backend()))
        .plus(restore(engine));
  }

  /** How long it takes until chat is back when this job begins now, on a server that is ready. */
  public Duration fromHere(Job job, Engine engine) {
    return run(job).plus(collect(job)).plus(leave(job.backend())).plus(restore(engine));
  }

  /** From a media backend's start to ready, as far as it is known. */
  public Duration startToReady(Backend.Id media) {
    return step(Step.START_TO_READY, media);
  }

  /** How long the job itself takes. */
  public Duration run(Job job) {
    return times
        .learned(new Key(Step.RUN, job.backend(), job.shape()))
        .orElseGet(() -> generation(job));
  }

  private Duration collect(Job job) {
    return times.learned(new Key(Step.COLLECT, job.backend(), job.shape())).orElse(Duration.ZERO);
  }

  private Duration leave(Backend.Id media) {
    return step(Step.STOP, media).plus(step(Step.RELEASE, media));
  }

  /** From the engine's start to ready: learned, else as its owner states it. */
  public Duration restore(Engine engine) {
    return times
        .learned(new Key(Step.START_TO_READY, engine.id(), ""))
        .or(engine::restore)
        .orElse(Duration.ZERO);
  }

  private Duration step(Step step, Backend.Id backend) {
    return times.learned(new Key(step, backend, "")).orElse(Duration.ZERO);
  }

  /** True once a job of that backend was seen to its end. */
  private boolean knows(Backend.Id media) {
    return times.knows(Step.RUN, media);
  }

  private Duration generation(Job job) {
    return box.media(job.backend()).map(Media::generation).orElse(Duration.ZERO);
  }
}

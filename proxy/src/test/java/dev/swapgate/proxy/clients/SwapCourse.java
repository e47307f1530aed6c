package dev.swapgate.proxy.clients;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.Box;
import dev.swapgate.gate.core.Budgets;
import dev.swapgate.gate.core.Engine;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.Media;
import dev.swapgate.gate.core.Now;
import dev.swapgate.gate.core.Outlook;
import dev.swapgate.gate.core.Phase;
import dev.swapgate.gate.core.Policy;
import dev.swapgate.gate.core.RetryAfterEstimator;
import dev.swapgate.gate.core.StepTimes;
import dev.swapgate.gate.core.StepTimes.Key;
import dev.swapgate.gate.core.StepTimes.Sample;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * One swap for one ComfyUI job in virtual time: how long each step really takes, and what the
 * gate's own estimator, which does not know that, says at any moment of it. Immutable.
 */
final class SwapCourse {

  private static final Instant EPOCH = Instant.parse("2026-01-01T00:00:00Z");
  private static final Engine ENGINE =
      new Engine(new Backend.Id("vllm"), "vllm", budgets(), Optional.empty(), 3);
  private static final Media MEDIA =
      new Media(
          new Backend.Id("comfyui"),
          "comfyui",
          budgets(),
          Duration.ofSeconds(180),
          Duration.ofMinutes(30),
          Duration.ofMinutes(10),
          2);
  private static final Policy POLICY =
      new Policy(
          Duration.ofSeconds(60),
          Duration.ofMinutes(20),
          Duration.ZERO,
          Duration.ofMinutes(60),
          Duration.ofSeconds(30),
          Duration.ofSeconds(900),
          1000);
  private static final Box BOX =
      new Box(
          List.of(ENGINE), List.of(MEDIA), ENGINE.id(), Optional.empty(), Optional.empty(), POLICY);
  private static final String SHAPE = "portrait";

  private record Part(Phase phase, Key key, Duration from, Duration took) {
    Duration until() {
      return from.plus(took);
    }
  }

  private final double spread;
  private final List<Part> parts = new ArrayList<>();

  /**
   * @param restore how long the engine usually takes from its start to ready
   * @param spread how far a step's time lies from its usual one at most, up or down, as a share
   */
  SwapCourse(Duration restore, double spread, Random random) {
    this.spread = spread;
    add(random, Phase.DRAINING, StepTimes.Step.DRAIN, ENGINE, 6);
    add(random, Phase.STOPPING_ENGINE, StepTimes.Step.STOP, ENGINE, 8);
    add(random, Phase.FREEING, StepTimes.Step.RELEASE, ENGINE, 2);
    add(random, Phase.STARTING_MEDIA, StepTimes.Step.START_TO_READY, MEDIA, 20);
    add(random, Phase.RUNNING, StepTimes.Step.RUN, MEDIA, 120);
    add(random, Phase.RUNNING, StepTimes.Step.COLLECT, MEDIA, 2);
    add(random, Phase.STOPPING_MEDIA, StepTimes.Step.STOP, MEDIA, 4);
    add(random, Phase.FREEING, StepTimes.Step.RELEASE, MEDIA, 2);
    add(random, Phase.RESTORING, StepTimes.Step.START_TO_READY, ENGINE, restore.toSeconds());
  }

  private void add(
      Random random, Phase phase, StepTimes.Step step, Backend backend, long usualSeconds) {
    boolean byShape = step == StepTimes.Step.RUN || step == StepTimes.Step.COLLECT;
    double factor = 1 + spread * (2 * random.nextDouble() - 1);
    parts.add(
        new Part(
            phase,
            new Key(step, backend.id(), byShape ? SHAPE : ""),
            length(),
            Duration.ofMillis((long) (usualSeconds * 1000 * factor))));
  }

  /** From the turnstile's shutting to its opening. */
  Duration length() {
    return parts.isEmpty() ? Duration.ZERO : parts.getLast().until();
  }

  /** What the gate learns from this swap. */
  List<Sample> samples() {
    return parts.stream().map(part -> new Sample(part.key(), part.took())).toList();
  }

  static Now at(Duration steady) {
    return new Now(steady, EPOCH.plus(steady));
  }

  /** What the gate expects at a moment of this swap, with what it knows from earlier ones. */
  Outlook outlook(Duration steady, List<Sample> learned) {
    int at = part(steady);
    Phase phase = parts.get(at).phase();
    Duration phaseSince = since(at);
    boolean before = at <= indexOf(StepTimes.Step.COLLECT);
    boolean media = at >= indexOf(StepTimes.Step.RELEASE) + 1;
    return new RetryAfterEstimator(BOX, new StepTimes(learned))
        .outlook(
            new RetryAfterEstimator.Where(
                phase,
                phaseSince,
                Duration.ZERO,
                before ? List.of(job()) : List.of(),
                phase == Phase.RUNNING ? Optional.of(phaseSince) : Optional.empty(),
                before,
                ENGINE,
                Optional.empty(),
                media ? Optional.of(MEDIA.id()) : Optional.empty()),
            at(steady));
  }

  private int part(Duration steady) {
    int at = 0;
    while (at < parts.size() - 1 && steady.compareTo(parts.get(at).until()) >= 0) {
      at++;
    }
    return at;
  }

  /** The first of that step, which for those that come twice is the engine's. */
  private int indexOf(StepTimes.Step step) {
    return parts.stream().map(part -> part.key().step()).toList().indexOf(step);
  }

  /** Since when the phase of that part lasts; a run and its collecting are one. */
  private Duration since(int at) {
    int first = at;
    while (first > 0 && parts.get(first - 1).phase() == parts.get(at).phase()) {
      first--;
    }
    return parts.get(first).from();
  }

  private static Job job() {
    return new Job(
        new Job.Id("j1"),
        MEDIA.id(),
        SHAPE,
        Job.State.QUEUED,
        0,
        Optional.empty(),
        EPOCH,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        "",
        List.of());
  }

  private static Budgets budgets() {
    return new Budgets(
        Duration.ofMinutes(5),
        Optional.empty(),
        Duration.ofSeconds(30),
        Duration.ofSeconds(60),
        Duration.ofMinutes(15),
        Duration.ofMillis(500),
        2,
        java.util.OptionalLong.empty());
  }
}

package dev.swapgate.gate.core;

import dev.swapgate.gate.core.ContainerSighting.Run;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A situation that a test brings about step by step, on a clock of its own. The containers are what
 * the test says they are; the situation knows of them what it has looked at.
 */
final class Story {

  final Box box;
  final Situation s;
  private final Map<Backend.Id, ContainerSighting> containers = new HashMap<>();
  private Duration steady = Duration.ZERO;

  /** All containers are there and down; nobody has looked yet. */
  Story() {
    this(Boxes.box());
  }

  Story(Box box, Job... remembered) {
    this.box = box;
    for (Backend backend : box.backends()) {
      containers.put(backend.id(), Boxes.down(backend.id()));
    }
    s =
        new Situation(
            box,
            box.selected(),
            new CardWatch(OptionalLong.empty()),
            new JobQueue(List.of(remembered), now()));
  }

  /** Chat flows to the first engine since a while longer than {@code min_chat}. */
  static Story serving() {
    return serving(Boxes.box());
  }

  static Story serving(Box box) {
    Story story = new Story(box).up(Boxes.VLLM).look().ready(Boxes.VLLM).open(Boxes.VLLM);
    return story.after(120).look();
  }

  /** All containers were seen down, and nothing is known of the card. */
  static Story allDown() {
    return new Story().look().after(1);
  }

  /** Chat has flowed to vllm, and a job for comfyui is due. */
  static Story due() {
    Story story = serving();
    story.s.jobs().add(Boxes.job("j1", Boxes.COMFYUI));
    return story.shut();
  }

  /** Comfyui was given the card by a lease, and everything is down. */
  static Story leased() {
    return allDown().lease(Optional.of(Boxes.COMFYUI), 3600);
  }

  Now now() {
    return Boxes.at(steady);
  }

  Story after(long seconds) {
    return after(Boxes.seconds(seconds));
  }

  Story after(Duration length) {
    steady = steady.plus(length);
    return this;
  }

  /** Started this very moment. */
  Story up(Backend.Id id) {
    return is(id, Boxes.running(id, now().wall()));
  }

  Story down(Backend.Id id) {
    return is(id, Boxes.down(id));
  }

  /** Its last run ended with this code. */
  Story exits(Backend.Id id, int code) {
    return is(id, Boxes.exited(id, containers.get(id).startedAt().orElse(now().wall()), code));
  }

  Story pause(Backend.Id id) {
    return is(id, Boxes.paused(id, containers.get(id).startedAt().orElseThrow()));
  }

  Story remove(Backend.Id id) {
    return is(id, ContainerSighting.missing());
  }

  Story is(Backend.Id id, ContainerSighting seen) {
    containers.put(id, seen);
    return this;
  }

  ContainerSighting container(Backend.Id id) {
    return containers.get(id);
  }

  /** Looks at every container; the answer takes 10 ms. */
  Story look() {
    Duration asked = steady.plusMillis(10);
    steady = steady.plusMillis(20);
    s.sightings().looked(containers, asked, now());
    for (Backend.Id id : containers.keySet()) {
      s.attempts().looked(id, s.sightings().look(id).orElseThrow());
    }
    return this;
  }

  /** Docker does not answer, often enough to count. */
  Story blind() {
    for (int i = 0; i < Sightings.BLIND_AFTER; i++) {
      Duration asked = steady;
      after(1);
      s.sightings().failed("connection refused", asked, now());
    }
    return this;
  }

  Story probe(Backend.Id id, ProbeResult result) {
    Duration asked = steady.plusMillis(10);
    steady = steady.plusMillis(20);
    s.sightings().probed(id, run(id), result, box.backend(id).budgets().passes(), asked, now());
    return this;
  }

  /** Its probe passes as often as it must, and a look confirms it. */
  Story ready(Backend.Id id) {
    int passes = box.backend(id).budgets().passes();
    for (int i = 0; i < passes; i++) {
      probe(id, new ProbeResult.Passed());
    }
    look();
    s.sightings().confirmReady(id, passes);
    return this;
  }

  Run run(Backend.Id id) {
    return s.sightings().running(id).orElseThrow().run();
  }

  Story open(Backend.Id engine) {
    s.opened(engine, steady);
    s.swap(Optional.empty());
    return this;
  }

  /** The turnstile shuts, and a swap begins. */
  Story shut() {
    s.shut(now());
    s.swap(Optional.of(new Situation.Swap(steady, now().wall())));
    return this;
  }

  /** A stop or kill of the present run, or a start; under way until it is ended. */
  Attempts.Attempt send(Note.Verb verb, Backend.Id id) {
    Optional<Run> run = s.sightings().running(id).map(Sightings.Running::run);
    Duration budget = verb == Note.Verb.START ? Boxes.seconds(60) : Boxes.seconds(20);
    return s.attempts().send(id, verb, run, Boxes.seconds(10), budget, now());
  }

  Story sent(Note.Verb verb, Backend.Id id, CommandEnd end) {
    long number = send(verb, id).number();
    s.attempts().ended(number, end, now());
    return this;
  }

  /** Three flat samples of the card, asked 250 ms apart. */
  Story measure(long freeMib, CardReading.Holder... holders) {
    for (int i = 0; i < CardWatch.SAMPLES; i++) {
      steady = steady.plusMillis(250);
      s.card().measured(Boxes.free(freeMib, holders), steady);
    }
    return this;
  }

  Story lease(Optional<Backend.Id> backend, long seconds) {
    Duration until = steady.plusSeconds(seconds);
    s.leases().add(new Lease("l1", backend, until, Boxes.NOON.plus(until), false));
    return this;
  }

  /** A job whose attempt is on disk and followed. */
  Story runs(Job job) {
    Job running = Boxes.attempted(job);
    s.jobs().add(running);
    s.jobs().run(Optional.of(JobRun.recovered(running, now())));
    return this;
  }

  Ownership owner() {
    return OwnerPolicy.owner(s, now());
  }

  Step step() {
    return Reconciler.decide(s, owner(), now());
  }

  Phase phase() {
    return PhaseRule.phase(s, owner(), step());
  }
}

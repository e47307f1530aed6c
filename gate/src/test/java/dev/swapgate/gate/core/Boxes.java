package dev.swapgate.gate.core;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** A small box with two engines and two media backends, and the values its tests are about. */
final class Boxes {

  static final Backend.Id VLLM = new Backend.Id("vllm");
  static final Backend.Id NINFER = new Backend.Id("ninfer");
  static final Backend.Id COMFYUI = new Backend.Id("comfyui");
  static final Backend.Id MUSIC = new Backend.Id("music");

  /** Wall time at which the steady clock stands at zero. */
  static final Instant NOON = Instant.parse("2027-01-31T12:00:00Z");

  private Boxes() {}

  static Duration seconds(long count) {
    return Duration.ofSeconds(count);
  }

  static Now at(Duration steady) {
    return new Now(steady, NOON.plus(steady));
  }

  static Now at(long steadySeconds) {
    return at(seconds(steadySeconds));
  }

  static Box box() {
    return box(Optional.empty(), policy(Duration.ZERO));
  }

  static Box withFallback() {
    return box(Optional.of(NINFER), policy(Duration.ZERO));
  }

  static Box box(Optional<Backend.Id> fallback, Policy policy) {
    return new Box(
        List.of(engine(VLLM), engine(NINFER)),
        List.of(media(COMFYUI, 180), media(MUSIC, 240)),
        VLLM,
        fallback,
        Optional.empty(),
        policy);
  }

  /** Chat is served for 60 s between swaps, which last 20 min at most. */
  static Policy policy(Duration linger) {
    return new Policy(
        seconds(60), seconds(1200), linger, seconds(3600), seconds(30), seconds(900), 10);
  }

  /** 900 s to get ready, three attempts, and nothing known of how long a restore takes. */
  static Engine engine(Backend.Id id) {
    return engine(id, Optional.empty());
  }

  static Engine engine(Backend.Id id, Optional<Duration> restore) {
    return new Engine(id, id.value(), budgets(900), restore, 3);
  }

  /** 180 s to get ready, 30 min for a job, 10 min without progress, two tries. */
  static Media media(Backend.Id id, long generation) {
    return new Media(
        id, id.value(), budgets(180), seconds(generation), seconds(1800), seconds(600), 2);
  }

  /** Drain 300 s, grace 10 s, release 30 s, start 60 s, two passes; no {@code vram}. */
  static Budgets budgets(long readiness) {
    return new Budgets(
        seconds(300),
        Optional.of(seconds(10)),
        seconds(30),
        seconds(60),
        seconds(readiness),
        Duration.ofMillis(500),
        2,
        OptionalLong.empty());
  }

  static Job job(String name, Backend.Id backend) {
    return new Job(
        new Job.Id(name),
        backend,
        "shape",
        Job.State.QUEUED,
        0,
        Optional.empty(),
        NOON,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        "",
        List.of());
  }

  static Job notBefore(Instant when, Job job) {
    return new Job(
        job.id(),
        job.backend(),
        job.shape(),
        job.state(),
        job.attempts(),
        job.ticket(),
        job.created(),
        Optional.of(when),
        job.started(),
        job.ended(),
        job.error(),
        job.files());
  }

  /** The same job, its first attempt on disk. */
  static Job attempted(Job job) {
    return job.attempted(new Job.Ticket("t1"), NOON);
  }

  static ContainerSighting running(Backend.Id id, Instant startedAt) {
    return sighting(
        ContainerSighting.State.RUNNING, id, Optional.of(startedAt), OptionalInt.empty());
  }

  static ContainerSighting down(Backend.Id id) {
    return sighting(ContainerSighting.State.DOWN, id, Optional.empty(), OptionalInt.empty());
  }

  static ContainerSighting exited(Backend.Id id, Instant startedAt, int code) {
    return sighting(ContainerSighting.State.DOWN, id, Optional.of(startedAt), OptionalInt.of(code));
  }

  static ContainerSighting paused(Backend.Id id, Instant startedAt) {
    return sighting(
        ContainerSighting.State.PAUSED, id, Optional.of(startedAt), OptionalInt.empty());
  }

  static ContainerSighting sighting(
      ContainerSighting.State state,
      Backend.Id id,
      Optional<Instant> startedAt,
      OptionalInt exitCode) {
    return new ContainerSighting(
        state, "id-of-" + id, startedAt, exitCode, seconds(10), false, false, false);
  }

  static ContainerSighting withRestartPolicy(ContainerSighting seen) {
    return flagged(seen, true, seen.oomKilled(), seen.autoRemove());
  }

  static ContainerSighting killedForMemory(ContainerSighting seen) {
    return flagged(seen, seen.restartPolicy(), true, seen.autoRemove());
  }

  static ContainerSighting withAutoRemove(ContainerSighting seen) {
    return flagged(seen, seen.restartPolicy(), seen.oomKilled(), true);
  }

  private static ContainerSighting flagged(
      ContainerSighting seen, boolean restartPolicy, boolean oomKilled, boolean autoRemove) {
    return new ContainerSighting(
        seen.state(),
        seen.id(),
        seen.startedAt(),
        seen.exitCode(),
        seen.stopTimeout(),
        restartPolicy,
        oomKilled,
        autoRemove);
  }

  static CardReading.Sample free(long mib, CardReading.Holder... holders) {
    return new CardReading.Sample(32_607, mib, List.of(holders));
  }

  static CardReading.Holder heldBy(String containerId) {
    return new CardReading.Holder(4711, 500, containerId, "python3");
  }
}

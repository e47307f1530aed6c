package dev.swapgate.gate.core;

import dev.swapgate.gate.core.ContainerSighting.Run;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What is seen of the containers, each sighting with the time it was <em>asked</em>. Not
 * thread-safe; belongs to the gate's loop.
 */
public final class Sightings {

  /** Looks that must fail in a row before Docker counts as not to be asked (DESIGN 3, rule 1). */
  public static final int BLIND_AFTER = 3;

  /**
   * One look at one container.
   *
   * @param asked steady time at which it was asked
   * @param answered steady time at which the answer came
   */
  public record Look(ContainerSighting seen, Duration asked, Duration answered) {}

  /**
   * The present run of a backend, as this process knows it.
   *
   * @param since steady time its readiness budget counts from: the later of its StartedAt and this
   *     process's first look
   * @param passes passes in a row
   * @param lastProbe steady time at which the last probe was asked
   * @param lastPassAnswered steady time at which the last pass that was still needed came
   * @param ready once true, true for this run
   * @param blind time within this run during which Docker could not be asked
   * @param lastReason what the last failed probe saw
   */
  public record Running(
      Run run,
      Duration since,
      int passes,
      Optional<Duration> lastProbe,
      Optional<Duration> lastPassAnswered,
      boolean ready,
      Duration blind,
      String lastReason) {}

  private final Map<Backend.Id, Look> looks = new HashMap<>();
  private final Map<Backend.Id, Running> running = new HashMap<>();
  private final Map<Backend.Id, Duration> downSince = new HashMap<>();
  private final Map<Backend.Id, Duration> missingSince = new HashMap<>();
  private final Map<String, Backend.Id> knownContainerIds = new HashMap<>();
  private Optional<Duration> firstLook = Optional.empty();
  private Optional<Duration> lastAsked = Optional.empty();
  private Optional<Duration> lastAnswered = Optional.empty();
  private Optional<Duration> blindSince = Optional.empty();
  private Optional<Duration> lastFailure = Optional.empty();
  private int failures;
  private String blindReason = "";

  /** Takes in one answered look at every container. */
  public void looked(Map<Backend.Id, ContainerSighting> seen, Duration asked, Now now) {
    failures = 0;
    blindSince = Optional.empty();
    lastFailure = Optional.empty();
    firstLook = firstLook.or(() -> Optional.of(asked));
    lastAsked = Optional.of(asked);
    lastAnswered = Optional.of(now.steady());
    seen.forEach((id, sighting) -> lookedAt(id, new Look(sighting, asked, now.steady()), now));
  }

  private void lookedAt(Backend.Id id, Look look, Now now) {
    Look before = looks.put(id, look);
    ContainerSighting seen = look.seen();
    if (!seen.id().isEmpty()) {
      knownContainerIds.put(seen.id(), id);
    }
    if (seen.isDown()) {
      running.remove(id);
      boolean ran =
          before == null
              || !before.seen().isDown()
              || !before.seen().startedAt().equals(seen.startedAt());
      if (ran) {
        downSince.put(id, look.asked());
      }
      if (seen.state() == ContainerSighting.State.MISSING) {
        missingSince.putIfAbsent(id, look.asked());
      } else {
        missingSince.remove(id);
      }
      return;
    }
    downSince.remove(id);
    missingSince.remove(id);
    seen.run().ifPresent(run -> sawRun(id, run, look, now));
  }

  private void sawRun(Backend.Id id, Run run, Look look, Now now) {
    Running known = running.get(id);
    if (known == null || !known.run().equals(run)) {
      running.put(
          id,
          new Running(
              run,
              startedSteady(run, look, now),
              0,
              Optional.empty(),
              Optional.empty(),
              false,
              Duration.ZERO,
              ""));
    }
  }

  /** StartedAt on the steady clock, kept between this process's first look and this one. */
  private Duration startedSteady(Run run, Look look, Now now) {
    Duration age = Duration.between(run.startedAt(), now.wall());
    Duration started = now.steady().minus(age);
    Duration earliest = firstLook.orElse(look.asked());
    if (started.compareTo(earliest) < 0) {
      return earliest;
    }
    return started.compareTo(now.steady()) > 0 ? now.steady() : started;
  }

  /** A look failed: Docker did not answer, or not in a way that can be read. */
  public void failed(String reason, Duration asked, Now now) {
    failures++;
    blindReason = reason;
    Duration from = lastFailure.orElse(asked);
    if (isBlind()) {
      blindSince = blindSince.or(() -> Optional.of(asked));
      Duration passed = now.steady().minus(from);
      running.replaceAll((id, one) -> withBlind(one, one.blind().plus(passed)));
    }
    lastFailure = Optional.of(now.steady());
    lastAsked = Optional.of(asked);
  }

  /** Takes in one probe of this run. */
  public void probed(
      Backend.Id id, Run run, ProbeResult result, int passesNeeded, Duration asked, Now now) {
    Running one = running.get(id);
    if (one == null || !one.run().equals(run)) {
      return;
    }
    boolean passed = result instanceof ProbeResult.Passed;
    running.put(
        id,
        new Running(
            run,
            one.since(),
            passed ? Math.min(one.passes() + 1, passesNeeded) : 0,
            Optional.of(asked),
            // Later passes change nothing: a look slower than the probes' interval must count.
            passed && one.passes() < passesNeeded
                ? Optional.of(now.steady())
                : one.lastPassAnswered(),
            one.ready(),
            one.blind(),
            result instanceof ProbeResult.NotReady not ? not.reason() : ""));
  }

  /**
   * Marks every run ready that has its passes and was seen unchanged by a look asked after the last
   * of them; returns true when one was.
   */
  public boolean confirmReady(Backend.Id id, int passesNeeded) {
    Running one = running.get(id);
    Look look = looks.get(id);
    if (one == null || look == null || one.ready() || one.passes() < passesNeeded) {
      return false;
    }
    boolean seenSince =
        one.lastPassAnswered().map(at -> look.asked().compareTo(at) >= 0).orElse(false);
    if (!seenSince || look.seen().state() != ContainerSighting.State.RUNNING) {
      return false;
    }
    running.put(
        id,
        new Running(
            one.run(),
            one.since(),
            one.passes(),
            one.lastProbe(),
            one.lastPassAnswered(),
            true,
            one.blind(),
            ""));
    return true;
  }

  private static Running withBlind(Running one, Duration blind) {
    return new Running(
        one.run(),
        one.since(),
        one.passes(),
        one.lastProbe(),
        one.lastPassAnswered(),
        one.ready(),
        blind,
        one.lastReason());
  }

  public Optional<Look> look(Backend.Id id) {
    return Optional.ofNullable(looks.get(id));
  }

  /** The present run, while the container is not down. */
  public Optional<Running> running(Backend.Id id) {
    return Optional.ofNullable(running.get(id));
  }

  /** Seen down by the last look; false also when it was never seen. */
  public boolean isDown(Backend.Id id) {
    return look(id).map(look -> look.seen().isDown()).orElse(false);
  }

  public boolean isPaused(Backend.Id id) {
    return look(id)
        .map(look -> look.seen().state() == ContainerSighting.State.PAUSED)
        .orElse(false);
  }

  public boolean isReady(Backend.Id id) {
    return running(id).map(Running::ready).orElse(false);
  }

  /** Asked time of the look that first saw it down, while it is down. */
  public Optional<Duration> downSince(Backend.Id id) {
    return Optional.ofNullable(downSince.get(id));
  }

  /** Asked time of the look that first saw no container of that name, while there is none. */
  public Optional<Duration> missingSince(Backend.Id id) {
    return Optional.ofNullable(missingSince.get(id));
  }

  /** Docker cannot be asked. */
  public boolean isBlind() {
    return failures >= BLIND_AFTER;
  }

  /** Asked time of the look from which on Docker could not be asked. */
  public Optional<Duration> blindSince() {
    return blindSince;
  }

  public String blindReason() {
    return blindReason;
  }

  /** When the last look was asked, answered or failed. */
  public Optional<Duration> lastAsked() {
    return lastAsked;
  }

  /** When the last look was answered with what it saw. */
  public Optional<Duration> lastAnswered() {
    return lastAnswered;
  }

  /** True once every container was looked at. */
  public boolean complete(Box box) {
    return box.backends().stream().allMatch(backend -> looks.containsKey(backend.id()));
  }

  /** Whose container this is or was. */
  public Optional<Backend.Id> ownerOf(String containerId) {
    return Optional.ofNullable(knownContainerIds.get(containerId));
  }
}

package dev.swapgate.gate.core;

import dev.swapgate.gate.core.ContainerSighting.Run;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * What the owner of the box did to the containers by hand, and what it means (DESIGN 4). Compares
 * each look with the one before. Not thread-safe; belongs to the gate's loop.
 */
public final class HandRules {

  /** An engine stopped by hand is left alone for so long; another started meanwhile is selected. */
  public static final Duration LEFT_ALONE = Duration.ofSeconds(30);

  /** Stopped again so soon after it was restored: maintenance. */
  public static final Duration AGAIN = Duration.ofSeconds(60);

  /** Containers started by others so close together are a {@code compose up}, not a hand. */
  public static final Duration TOGETHER = Duration.ofSeconds(30);

  /** What follows from a look. */
  public sealed interface Finding {
    record LeaseByHand(Backend.Id media) implements Finding {}

    /** The container of this backend went down: a lease of it by hand ends. */
    record WentDown(Backend.Id backend) implements Finding {}

    /** The engine died by itself while it was up. */
    record Died(Backend.Id engine, String how) implements Finding {}

    record StoppedByHand(Backend.Id engine) implements Finding {}

    /** Stopped by hand again: the hand means it. */
    record StoppedAgain(Backend.Id engine) implements Finding {}

    /** Another engine was started while one that was stopped by hand was left alone. */
    record Chosen(Backend.Id engine) implements Finding {}
  }

  private final Map<Backend.Id, Run> runs = new HashMap<>();
  private final Set<Backend.Id> signalled = new HashSet<>();
  private final Map<Backend.Id, Return> returns = new HashMap<>();
  private boolean looked;

  /**
   * The return of an engine that a hand had stopped.
   *
   * @param at steady time: expected while it is not ready, then when it was
   */
  private record Return(Duration at, boolean ready) {}

  /** The daemon told that somebody sent this backend's container a signal. */
  public void signalled(Backend.Id backend) {
    signalled.add(backend);
  }

  /** A backend is ready. If a hand had stopped it, this is its return; the next time is not. */
  public void restored(Backend.Id backend, Now now) {
    returns.computeIfPresent(
        backend, (id, one) -> one.ready() ? null : new Return(now.steady(), true));
  }

  /** Compares the sightings with those of the last call. */
  public List<Finding> looked(Situation s, Optional<Backend.Id> owner, Now now) {
    List<Finding> findings = new ArrayList<>();
    for (Backend backend : s.box().backends()) {
      Optional<Run> run = s.sightings().running(backend.id()).map(Sightings.Running::run);
      Optional<Run> before = Optional.ofNullable(runs.get(backend.id()));
      if (before.isPresent() && !before.equals(run)) {
        findings.addAll(ended(s, backend, before.get(), run.isPresent(), owner, now));
      }
      if (run.isPresent() && !run.equals(before)) {
        signalled.remove(backend.id());
        findings.addAll(began(s, backend, run.get(), owner));
      }
      run.ifPresentOrElse(one -> runs.put(backend.id(), one), () -> runs.remove(backend.id()));
    }
    looked = true;
    return findings;
  }

  private List<Finding> began(Situation s, Backend backend, Run run, Optional<Backend.Id> owner) {
    Duration budget = backend.budgets().start();
    boolean ours = s.attempts().isOurs(backend.id(), run, budget);
    if (ours || s.maintenance().isPresent() || s.attempts().wasOrderedDown(backend.id(), run)) {
      return List.of();
    }
    return switch (backend) {
      case Engine engine ->
          s.handStop().filter(stop -> !stop.engine().equals(engine.id())).isPresent()
              ? List.of(new Finding.Chosen(engine.id()))
              : List.of();
      case Media media ->
          isLease(s, media, run, owner) ? List.of(new Finding.LeaseByHand(media.id())) : List.of();
    };
  }

  private boolean isLease(Situation s, Media media, Run run, Optional<Backend.Id> owner) {
    boolean policy =
        s.sightings().look(media.id()).map(look -> look.seen().restartPolicy()).orElse(true);
    boolean otherHolds =
        owner.filter(id -> s.box().media(id).isPresent() && !id.equals(media.id())).isPresent();
    boolean engineUpAtBoot =
        !looked && s.box().engines().stream().anyMatch(one -> !s.sightings().isDown(one.id()));
    boolean mine =
        s.isLeased(media.id())
            || s.jobs().run().filter(job -> job.job().backend().equals(media.id())).isPresent();
    return !policy && !otherHolds && !engineUpAtBoot && !mine && !startedTogether(s, media, run);
  }

  /** Another configured container was started within 30 s of it, and not by us. */
  private static boolean startedTogether(Situation s, Media media, Run run) {
    for (Backend other : s.box().backends()) {
      if (other.id().equals(media.id())) {
        continue;
      }
      Optional<Sightings.Look> look = s.sightings().look(other.id());
      Optional<Instant> started = look.flatMap(one -> one.seen().startedAt());
      if (started.isEmpty()) {
        continue;
      }
      Run its = new Run(look.orElseThrow().seen().id(), started.get());
      boolean close =
          Duration.between(started.get(), run.startedAt()).abs().compareTo(TOGETHER) < 0;
      if (close && !s.attempts().isOurs(other.id(), its, other.budgets().start())) {
        return true;
      }
    }
    return false;
  }

  private List<Finding> ended(
      Situation s,
      Backend backend,
      Run run,
      boolean runsAgain,
      Optional<Backend.Id> owner,
      Now now) {
    Backend.Id id = backend.id();
    List<Finding> findings = new ArrayList<>();
    findings.add(new Finding.WentDown(id));
    boolean ordered = s.attempts().wasOrderedDown(id, run);
    boolean mattered = owner.filter(id::equals).isPresent() && backend instanceof Engine;
    if (ordered || runsAgain || !mattered || s.maintenance().isPresent()) {
      return findings;
    }
    if (!isByHand(s, id)) {
      findings.add(new Finding.Died(id, how(s, id)));
      return findings;
    }
    Return before = returns.get(id);
    boolean again = before != null && now.steady().minus(before.at()).compareTo(AGAIN) < 0;
    findings.add(again ? new Finding.StoppedAgain(id) : new Finding.StoppedByHand(id));
    returns.put(id, new Return(now.steady().plus(LEFT_ALONE), false));
    return findings;
  }

  /** A {@code die} that a signal preceded, or an exit code that only a signal gives. */
  private boolean isByHand(Situation s, Backend.Id id) {
    Optional<ContainerSighting> seen = s.sightings().look(id).map(Sightings.Look::seen);
    if (seen.map(one -> one.state() == ContainerSighting.State.MISSING).orElse(false)) {
      return false; // Recreated or removed: waited for as a missing container.
    }
    OptionalInt code = seen.map(ContainerSighting::exitCode).orElse(OptionalInt.empty());
    boolean signal = code.isPresent() && (code.getAsInt() == 143 || code.getAsInt() == 130);
    return signalled.contains(id) || signal;
  }

  private static String how(Situation s, Backend.Id id) {
    Optional<ContainerSighting> seen = s.sightings().look(id).map(Sightings.Look::seen);
    if (seen.map(one -> one.state() == ContainerSighting.State.MISSING).orElse(true)) {
      return "its container is gone";
    }
    OptionalInt code = seen.orElseThrow().exitCode();
    String oom = seen.get().oomKilled() ? " (killed for host memory)" : "";
    return code.isPresent() ? "exit code " + code.getAsInt() + oom : "no exit code" + oom;
  }
}

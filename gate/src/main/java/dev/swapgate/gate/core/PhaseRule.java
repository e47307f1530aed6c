package dev.swapgate.gate.core;

import java.util.Optional;

/** The word for what the gate is doing. Pure. */
public final class PhaseRule {

  private PhaseRule() {}

  public static Phase phase(Situation s, Ownership ownership, Step step) {
    if (s.maintenance().isPresent()) {
      return Phase.MAINTENANCE;
    }
    if (s.openFor().isPresent()) {
      return Phase.SERVING;
    }
    if (!s.sightings().complete(s.box())) {
      return Phase.BOOTING;
    }
    boolean toEngine = ownership.owner().map(id -> s.box().engine(id).isPresent()).orElse(false);
    if (step instanceof Step.Held
        || (toEngine && s.restores().degraded(s.box(), s.selected()).isPresent())) {
      return Phase.DEGRADED;
    }
    return intruder(s, ownership)
        .map(backend -> leaving(s, backend))
        .orElseGet(() -> coming(s, ownership, step, toEngine));
  }

  private static Optional<Backend> intruder(Situation s, Ownership ownership) {
    return s.box().backends().stream()
        .filter(one -> !ownership.is(one.id()) && !s.sightings().isDown(one.id()))
        .findFirst();
  }

  private static Phase leaving(Situation s, Backend backend) {
    if (backend instanceof Media) {
      return Phase.STOPPING_MEDIA;
    }
    boolean ordered =
        s.sightings()
            .running(backend.id())
            .map(one -> s.attempts().wasOrderedDown(backend.id(), one.run()))
            .orElse(false);
    if (ordered) {
      return Phase.STOPPING_ENGINE;
    }
    return s.sightings().isReady(backend.id()) ? Phase.DRAINING : Phase.RESTORING;
  }

  private static Phase coming(Situation s, Ownership ownership, Step step, boolean toEngine) {
    if (ownership.owner().isEmpty()) {
      return Phase.RUNNING;
    }
    Backend.Id id = ownership.owner().get();
    if (s.box().runsToExit(id) && isAtWork(s, id)) {
      return Phase.RUNNING;
    }
    if (!s.sightings().isDown(id)) {
      if (toEngine) {
        return Phase.RESTORING;
      }
      return s.sightings().isReady(id) ? Phase.RUNNING : Phase.STARTING_MEDIA;
    }
    // Down, and its start is under way or was just answered, or a back-off is waited for.
    boolean begun =
        s.attempts()
            .last(id, Note.Verb.START)
            .filter(start -> start.isUnderWay() || !start.accounted())
            .isPresent();
    if (begun || step instanceof Step.Await || step instanceof Step.Settling) {
      return toEngine ? Phase.RESTORING : Phase.STARTING_MEDIA;
    }
    return Phase.FREEING;
  }

  /** A container that is itself the job is never ready: it runs, or its results are fetched. */
  private static boolean isAtWork(Situation s, Backend.Id id) {
    return !s.sightings().isDown(id)
        || s.jobs()
            .run()
            .filter(run -> run.job().backend().equals(id))
            .filter(run -> run.isOnServer() && run.stage() != JobRun.Stage.SUBMITTING)
            .filter(run -> run.heard().waiting().isEmpty())
            .isPresent();
  }
}

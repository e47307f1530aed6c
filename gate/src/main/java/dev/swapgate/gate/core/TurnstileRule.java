package dev.swapgate.gate.core;

import dev.swapgate.gate.core.ContainerSighting.State;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/** For which engine the turnstile is open, if for any (DESIGN 3). Pure. */
public final class TurnstileRule {

  private TurnstileRule() {}

  public static Optional<Backend.Id> openFor(Situation s, Ownership ownership) {
    if (s.sightings().isBlind()) {
      return s.openFor().or(() -> calledOff(s));
    }
    if (ownership.why() == Ownership.Why.MAINTENANCE) {
      return Stream.concat(Stream.of(s.selected()), s.box().engines().stream().map(Engine::id))
          .filter(id -> isServing(s, id))
          .findFirst();
    }
    return ownership.owner().filter(id -> s.box().engine(id).isPresent() && isServing(s, id));
  }

  /** Seen running, ready under this run, and nothing of ours was sent to it or hangs over it. */
  static boolean isServing(Situation s, Backend.Id id) {
    Optional<Sightings.Running> running = s.sightings().running(id);
    boolean runs =
        s.sightings().look(id).map(look -> look.seen().state() == State.RUNNING).orElse(false);
    return runs
        && running.map(Sightings.Running::ready).orElse(false)
        && !s.isCondemned(id)
        && !s.attempts().wasOrderedDown(id, running.orElseThrow().run())
        && !s.attempts().isUnsettled(id);
  }

  /** While Docker cannot be asked, a drain whose stop was not sent ends once a probe passed. */
  private static Optional<Backend.Id> calledOff(Situation s) {
    Duration since = s.sightings().blindSince().orElse(Duration.ZERO);
    return s.lastOpenFor()
        .filter(id -> isServing(s, id))
        .filter(
            id ->
                s.sightings()
                    .running(id)
                    .filter(one -> one.passes() > 0)
                    .flatMap(Sightings.Running::lastProbe)
                    .map(at -> at.compareTo(since) >= 0)
                    .orElse(false));
  }
}

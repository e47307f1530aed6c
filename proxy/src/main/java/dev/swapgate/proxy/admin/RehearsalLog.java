package dev.swapgate.proxy.admin;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.CardReading;
import dev.swapgate.gate.core.ContainerSighting;
import dev.swapgate.gate.core.GateEvent;
import dev.swapgate.gate.core.GateView;
import dev.swapgate.gate.core.Now;
import dev.swapgate.gate.core.Phase;
import dev.swapgate.proxy.admin.Rehearsal.Card;
import dev.swapgate.proxy.admin.Rehearsal.Line;
import dev.swapgate.proxy.admin.Rehearsal.Stop;
import dev.swapgate.proxy.admin.Rehearsal.Time;
import dev.swapgate.proxy.admin.RehearsalAdvice.Seen;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;

/** What one rehearsal saw: written by its thread, read by whoever asks. Thread-safe. */
final class RehearsalLog {
  private static final int MOST_LINES = 200;
  private static final Set<String> TOLD = Set.of("command", "step", "media", "card", "engine");
  private static final int KILLED = 137;

  private final String id = UUID.randomUUID().toString().substring(0, 8);
  private final Backend engine;
  private final Backend media;
  private final Now begun;
  private final List<Line> lines = new ArrayList<>();
  private final Map<Step, Duration> times = new LinkedHashMap<>();
  private final Map<Backend.Id, Stop> stops = new LinkedHashMap<>();
  private Phase phase = Phase.SERVING;
  private Duration phaseSince;
  private boolean mediaStarted;
  private OptionalLong total = OptionalLong.empty();
  private OptionalLong empty = OptionalLong.empty();
  private OptionalLong freeWhileServing = OptionalLong.empty();
  private Optional<String> trouble = Optional.empty();
  private Optional<String> failure = Optional.empty();
  private Duration end = Duration.ZERO;

  private record Step(Backend.Id backend, String name) {}

  RehearsalLog(Backend engine, Backend media, Now now) {
    this.engine = engine;
    this.media = media;
    this.begun = now;
    this.phaseSince = now.steady();
  }

  /** The card as it is while the engine serves. */
  synchronized void serving(CardReading reading) {
    if (reading instanceof CardReading.Sample sample) {
      total = OptionalLong.of(sample.totalMib());
      freeWhileServing = OptionalLong.of(sample.freeMib());
    }
  }

  /** True when it is another phase than before. */
  synchronized boolean phase(GateView view, Now now) {
    if (view.phase() == phase) {
      return false;
    }
    Duration took = now.steady().minus(phaseSince);
    step(phase).ifPresent(step -> times.merge(step, took, Duration::plus));
    phase = view.phase();
    phaseSince = now.steady();
    if (phase == Phase.STARTING_MEDIA && !mediaStarted) {
      mediaStarted = true;
      if (view.card().freeMib() >= 0) {
        empty = OptionalLong.of(view.card().freeMib());
      }
    }
    add(now, phase.word(), view.reason());
    return true;
  }

  private Optional<Step> step(Phase ended) {
    return switch (ended) {
      case DRAINING -> Optional.of(new Step(engine.id(), "drain"));
      case STOPPING_ENGINE -> Optional.of(new Step(engine.id(), "stop"));
      case FREEING -> Optional.of(new Step(mediaStarted ? media.id() : engine.id(), "release"));
      case STARTING_MEDIA -> Optional.of(new Step(media.id(), "start_to_ready"));
      case STOPPING_MEDIA -> Optional.of(new Step(media.id(), "stop"));
      case RESTORING -> Optional.of(new Step(engine.id(), "start_to_ready"));
      case BOOTING, SERVING, RUNNING, DEGRADED, MAINTENANCE -> Optional.empty();
    };
  }

  synchronized void happened(GateEvent event, Now now) {
    if (event.level() == GateEvent.Level.ERROR) {
      trouble = Optional.of(event.text());
    }
    if (TOLD.contains(event.what()) && event.level() != GateEvent.Level.DEBUG) {
      add(now, event.what(), event.text());
    }
  }

  synchronized void note(Now now, String what, String text) {
    add(now, what, text);
  }

  /** The gate told more than could be kept up with. */
  synchronized void lost() {
    trouble = Optional.of("more happened than a rehearsal keeps");
  }

  private void add(Now now, String what, String text) {
    if (lines.size() < MOST_LINES) {
      lines.add(new Line(seconds(now.steady().minus(begun.steady())), what, text));
    }
  }

  /** How a container ended, seen while it is down. */
  synchronized void ended(Backend backend, ContainerSighting sighting) {
    Duration took = times.getOrDefault(new Step(backend.id(), "stop"), Duration.ZERO);
    Duration grace = backend.budgets().stopGracePeriod().orElse(sighting.stopTimeout());
    boolean hasCode = sighting.exitCode().isPresent();
    int code = sighting.exitCode().orElse(0);
    stops.put(
        backend.id(),
        new Stop(
            backend.id().value(),
            backend.container(),
            seconds(took),
            seconds(grace),
            hasCode ? code : null,
            code == KILLED && !sighting.oomKilled()));
  }

  /** The last thing that went wrong, in the gate's words. */
  synchronized Optional<String> trouble() {
    return trouble;
  }

  /**
   * @param reason why it failed; empty when it did not
   */
  synchronized void over(String reason, Now now) {
    failure = Optional.of(reason);
    end = now.steady();
  }

  synchronized boolean isOver() {
    return failure.isPresent();
  }

  synchronized Rehearsal report(Now now) {
    String state =
        failure
            .map(reason -> reason.isEmpty() ? Rehearsal.DONE : Rehearsal.FAILED)
            .orElse(Rehearsal.RUNNING);
    boolean done = state.equals(Rehearsal.DONE);
    List<Seen> seen = List.of(seen(engine, held()), seen(media, OptionalLong.empty()));
    return new Rehearsal(
        id,
        media.id().value(),
        engine.id().value(),
        state,
        failure.orElse(""),
        begun.wall().toString(),
        seconds((isOver() ? end : now.steady()).minus(begun.steady())),
        List.copyOf(lines),
        times.entrySet().stream()
            .map(
                one ->
                    new Time(
                        one.getKey().backend().value(),
                        one.getKey().name(),
                        seconds(one.getValue())))
            .toList(),
        List.copyOf(stops.values()),
        new Card(orNull(total), orNull(empty), orNull(held())),
        RehearsalAdvice.sentences(seen),
        done ? RehearsalAdvice.yaml(seen) : "");
  }

  private OptionalLong held() {
    if (empty.isEmpty() || freeWhileServing.isEmpty()) {
      return OptionalLong.empty();
    }
    long mib = empty.getAsLong() - freeWhileServing.getAsLong();
    return mib > 0 ? OptionalLong.of(mib) : OptionalLong.empty();
  }

  private Seen seen(Backend backend, OptionalLong heldMib) {
    return new Seen(
        backend,
        Optional.ofNullable(times.get(new Step(backend.id(), "start_to_ready"))),
        Optional.ofNullable(times.get(new Step(backend.id(), "release"))),
        Optional.ofNullable(stops.get(backend.id())),
        heldMib);
  }

  private static @org.jspecify.annotations.Nullable Long orNull(OptionalLong mib) {
    return mib.isPresent() ? mib.getAsLong() : null;
  }

  /** To a tenth: the gate looks about once a second. */
  private static double seconds(Duration length) {
    return Math.round(length.toMillis() / 100.0) / 10.0;
  }
}

package dev.swapgate.gate.sim;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.ContainerSighting;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** One container of the simulated box, as it really is. */
final class SimContainer {
  final Backend.Id id;
  final boolean engine;
  final boolean runsToExit;
  final boolean ignoresTerm;
  String containerId;
  boolean exists = true;
  boolean running;
  boolean paused;
  boolean ours;
  boolean orderedDown;
  int stopsThisRun;
  Instant startedAt = Instant.EPOCH;
  boolean everStarted;
  int exitCode = -1;
  int run;
  long readyAt;
  long holdsUntil;
  long heldMib;
  boolean unhealthy;
  long brokenUntil;
  final Map<String, SimJob> jobs = new HashMap<>();

  /** By what the request that lies ready for its next run is known; empty for none. */
  String staged = "";

  /** Its last run before that request lay ready. */
  int stagedAfter;

  /** What the media server has in memory of one job. */
  static final class SimJob {
    long doneAt;
    boolean errors;
    boolean hangs;
    boolean cancelled;
  }

  SimContainer(Backend.Id id, boolean engine, boolean runsToExit, boolean ignoresTerm) {
    this.id = id;
    this.engine = engine;
    this.runsToExit = runsToExit;
    this.ignoresTerm = ignoresTerm;
    this.containerId = "c-" + id + "-0";
  }

  ContainerSighting sighting() {
    if (!exists) {
      return ContainerSighting.missing();
    }
    ContainerSighting.State state =
        !running
            ? ContainerSighting.State.DOWN
            : paused ? ContainerSighting.State.PAUSED : ContainerSighting.State.RUNNING;
    return new ContainerSighting(
        state,
        containerId,
        everStarted ? Optional.of(startedAt) : Optional.empty(),
        !running && everStarted ? OptionalInt.of(exitCode) : OptionalInt.empty(),
        Duration.ofSeconds(10),
        false,
        false,
        false);
  }

  boolean isReady(long now) {
    return running && !paused && !unhealthy && now >= readyAt;
  }
}

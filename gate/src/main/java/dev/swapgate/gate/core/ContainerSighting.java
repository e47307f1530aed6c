package dev.swapgate.gate.core;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What one look at one container saw.
 *
 * @param id the container's id; empty when it is missing
 * @param startedAt when it was last started, by Docker's clock; empty when never
 * @param exitCode of its last run, when it is down and has run
 * @param stopTimeout its own stop grace period
 * @param restartPolicy true when Docker may start it by itself
 * @param oomKilled true when the host's memory limit ended its last run; never about the card
 * @param autoRemove true for {@code --rm}: gone once stopped, so it could never come back
 */
public record ContainerSighting(
    State state,
    String id,
    Optional<Instant> startedAt,
    OptionalInt exitCode,
    Duration stopTimeout,
    boolean restartPolicy,
    boolean oomKilled,
    boolean autoRemove) {

  /** What counts: is it off the card or not. */
  public enum State {
    /** No container of that name: counts as down. */
    MISSING,
    /** Running=false and Pid=0. */
    DOWN,
    /** Running, or between two runs of a restart policy. */
    RUNNING,
    /** Paused: its memory stays on the card, so it is not down. */
    PAUSED
  }

  /** Docker's default stop grace period, used where a container names none. */
  public static final Duration DEFAULT_STOP_TIMEOUT = Duration.ofSeconds(10);

  /** A name under which Docker has no container. */
  public static ContainerSighting missing() {
    return new ContainerSighting(
        State.MISSING,
        "",
        Optional.empty(),
        OptionalInt.empty(),
        DEFAULT_STOP_TIMEOUT,
        false,
        false,
        false);
  }

  public boolean isDown() {
    return state == State.DOWN || state == State.MISSING;
  }

  /** One run of one container: what readiness, stops and kills are counted under. */
  public Optional<Run> run() {
    return isDown() ? Optional.empty() : startedAt.map(at -> new Run(id, at));
  }

  /** One run of one container, from a start to the next. */
  public record Run(String id, Instant startedAt) {}
}

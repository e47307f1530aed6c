package dev.swapgate.gate.core;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Failed attempts to bring engines back, and what follows from them: back-off, the fallback engine,
 * degraded. Never gives up. Not thread-safe; belongs to the gate's loop.
 */
public final class Restores {

  /** The first wait after a failed attempt; doubles up to {@link #LONGEST} (DESIGN 4). */
  public static final Duration FIRST = Duration.ofSeconds(10);

  public static final Duration LONGEST = Duration.ofMinutes(5);

  /** After this long without chat on the fallback engine the selected one is tried again. */
  public static final Duration QUIET = Duration.ofMinutes(10);

  private record Failure(int counted, int inARow, Duration notBefore, String reason) {}

  private final Map<Backend.Id, Failure> failures = new HashMap<>();
  private final Set<ContainerSighting.Run> overdue = new HashSet<>();

  /**
   * An attempt failed.
   *
   * @param counts false when the machine was not ready (driver, CDI, daemon), which is no attempt
   */
  public void failed(Backend.Id engine, String reason, boolean counts, Now now) {
    Failure before = failures.get(engine);
    int inARow = before == null ? 1 : before.inARow() + 1;
    int counted = (before == null ? 0 : before.counted()) + (counts ? 1 : 0);
    failures.put(engine, new Failure(counted, inARow, now.steady().plus(backOff(inARow)), reason));
  }

  static Duration backOff(int inARow) {
    Duration wait = FIRST;
    for (int i = 1; i < inARow && wait.compareTo(LONGEST) < 0; i++) {
      wait = wait.multipliedBy(2);
    }
    return wait.compareTo(LONGEST) > 0 ? LONGEST : wait;
  }

  /** It is ready: all is forgiven. */
  public void succeeded(Backend.Id engine) {
    failures.remove(engine);
    overdue.clear();
  }

  /** Gives an engine that was given up one more attempt, at once. */
  public void tryAgain(Engine engine, Now now) {
    Failure before = failures.get(engine.id());
    if (before != null) {
      failures.put(
          engine.id(),
          new Failure(
              Math.min(before.counted(), engine.attempts() - 1),
              before.inARow(),
              now.steady(),
              before.reason()));
    }
  }

  /** A person asked for this engine: its past does not count. */
  public void forgive(Backend.Id engine) {
    failures.remove(engine);
  }

  /** Steady time before which it is not started. */
  public Duration notBefore(Backend.Id engine) {
    Failure failure = failures.get(engine);
    return failure == null ? Duration.ZERO : failure.notBefore();
  }

  public boolean isGivenUp(Engine engine) {
    Failure failure = failures.get(engine.id());
    return failure != null && failure.counted() >= engine.attempts();
  }

  /** How often in a row it failed. */
  public int failures(Backend.Id engine) {
    Failure failure = failures.get(engine);
    return failure == null ? 0 : failure.inARow();
  }

  public Optional<String> reason(Backend.Id engine) {
    return Optional.ofNullable(failures.get(engine)).map(Failure::reason);
  }

  /** Marks this run overdue; true the first time. */
  public boolean overdue(ContainerSighting.Run run) {
    return overdue.add(run);
  }

  /** The engine that should serve: the selected one, or the fallback while that is given up. */
  public Engine toServe(Box box, Backend.Id selected) {
    Engine wanted = box.engine(selected).orElseThrow();
    if (!isGivenUp(wanted)) {
      return wanted;
    }
    return box.fallbackEngine()
        .flatMap(box::engine)
        .filter(engine -> !isGivenUp(engine))
        .orElse(wanted);
  }

  /** Why no engine can be brought back for now; empty while there is hope. */
  public Optional<String> degraded(Box box, Backend.Id selected) {
    Engine engine = toServe(box, selected);
    return isGivenUp(engine) ? reason(engine.id()) : Optional.empty();
  }
}

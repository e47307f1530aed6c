package dev.swapgate.gate.core;

import java.time.Instant;
import java.util.Optional;

/**
 * One thing that happened, for logs, history and the event stream.
 *
 * @param what a word: {@code phase job swap step lease engine card command}
 * @param text one sentence for people
 * @param backend empty when none is concerned
 * @param job empty when none is concerned
 * @param jobState how that job stands with this event; empty when none is concerned
 */
public record GateEvent(
    Instant at,
    Level level,
    String what,
    String text,
    String backend,
    String job,
    Optional<Job.State> jobState) {

  /** One that concerns no job's state. */
  public GateEvent(Instant at, Level level, String what, String text, String backend, String job) {
    this(at, level, what, text, backend, job, Optional.empty());
  }

  /** How loud it is. */
  public enum Level {
    DEBUG,
    INFO,
    WARN,
    ERROR
  }
}

package dev.swapgate.gate.core;

import java.time.Instant;
import java.util.Optional;

/**
 * One Docker command as it is noted on disk.
 *
 * @param run the run of the container that it was meant for, where one was seen
 * @param sentAt wall time
 * @param end how it ended; empty while it is under way, and unknown to the next process then
 */
public record Note(
    Backend.Id backend,
    Verb verb,
    long attempt,
    Optional<ContainerSighting.Run> run,
    Instant sentAt,
    Optional<CommandEnd> end) {

  /** The same command, over. */
  public Note endedWith(CommandEnd how) {
    return new Note(backend, verb, attempt, run, sentAt, Optional.of(how));
  }

  /** What can be asked of a container. */
  public enum Verb {
    START,
    STOP,
    KILL
  }
}

package dev.swapgate.gate.core;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One piece of media work as it stands on disk. Immutable; a change is a new value.
 *
 * @param shape what its run time is learned by: the workflow without the values that do not change
 *     its length; chosen by the adapter
 * @param attempts attempts begun so far
 * @param ticket by what the media server knows the latest attempt; written before it is submitted
 * @param when not before this moment
 * @param error why it failed or was cancelled; why its last attempt was lost while it waits
 * @param files names of the published results
 * @param terms on what terms it was handed in; never changes
 */
public record Job(
    Id id,
    Backend.Id backend,
    String shape,
    State state,
    int attempts,
    Optional<Ticket> ticket,
    Instant created,
    Optional<Instant> when,
    Optional<Instant> started,
    Optional<Instant> ended,
    String error,
    List<String> files,
    JobTerms terms) {
  public Job {
    files = List.copyOf(files);
  }

  /** A job on plain terms. */
  public Job(
      Id id,
      Backend.Id backend,
      String shape,
      State state,
      int attempts,
      Optional<Ticket> ticket,
      Instant created,
      Optional<Instant> when,
      Optional<Instant> started,
      Optional<Instant> ended,
      String error,
      List<String> files) {
    this(
        id,
        backend,
        shape,
        state,
        attempts,
        ticket,
        created,
        when,
        started,
        ended,
        error,
        files,
        JobTerms.PLAIN);
  }

  /** The name by which the owner of the box speaks of a job: short, unique, safe in a path. */
  public record Id(String value) implements Comparable<Id> {
    public Id {
      if (!value.matches("[A-Za-z0-9_-]{1,64}")) {
        throw new IllegalArgumentException("not a job id: " + value);
      }
    }

    @Override
    public int compareTo(Id other) {
      return value.compareTo(other.value);
    }

    @Override
    public String toString() {
      return value;
    }
  }

  /** Where a job stands; the last three are final and never change. */
  public enum State {
    QUEUED,
    RUNNING,
    DONE,
    FAILED,
    CANCELLED;

    public boolean isFinal() {
      return this == DONE || this == FAILED || this == CANCELLED;
    }
  }

  /** By what the media server knows one attempt; opaque to all but the adapter that made it. */
  public record Ticket(String value) {}

  /** The same job on other terms, while nobody has heard of it yet. */
  public Job on(JobTerms others) {
    return new Job(
        id, backend, shape, state, attempts, ticket, created, when, started, ended, error, files,
        others);
  }

  /** The moment by which its place in the queue is decided. */
  Instant rank() {
    return created.plus(terms.priority().handicap());
  }

  /** A new attempt: noted before the server hears of it. */
  public Job attempted(Ticket newTicket, Instant at) {
    return new Job(
        id,
        backend,
        shape,
        State.RUNNING,
        attempts + 1,
        Optional.of(newTicket),
        created,
        when,
        started.or(() -> Optional.of(at)),
        Optional.empty(),
        error,
        files,
        terms);
  }

  /** The same attempt, known to the server by another ticket than the one we chose. */
  public Job withTicket(Ticket newTicket) {
    return new Job(
        id,
        backend,
        shape,
        state,
        attempts,
        Optional.of(newTicket),
        created,
        when,
        started,
        ended,
        error,
        files,
        terms);
  }

  /** Back in the queue, the attempt counted or not. */
  public Job requeued(int attemptsCounted, String why) {
    return new Job(
        id,
        backend,
        shape,
        State.QUEUED,
        attemptsCounted,
        Optional.empty(),
        created,
        when,
        started,
        Optional.empty(),
        why,
        files,
        terms);
  }

  /** A final state; throws {@link IllegalStateException} when the job has one already. */
  public Job ended(State end, String why, List<String> published, Instant at) {
    if (state.isFinal() || !end.isFinal()) {
      throw new IllegalStateException("job " + id + " cannot go from " + state + " to " + end);
    }
    return new Job(
        id,
        backend,
        shape,
        end,
        attempts,
        ticket,
        created,
        when,
        started,
        Optional.of(at),
        why,
        published,
        terms);
  }
}

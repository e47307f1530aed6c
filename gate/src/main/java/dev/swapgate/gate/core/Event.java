package dev.swapgate.gate.core;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the loop is told: an answer, a hint, a wish, or that time has passed. */
public sealed interface Event {

  /** Time has passed. */
  record Woke() implements Event {}

  record Looked(long ask, Map<Backend.Id, ContainerSighting> seen) implements Event {}

  record LookFailed(long ask, String reason) implements Event {}

  record Measured(long ask, CardReading reading) implements Event {}

  record Probed(long ask, Backend.Id backend, ProbeResult result) implements Event {}

  record CommandEnded(long attempt, CommandEnd end) implements Event {}

  /** The attempt is on disk. */
  record Begun(long ask, Job job) implements Event {}

  record Answered(long ask, Job.Id job, JobAnswer answer) implements Event {}

  /**
   * A write was carried out, or not.
   *
   * @param error empty when it is on disk
   */
  record Saved(long ask, Job.Id job, String error) implements Event {}

  /**
   * New jobs are on disk, all of them or none.
   *
   * @param jobs older ones when their key was known; empty when they could not be written
   */
  record Accepted(long request, List<Job> jobs, String error) implements Event {
    public Accepted {
      jobs = List.copyOf(jobs);
    }
  }

  /** A container may have changed; empty: any. */
  record Hinted(Optional<Backend.Id> backend, boolean signalled) implements Event {}

  /** Nobody is inside the shut turnstile any more. */
  record Emptied() implements Event {}

  /** Requests of the street side; each is answered by one {@link Command.Reply}. */
  sealed interface Wish extends Event {
    long request();

    /** Jobs of one backend that are accepted together or not at all; at least one. */
    record Submit(long request, List<NewJob> jobs, String idempotencyKey) implements Wish {
      public Submit {
        jobs = List.copyOf(jobs);
      }
    }

    record Cancel(long request, Job.Id job) implements Wish {}

    record Select(long request, Backend.Id engine) implements Wish {}

    record TakeLease(long request, Optional<Backend.Id> backend, Duration length, LeaseTerms terms)
        implements Wish {}

    /** A lease is still wanted, perhaps for so long from now. */
    record Beat(long request, String lease, Optional<Duration> length) implements Wish {}

    record Release(long request, String lease) implements Wish {}

    record Maintain(long request, boolean on) implements Wish {}

    /**
     * The rules and budgets of the same containers have changed.
     *
     * @param what for people
     */
    record Reconfigure(long request, Box box, String what) implements Wish {}
  }
}

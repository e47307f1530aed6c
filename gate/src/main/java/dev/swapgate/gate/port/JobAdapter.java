package dev.swapgate.gate.port;

import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobAnswer;
import dev.swapgate.gate.core.JobRequest;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * How one kind of media server is asked to do a job. Each call asks the server once and returns
 * within its own time-outs; what the server does wrong is a {@link JobAnswer}, not an exception.
 * Thread-safe.
 */
public interface JobAdapter {

  /**
   * Beside the results of a job: a line for each with its SHA-256 in hexadecimal, two spaces and
   * its name, as {@code sha256sum} writes and checks them.
   */
  String CHECKSUMS = ".swapgate-sha256";

  /**
   * Why this request can never run, told before it is accepted and without asking the server; empty
   * when nothing speaks against it.
   */
  Optional<String> refusal(JobRequest request);

  /** What the run time of this request is learned by; short, stable, the same for like requests. */
  String shape(JobRequest request);

  /**
   * What is to be set in a request, beside what is set already, so that a repeat of it gives
   * something else: every seed it states. Empty when it states none.
   *
   * @param seed at least 0, below 2³²
   */
  default Map<String, String> reseeded(JobRequest request, long seed) {
    return Map.of();
  }

  /** True when the server does nothing for a request that it has answered since its start. */
  default boolean remembersAnswers() {
    return false;
  }

  /**
   * What the server is at work on, whoever asked for it: a short text that becomes another one as
   * work is done, "" when it has nothing to do. Empty when it does not tell.
   */
  default Optional<String> underWay() {
    return Optional.empty();
  }

  /** A ticket for a new attempt, made before the server hears of it. */
  Job.Ticket newTicket(Job.Id job, int attempt);

  /** Accepted, Rejected or Unanswered (the server may have it all the same). */
  JobAnswer submit(JobRequest request, Job.Ticket ticket);

  /** Working, Finished, Errored, Interrupted, NotKnown, NeverCame or Unanswered. */
  JobAnswer follow(Job.Ticket ticket);

  /**
   * Saves every result into {@code folder}: written under temporary names, fsynced, then renamed
   * and the folder fsynced, so that a name that is there is whole. May be called again after a
   * crash. Their {@link #CHECKSUMS} lie beside them. Collected, Unanswered, Unwritable or
   * Uncollectable.
   */
  JobAnswer collect(Job.Ticket ticket, Path folder);

  /** Asks the server to give the job up: dequeued or interrupted. Interrupted or Unanswered. */
  JobAnswer cancel(Job.Ticket ticket);
}

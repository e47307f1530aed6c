package dev.swapgate.gate.core;

import java.util.List;

/** What a media server, asked once about one job attempt, turned out to say. */
public sealed interface JobAnswer {

  /**
   * It took the job.
   *
   * @param ticket by what it knows the job from now on
   * @param warning what it will not do, for people; empty when there is none
   */
  record Accepted(Job.Ticket ticket, String warning) implements JobAnswer {}

  /** The request lies where the container will find it; the container is to be started for it. */
  record Waiting() implements JobAnswer {}

  /** It refused the job, for a reason that stands: the job's own fault. */
  record Rejected(String reason) implements JobAnswer {}

  /** It has the job and has not finished it; {@code progress} in [0, 1], or NaN when untold. */
  record Working(double progress) implements JobAnswer {}

  /** The job ran to its end; its results can be collected. */
  record Finished() implements JobAnswer {}

  /** The job ended in an error of its own. */
  record Errored(String reason) implements JobAnswer {}

  /** The job ended because it was cancelled or interrupted. */
  record Interrupted() implements JobAnswer {}

  /** It knows nothing of this attempt, neither queued, nor running, nor ended. */
  record NotKnown() implements JobAnswer {}

  /** It knows nothing of this attempt, and would if the attempt had come to it since its start. */
  record NeverCame() implements JobAnswer {}

  /** It could not be asked, or what it said makes no sense; asking again may help. */
  record Unanswered(String reason) implements JobAnswer {}

  /** All results lie on our disk, fsynced and published under these names. */
  record Collected(List<String> files) implements JobAnswer {
    public Collected {
      files = List.copyOf(files);
    }
  }

  /** Our own disk would not take the results: full, read-only, broken. */
  record Unwritable(String reason) implements JobAnswer {}

  /** The results can never be had: gone, named so that we will not write them, too large. */
  record Uncollectable(String reason) implements JobAnswer {}
}

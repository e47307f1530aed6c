package dev.swapgate.gate.port;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobRequest;
import dev.swapgate.gate.core.NewJob;
import dev.swapgate.gate.core.StepTimes;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What must outlive the process. A call that returned is on the disk (fsynced); a call that could
 * not be carried out throws {@link StoreException} and left nothing behind. Thread-safe, one writer
 * at a time.
 */
public interface JobStore extends AutoCloseable {

  /** Every job that is not final, in the order of its acceptance. */
  List<Job> open();

  /** The backend's jobs that are not final, newest first, at most {@code limit}. */
  List<Job> open(Backend.Id backend, int limit);

  /** The jobs in these states, newest first, at most {@code limit}. */
  List<Job> jobs(List<Job.State> states, int limit);

  Optional<Job> job(Job.Id id);

  /** The job that was accepted under this key, if any. */
  Optional<Job> byKey(String idempotencyKey);

  /** What was asked; empty once its retention ended. */
  Optional<JobRequest> request(Job.Id id);

  /**
   * Accepts a job. A key that is known already changes nothing: the job of that key is returned.
   *
   * @param idempotencyKey empty for none
   */
  default Job insert(Job job, JobRequest request, String idempotencyKey) {
    return insertAll(List.of(new NewJob(job, request)), idempotencyKey).getFirst();
  }

  /**
   * Accepts jobs, all of them or none. A key that is known already changes nothing: the jobs of
   * that key are returned.
   *
   * @param idempotencyKey of them all; empty for none
   */
  List<Job> insertAll(List<NewJob> jobs, String idempotencyKey);

  /** The jobs that were accepted in this batch, in the order of their acceptance. */
  List<Job> batch(Job.Id batch);

  /** Puts the job as it now stands. A final state is never overwritten: then nothing happens. */
  void update(Job job);

  /** The last samples of every step, oldest first. */
  List<StepTimes.Sample> stepTimes();

  void addStepTime(StepTimes.Sample sample, Instant at);

  /** Single values that must be remembered: what was selected, maintenance, the swap's start. */
  Map<String, String> settings();

  /** Remembers a value; an empty one forgets it. */
  void put(String key, String value);

  /** Notes one line of history. {@code job} and {@code backend} may be empty. */
  void addHistory(Instant at, String what, String backend, String job, String json);

  /** The newest lines of history first, at most {@code limit}. */
  List<HistoryLine> history(int limit);

  /** Notes a swap that is over. */
  void addSwap(Instant since, Instant until, String json);

  /** The newest swaps first, at most {@code limit}. */
  List<String> swaps(int limit);

  /** Forgets jobs that ended before then, with their requests, and history older than that. */
  List<Job.Id> forgetBefore(Instant then);

  @Override
  void close();

  /** One line of history. */
  record HistoryLine(Instant at, String what, String backend, String job, String json) {}

  /** The disk would not take it, or the file is not ours to write. */
  final class StoreException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What kind of trouble it is; the message says what to do. */
    public enum Kind {
      /** Full, read-only or broken: jobs wait until the disk takes them again. */
      DISK,
      /** Another process holds the file: a second swapgate seems to run. */
      IN_USE,
      /** The file cannot be trusted; a person must move it aside. */
      DAMAGED,
      /** A newer swapgate wrote it. */
      TOO_NEW
    }

    private final Kind kind;

    public StoreException(Kind kind, String message, Throwable cause) {
      super(message, cause);
      this.kind = kind;
    }

    public StoreException(Kind kind, String message) {
      super(message);
      this.kind = kind;
    }

    public StoreException(String message, Throwable cause) {
      this(Kind.DISK, message, cause);
    }

    public StoreException(String message) {
      this(Kind.DISK, message);
    }

    public Kind kind() {
      return kind;
    }
  }
}

package dev.swapgate.gate.runtime;

import dev.swapgate.gate.core.Command;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobRules;
import dev.swapgate.gate.core.Now;
import dev.swapgate.gate.core.Situation;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Writes of jobs beside the run: a requeued job, a ticket, a cancellation. Each is tried again
 * until it is on disk; of one job only the newest state counts. Not thread-safe; belongs to the
 * loop.
 */
final class JobWrites {
  private static final String NAME = "save:";

  private final Situation s;
  private final Asks asks;
  private final Outbox outbox;
  private final Map<Job.Id, Job> unsaved = new LinkedHashMap<>();

  /** As which each of them was sent to the store last: something newer may be said of it since. */
  private final Map<Job.Id, Job> sent = new HashMap<>();

  private Optional<Duration> retryAt = Optional.empty();

  JobWrites(Situation s, Asks asks, Outbox outbox) {
    this.s = s;
    this.asks = asks;
    this.outbox = outbox;
  }

  void save(Job job, Now now) {
    later(job, now);
    advance(now);
  }

  /** As above, at the next turn. */
  void later(Job job, Now now) {
    unsaved.put(job.id(), job);
    retryAt = Optional.of(now.steady());
  }

  /** What is to be written of this job and is not yet known to be on disk. */
  Optional<Job> pending(Job.Id id) {
    return Optional.ofNullable(unsaved.get(id));
  }

  /** Nothing more is to be written of it here; a write that is under way is not called back. */
  void forget(Job.Id id) {
    unsaved.remove(id);
  }

  /** A write was carried out: the job as it is on disk now, unless something newer is to follow. */
  Optional<Job> written(Job.Id id, Now now) {
    Job written = sent.remove(id);
    if (written == null || !unsaved.remove(id, written)) {
      retryAt = Optional.of(now.steady());
      return Optional.empty();
    }
    return Optional.of(written);
  }

  void failed(Now now) {
    retryAt = Optional.of(now.steady().plus(JobRules.RETRY_INTERVAL));
  }

  /** Sends what is due, and says when to come back. */
  void advance(Now now) {
    if (unsaved.isEmpty() && !s.storeWritable()) {
      // Nothing else would tell when the store takes writes again.
      s.jobs().queued().stream().findFirst().ifPresent(job -> unsaved.put(job.id(), job));
      retryAt = Optional.of(now.steady().plus(JobRules.BEGIN_LIMIT));
    }
    if (unsaved.isEmpty() || retryAt.isEmpty()) {
      return;
    }
    if (now.steady().compareTo(retryAt.get()) < 0) {
      outbox.wakeAt(retryAt.get());
      return;
    }
    retryAt = Optional.of(now.steady().plus(JobRules.RETRY_INTERVAL));
    for (Job job : unsaved.values()) {
      String name = NAME + job.id();
      if (!asks.isOut(name)) {
        sent.put(job.id(), job);
        outbox.add(new Command.Save(asks.ask(name, JobRules.BEGIN_LIMIT, now), job));
      }
    }
    outbox.wakeAt(retryAt.get());
  }
}

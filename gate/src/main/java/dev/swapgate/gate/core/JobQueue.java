package dev.swapgate.gate.core;

import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The jobs that are not over, in the order of their acceptance, and the one attempt that is under
 * way. Not thread-safe; belongs to the gate's loop.
 */
public final class JobQueue {

  private final Map<Job.Id, Job> open = new LinkedHashMap<>();
  private Optional<JobRun> run = Optional.empty();

  /** What {@link #queued} says until something changes; it is asked several times a decision. */
  private Optional<List<Job>> queued = Optional.empty();

  /** Takes up what an earlier process accepted; a running one goes on to be followed. */
  public JobQueue(Collection<Job> remembered, Now now) {
    remembered.forEach(job -> open.put(job.id(), job));
    run =
        remembered.stream()
            .filter(job -> job.state() == Job.State.RUNNING)
            .findFirst()
            .map(job -> JobRun.recovered(job, now));
  }

  public void add(Job job) {
    queued = Optional.empty();
    open.putIfAbsent(job.id(), job);
  }

  /** Puts a job as it now stands; a final one leaves the queue. */
  public void put(Job job) {
    queued = Optional.empty();
    if (job.state().isFinal()) {
      open.remove(job.id());
    } else {
      open.replace(job.id(), job);
    }
  }

  public Optional<Job> job(Job.Id id) {
    return Optional.ofNullable(open.get(id));
  }

  /** Waiting jobs in the order of their turns, without the one whose attempt is under way. */
  public List<Job> queued() {
    List<Job> now = queued.orElseGet(this::sorted);
    queued = Optional.of(now);
    return now;
  }

  private List<Job> sorted() {
    Optional<Job.Id> running = run.map(one -> one.job().id());
    // Stable: of two with the same rank the one that was accepted first goes first.
    return open.values().stream()
        .filter(job -> !running.equals(Optional.of(job.id())))
        .sorted(Comparator.comparing(Job::rank))
        .toList();
  }

  public Optional<JobRun> run() {
    return run;
  }

  public void run(Optional<JobRun> next) {
    queued = Optional.empty();
    run = next;
  }

  public int size() {
    return open.size();
  }
}

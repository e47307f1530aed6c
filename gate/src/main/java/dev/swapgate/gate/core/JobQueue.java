package dev.swapgate.gate.core;

import java.util.ArrayList;
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
    open.putIfAbsent(job.id(), job);
  }

  /** Puts a job as it now stands; a final one leaves the queue. */
  public void put(Job job) {
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
    List<Job> waiting = new ArrayList<>();
    for (Job job : open.values()) {
      if (run.map(one -> !one.job().id().equals(job.id())).orElse(true)) {
        waiting.add(job);
      }
    }
    // Stable: of two with the same rank the one that was accepted first goes first.
    waiting.sort(Comparator.comparing(Job::rank));
    return waiting;
  }

  public Optional<JobRun> run() {
    return run;
  }

  public void run(Optional<JobRun> next) {
    run = next;
  }

  public int size() {
    return open.size();
  }
}

package dev.swapgate.gate.core;

import java.util.Optional;

/**
 * On what terms a job was handed in, beside its moment.
 *
 * @param idle not before chat has been idle for a while
 * @param window when it may run; empty: at any time
 * @param batch what jobs that were handed in together are called; empty for a single one
 */
public record JobTerms(
    Priority priority, boolean idle, Optional<TimeWindow> window, Optional<Job.Id> batch) {

  /** A single job that may run whenever it is its turn. */
  public static final JobTerms PLAIN =
      new JobTerms(Priority.NORMAL, false, Optional.empty(), Optional.empty());

  public JobTerms withPriority(Priority other) {
    return new JobTerms(other, idle, window, batch);
  }

  public JobTerms whenIdle() {
    return new JobTerms(priority, true, window, batch);
  }

  public JobTerms within(TimeWindow hours) {
    return new JobTerms(priority, idle, Optional.of(hours), batch);
  }

  public JobTerms inBatch(Job.Id name) {
    return new JobTerms(priority, idle, window, Optional.of(name));
  }
}

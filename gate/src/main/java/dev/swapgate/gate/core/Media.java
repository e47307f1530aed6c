package dev.swapgate.gate.core;

import java.time.Duration;

/**
 * A backend that runs jobs.
 *
 * @param generation the full time one job takes: the basis of Retry-After until it is learned
 * @param jobBudget how long one job may run before it is cancelled and fails
 * @param noProgress how long a running job may stand still before it fails
 * @param tries how often a job is attempted when its server died under it
 * @param runsToExit true for a container that is itself the job: it is started once for each job,
 *     runs to its exit, and is never ready for anything else
 */
public record Media(
    Id id,
    String container,
    Budgets budgets,
    Duration generation,
    Duration jobBudget,
    Duration noProgress,
    int tries,
    boolean runsToExit)
    implements Backend {
  public Media {
    if (tries < 1) {
      throw new IllegalArgumentException("tries must be at least 1, was " + tries);
    }
  }

  /** A server, which does one job after the other. */
  public Media(
      Id id,
      String container,
      Budgets budgets,
      Duration generation,
      Duration jobBudget,
      Duration noProgress,
      int tries) {
    this(id, container, budgets, generation, jobBudget, noProgress, tries, false);
  }
}

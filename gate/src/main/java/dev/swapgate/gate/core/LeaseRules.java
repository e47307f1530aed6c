package dev.swapgate.gate.core;

import java.util.Optional;

/** When a lease is over before its time. Pure. */
public final class LeaseRules {

  private LeaseRules() {}

  /** Why it is over now; empty while it lasts. */
  public static Optional<String> over(Situation s, Lease lease, Now now) {
    if (now.steady().compareTo(lease.until()) >= 0) {
      return Optional.of("its time is over");
    }
    if (now.steady().compareTo(lease.overAt()) >= 0) {
      return lease
          .terms()
          .heartbeat()
          .map(beat -> "its heartbeat was not heard for " + beat.toSeconds() + " s");
    }
    return lease.terms().yields()
        ? waiting(s, lease.backend(), now)
            .map(job -> "job " + job.id() + " of " + job.backend() + " waits for the card")
        : Optional.empty();
  }

  /**
   * The job that a lease of this backend keeps waiting. One of the backend's own runs while the
   * lease goes on, unless it is chat's turn before it.
   */
  public static Optional<Job> waiting(Situation s, Optional<Backend.Id> leased, Now now) {
    return s.jobs().queued().stream()
        .filter(job -> OwnerPolicy.wantsCard(s, job, now))
        .filter(
            job ->
                !leased.equals(Optional.of(job.backend()))
                    || !OwnerPolicy.due(s, now).contains(job))
        .findFirst();
  }
}

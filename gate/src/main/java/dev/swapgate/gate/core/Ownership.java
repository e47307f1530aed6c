package dev.swapgate.gate.core;

import java.util.Optional;

/**
 * Who should own the card now, and why.
 *
 * @param owner empty for nobody
 */
public record Ownership(Optional<Backend.Id> owner, Why why) {

  /** The rule that applied. */
  public enum Why {
    MAINTENANCE,
    /** A job is under way or its results are not collected. */
    RUNNING_JOB,
    LEASE,
    DUE_JOB,
    /** Its queue is empty, but it keeps the card for a while. */
    LINGER,
    ENGINE
  }

  public boolean is(Backend.Id id) {
    return owner.map(id::equals).orElse(false);
  }
}

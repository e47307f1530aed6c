package dev.swapgate.gate.core;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The card handed to a media backend for a time, for use by hand.
 *
 * @param backend empty: to nobody ({@code lease none})
 * @param until steady time of its end
 * @param untilAt the same for people
 * @param byHand true when somebody started the container, rather than asking for the lease
 * @param beat steady time at which somebody last said that it is wanted; the start of this process
 *     for a lease of an earlier one
 */
public record Lease(
    String id,
    Optional<Backend.Id> backend,
    Duration until,
    Instant untilAt,
    boolean byHand,
    LeaseTerms terms,
    Duration beat) {

  /** One that lasts its whole time. */
  public Lease(
      String id, Optional<Backend.Id> backend, Duration until, Instant untilAt, boolean byHand) {
    this(id, backend, until, untilAt, byHand, LeaseTerms.PLAIN, Duration.ZERO);
  }

  /** Somebody wants it still. */
  public Lease beaten(Duration at) {
    return new Lease(id, backend, until, untilAt, byHand, terms, at);
  }

  /** With another end. */
  public Lease lasting(Duration length, Now now) {
    return new Lease(
        id,
        backend,
        now.steady().plus(length),
        now.wall().plus(length),
        byHand,
        terms,
        now.steady());
  }

  /** Steady time at which it is over if nobody says more: a heartbeat never lengthens it. */
  Duration overAt() {
    return terms
        .heartbeat()
        .map(beat::plus)
        .filter(silent -> silent.compareTo(until) < 0)
        .orElse(until);
  }
}

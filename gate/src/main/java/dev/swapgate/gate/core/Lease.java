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
 */
public record Lease(
    String id, Optional<Backend.Id> backend, Duration until, Instant untilAt, boolean byHand) {}

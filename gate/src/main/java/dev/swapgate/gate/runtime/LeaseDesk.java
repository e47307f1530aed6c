package dev.swapgate.gate.runtime;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.Command;
import dev.swapgate.gate.core.Command.Answer;
import dev.swapgate.gate.core.Event;
import dev.swapgate.gate.core.GateEvent.Level;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.Lease;
import dev.swapgate.gate.core.LeaseRules;
import dev.swapgate.gate.core.LeaseTerms;
import dev.swapgate.gate.core.Now;
import dev.swapgate.gate.core.OwnerPolicy;
import dev.swapgate.gate.core.Situation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Gives the card out for a time and takes it back. Not thread-safe; belongs to the loop. */
final class LeaseDesk {

  /** The loop wakes more often than that, unless the whole process stands still. */
  private static final Duration STANDSTILL = Duration.ofSeconds(20);

  private final Situation s;
  private final Outbox outbox;
  private Duration last;

  LeaseDesk(Situation s, Outbox outbox, Now now) {
    this.s = s;
    this.outbox = outbox;
    this.last = now.steady();
  }

  Answer take(Event.Wish.TakeLease wish, Now now) {
    if (!wish.length().isPositive()) {
      return tooShort();
    }
    Optional<Backend.Id> backend = wish.backend();
    if (backend.isPresent() && s.box().media(backend.get()).isEmpty()) {
      return refused(Answer.Kind.NOT_FOUND, "no media backend is named " + backend.get());
    }
    if (backend.filter(s.box()::runsToExit).isPresent()) {
      return refused(
          Answer.Kind.INVALID,
          backend.get()
              + " runs from a job's start to its exit and cannot be leased; submit a job, or empty"
              + " the card with: swapgate lease none");
    }
    Optional<String> against = backend.flatMap(id -> OwnerPolicy.preflight(s, id));
    if (against.isPresent()) {
      return refused(Answer.Kind.CONFLICT, against.get());
    }
    Optional<Job> waiting =
        wish.terms().yields() ? LeaseRules.waiting(s, backend, now) : Optional.empty();
    if (waiting.isPresent()) {
      return refused(
          Answer.Kind.CONFLICT,
          "job "
              + waiting.get().id()
              + " of "
              + waiting.get().backend()
              + " waits for the card, and this lease is to yield to jobs; ask again when it is"
              + " done, or without yielding to go before it");
    }
    return given(add(backend, wish.length(), false, wish.terms(), now));
  }

  /** A lease of the same backend is extended, not doubled; the last word counts. */
  private Lease add(
      Optional<Backend.Id> backend, Duration length, boolean byHand, LeaseTerms terms, Now now) {
    String id =
        s.leases().stream()
            .filter(lease -> lease.backend().equals(backend))
            .map(Lease::id)
            .findFirst()
            .orElseGet(() -> "lease-" + now.wall().toEpochMilli());
    s.leases().removeIf(lease -> lease.id().equals(id));
    Lease lease =
        new Lease(
            id,
            backend,
            now.steady().plus(length),
            now.wall().plus(length),
            byHand,
            terms,
            now.steady());
    s.leases().add(lease);
    remember();
    outbox.tell(
        Level.INFO,
        "lease",
        "the card is leased to "
            + ViewMaker.name(lease)
            + " for "
            + length.toSeconds()
            + " s"
            + (byHand ? ": its container was started by hand" : "")
            + terms.heartbeat().map(one -> ", while it is heard of").orElse("")
            + (terms.yields() ? ", unless a job waits" : ""),
        now);
    return lease;
  }

  /** It is still wanted. Only a new end is written down: a lease of an earlier process is heard. */
  Answer beat(Event.Wish.Beat wish, Now now) {
    if (wish.length().filter(length -> !length.isPositive()).isPresent()) {
      return tooShort();
    }
    Optional<Lease> found = find(wish.lease());
    if (found.isEmpty()) {
      return unknown(wish.lease());
    }
    Lease lease =
        wish.length()
            .map(length -> found.get().lasting(length, now))
            .orElseGet(() -> found.get().beaten(now.steady()));
    s.leases().set(s.leases().indexOf(found.get()), lease);
    if (wish.length().isPresent()) {
      remember();
      outbox.tell(Level.INFO, "lease", lease.id() + " lasts until " + lease.untilAt(), now);
    }
    return given(lease);
  }

  Answer release(String id, Now now) {
    if (find(id).isEmpty()) {
      return unknown(id);
    }
    end(lease -> lease.id().equals(id), "it was given back", now);
    return new Answer.Changed(Optional.empty(), Optional.empty());
  }

  /** Somebody started its container. */
  void byHand(Backend.Id media, Now now) {
    add(Optional.of(media), s.box().policy().handLease(), true, LeaseTerms.PLAIN, now);
  }

  /** A lease by hand ends with its container. */
  void wentDown(Backend.Id media, Now now) {
    end(
        lease -> lease.byHand() && lease.backend().equals(Optional.of(media)),
        "its container went down",
        now);
  }

  void visitFailed(Backend.Id media, Now now) {
    end(lease -> lease.backend().equals(Optional.of(media)), "its container failed", now);
  }

  /** Ends those that are over. While this process stood still nobody could be heard. */
  void expire(Now now) {
    Duration gap = now.steady().minus(last);
    last = now.steady();
    if (gap.compareTo(STANDSTILL) > 0) {
      s.leases().replaceAll(lease -> lease.beaten(lease.beat().plus(gap)));
    }
    for (Lease lease : List.copyOf(s.leases())) {
      LeaseRules.over(s, lease, now).ifPresent(why -> end(lease::equals, why, now));
    }
  }

  private void end(Predicate<Lease> which, String why, Now now) {
    for (Lease lease : s.leases().stream().filter(which).toList()) {
      s.leases().remove(lease);
      remember();
      outbox.tell(Level.INFO, "lease", lease.id() + " has ended: " + why, now);
    }
  }

  private void remember() {
    outbox.add(new Command.Remember(Memory.LEASES, Memory.encode(s.leases())));
  }

  private Optional<Lease> find(String id) {
    return s.leases().stream().filter(lease -> lease.id().equals(id)).findFirst();
  }

  private static Answer given(Lease lease) {
    return new Answer.Changed(Optional.empty(), Optional.of(ViewMaker.view(lease)));
  }

  private static Answer tooShort() {
    return refused(Answer.Kind.INVALID, "a lease must be longer than 0 s");
  }

  private static Answer unknown(String id) {
    return refused(Answer.Kind.NOT_FOUND, "no lease is named " + id + "; it may be over");
  }

  private static Answer refused(Answer.Kind kind, String reason) {
    return new Answer.Refused(kind, reason);
  }
}

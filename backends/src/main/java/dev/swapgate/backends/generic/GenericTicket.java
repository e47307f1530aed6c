package dev.swapgate.backends.generic;

import dev.swapgate.gate.core.Job;
import java.util.Optional;
import java.util.UUID;

/**
 * By what one attempt is known: our own mark, which the server never hears of, and the id the
 * server answered with, where it gives one.
 */
record GenericTicket(String kind, String mark, Optional<String> id) {

  static GenericTicket fresh(String kind) {
    return new GenericTicket(kind, UUID.randomUUID().toString(), Optional.empty());
  }

  /** The ticket as it was written; empty when another kind of adapter wrote it. */
  static Optional<GenericTicket> read(String kind, Job.Ticket ticket) {
    String[] parts = ticket.value().split("/", 3);
    if (parts.length < 2 || !parts[0].equals(kind) || !parts[1].matches("[0-9a-f-]{36}")) {
      return Optional.empty();
    }
    return Optional.of(
        new GenericTicket(
            kind, parts[1], parts.length == 3 ? Optional.of(parts[2]) : Optional.empty()));
  }

  GenericTicket answered(String theirs) {
    return new GenericTicket(kind, mark, Optional.of(theirs));
  }

  Job.Ticket written() {
    String chosen = kind + "/" + mark;
    return new Job.Ticket(id.map(theirs -> chosen + "/" + theirs).orElse(chosen));
  }
}

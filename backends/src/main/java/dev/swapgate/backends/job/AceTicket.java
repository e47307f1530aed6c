package dev.swapgate.backends.job;

import dev.swapgate.gate.core.Job;
import java.util.Optional;
import java.util.UUID;

/**
 * By what ACE-Step knows one attempt: by the task id it answers with and by nothing else. The mark
 * only tells two attempts of ours apart.
 */
record AceTicket(String mark, Optional<String> task) {
  private static final String KIND = "ace_step";

  static AceTicket fresh() {
    return new AceTicket(UUID.randomUUID().toString(), Optional.empty());
  }

  /** The ticket as it was written; empty when another adapter wrote it. */
  static Optional<AceTicket> read(Job.Ticket ticket) {
    String[] parts = ticket.value().split("/", 3);
    if (parts.length < 2 || !parts[0].equals(KIND)) {
      return Optional.empty();
    }
    return Optional.of(
        new AceTicket(parts[1], parts.length == 3 ? Optional.of(parts[2]) : Optional.empty()));
  }

  AceTicket answered(String id) {
    return new AceTicket(mark, Optional.of(id));
  }

  Job.Ticket written() {
    String chosen = KIND + "/" + mark;
    return new Job.Ticket(task.map(id -> chosen + "/" + id).orElse(chosen));
  }
}

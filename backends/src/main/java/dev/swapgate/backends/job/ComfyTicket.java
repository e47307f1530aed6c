package dev.swapgate.backends.job;

import dev.swapgate.gate.core.Job;
import java.util.Optional;
import java.util.UUID;

/**
 * By what ComfyUI knows one attempt. Newer servers take the id we choose; older ones choose their
 * own, which is known only once their answer was read. Until then the attempt is found by the
 * client id, which every server keeps with the job.
 *
 * @param ours the prompt id we ask for: a canonical lower-case UUID, or newer servers refuse it
 * @param client the client id we send along
 * @param server the id the server answered with
 */
record ComfyTicket(String ours, String client, Optional<String> server) {
  private static final String KIND = "comfyui";

  static ComfyTicket fresh() {
    return new ComfyTicket(
        UUID.randomUUID().toString(), UUID.randomUUID().toString(), Optional.empty());
  }

  /** The ticket as it was written; empty when another adapter wrote it. */
  static Optional<ComfyTicket> read(Job.Ticket ticket) {
    String[] parts = ticket.value().split("/", 4);
    if (parts.length < 3 || !parts[0].equals(KIND)) {
      return Optional.empty();
    }
    Optional<String> server = parts.length == 4 ? Optional.of(parts[3]) : Optional.empty();
    return Optional.of(new ComfyTicket(parts[1], parts[2], server));
  }

  ComfyTicket answered(String id) {
    return new ComfyTicket(ours, client, Optional.of(id));
  }

  /** The id to ask by. */
  String id() {
    return server.orElse(ours);
  }

  Job.Ticket written() {
    String chosen = KIND + "/" + ours + "/" + client;
    return new Job.Ticket(server.map(id -> chosen + "/" + id).orElse(chosen));
  }
}

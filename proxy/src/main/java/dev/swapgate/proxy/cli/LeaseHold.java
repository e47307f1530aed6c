package dev.swapgate.proxy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Optional;

/**
 * Keeps a lease while this process lives, by saying again and again that it is wanted. Closing it,
 * or a signal that ends the process, gives the card back; whatever else ends it is noticed by
 * swapgate within {@link #HEARTBEAT}.
 */
final class LeaseHold implements AutoCloseable {

  /** What swapgate is told to wait for: some beats may be lost, and swapgate may be restarted. */
  static final String HEARTBEAT = "60s";

  /** Looks between two beats: 10 s. */
  private static final int LOOKS = 10;

  private final AdminClient admin;
  private final Terminal terminal;
  private final String id;
  private final String path;
  private final Instant until;
  private final Thread goodbye;

  LeaseHold(AdminClient admin, Terminal terminal, JsonNode lease) {
    this.admin = admin;
    this.terminal = terminal;
    this.id = Json.text(lease, "id");
    this.path = "leases/" + AdminClient.part(id);
    this.until = Instant.parse(Json.text(lease, "until"));
    this.goodbye = new Thread(this::giveBack, "swapgate-goodbye");
    Runtime.getRuntime().addShutdownHook(goodbye);
  }

  /** Beats until the lease is over; true when it lasted its whole time. */
  boolean keep() {
    boolean heard = true;
    while (true) {
      for (int look = 0; look < LOOKS; look++) {
        terminal.pause();
      }
      try {
        Optional<JsonNode> lease = admin.put(path, Json.object());
        if (lease.isEmpty()) {
          return over();
        }
        heard = true;
      } catch (CliException e) {
        if (e.exitCode() != ExitCode.NOT_REACHABLE || isTimeOver()) {
          throw e;
        }
        if (heard) {
          terminal.tell("swapgate does not answer; asking again");
        }
        heard = false;
      }
    }
  }

  private boolean isTimeOver() {
    return !terminal.clock().now().wall().isBefore(until);
  }

  private boolean over() {
    String said = id + " has ended: ";
    String why =
        Json.items(admin.get("history?limit=50&swaps=1"), "history").stream()
            .map(line -> Json.text(line, "detail"))
            .filter(text -> text.startsWith(said))
            .findFirst()
            .orElse(id + " has ended");
    terminal.tell(why);
    return isTimeOver();
  }

  private void giveBack() {
    try {
      admin.delete(path);
      terminal.tell("lease " + id + " is given back");
    } catch (CliException e) {
      terminal.tell("lease " + id + " ends within " + HEARTBEAT + ": " + e.getMessage());
    }
    terminal.err().flush();
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(goodbye);
    } catch (IllegalStateException ending) {
      // The process is on its way out, and gives the card back.
    }
  }
}

package dev.swapgate.proxy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code release}: the card back to chat, before the lease is over. */
@Command(name = "release", description = "End a lease.")
final class ReleaseCommand implements Callable<Integer> {

  private final Session session;

  @Parameters(
      arity = "0..1",
      paramLabel = "LEASE",
      description = "The lease; may be left out when there is only one.")
  private Optional<String> lease = Optional.empty();

  @Option(names = "--json", description = "Print JSON, and nothing else, on standard output.")
  private boolean json;

  ReleaseCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    AdminClient admin = session.admin();
    String id = lease.orElseGet(() -> onlyOne(admin));
    JsonNode status = admin.delete("leases/" + AdminClient.part(id));
    session.terminal().say(json ? status.toString() : "lease " + id + " is over");
    return ExitCode.DONE;
  }

  private static String onlyOne(AdminClient admin) {
    List<String> ids =
        Json.items(admin.get("leases"), "leases").stream()
            .map(one -> Json.text(one, "id"))
            .toList();
    if (ids.size() != 1) {
      throw new CliException(
          ExitCode.REFUSED,
          ids.isEmpty()
              ? "there is no lease"
              : "there are several leases, name one: " + String.join(", ", ids));
    }
    return ids.getFirst();
  }
}

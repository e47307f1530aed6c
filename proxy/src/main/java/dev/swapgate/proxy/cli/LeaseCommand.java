package dev.swapgate.proxy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.swapgate.proxy.config.Durations;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lease}: the card for use by hand. */
@Command(
    name = "lease",
    description = "Hand the card to a media backend, or to nobody, for a time.")
final class LeaseCommand implements Callable<Integer> {

  private final Session session;

  @Parameters(paramLabel = "BACKEND", description = "A media backend's name, or none.")
  private String backend = "";

  @Option(
      names = "--for",
      paramLabel = "TIME",
      description = "How long, like 30m (default: hand_lease of the configuration).")
  private Optional<String> length = Optional.empty();

  @Option(names = "--json", description = "Print JSON, and nothing else, on standard output.")
  private boolean json;

  LeaseCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    ObjectNode body = Json.object().put("backend", backend);
    length.ifPresent(text -> body.put("for", checked(text)));
    JsonNode lease = session.admin().post("leases", body);
    session
        .terminal()
        .say(
            json
                ? lease.toString()
                : "lease %s: %s until %s; end it with swapgate release %s"
                    .formatted(
                        Json.text(lease, "id"),
                        backend.equals("none") ? "nobody" : backend,
                        Words.moment(Json.text(lease, "until")),
                        Json.text(lease, "id")));
    return ExitCode.DONE;
  }

  private static String checked(String text) {
    return Durations.parse(text)
        .map(length -> text)
        .orElseThrow(
            () -> new CliException(ExitCode.REFUSED, "--for " + text + ": write 30m or 2h"));
  }
}

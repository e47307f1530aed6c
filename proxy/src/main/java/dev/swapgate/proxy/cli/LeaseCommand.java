package dev.swapgate.proxy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.swapgate.proxy.config.Durations;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lease}: the card for use by hand. */
@Command(
    name = "lease",
    description =
        "Hand the card to a media backend, or to nobody, for a time. Asked again for the same"
            + " backend, the last word counts.")
final class LeaseCommand implements Callable<Integer> {

  private final Session session;

  @Parameters(paramLabel = "BACKEND", description = "A media backend's name, or none.")
  private String backend = "";

  @ArgGroup private Length length = new Length();

  /** Two ways to say one thing. */
  private static final class Length {

    @Option(
        names = "--for",
        paramLabel = "TIME",
        description = "How long, like 30m (default: hand_lease of the configuration).")
    private Optional<String> time = Optional.empty();

    @Option(names = "--minutes", paramLabel = "N", description = "The same in minutes.")
    private Optional<Integer> minutes = Optional.empty();
  }

  @Option(
      names = "--hold",
      description =
          "Stay, and keep the card only for as long: Ctrl-C gives it back at once, a computer that"
              + " goes away within a minute.")
  private boolean hold;

  @Option(names = "--yield", description = "Give the card back as soon as a job waits for it.")
  private boolean yields;

  @Option(names = "--json", description = "Print JSON, and nothing else, on standard output.")
  private boolean json;

  LeaseCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    ObjectNode body = Json.object().put("backend", backend);
    length
        .minutes
        .map(minutes -> minutes + "m")
        .or(() -> length.time)
        .ifPresent(text -> body.put("for", checked(text)));
    if (hold) {
      body.put("heartbeat", LeaseHold.HEARTBEAT);
    }
    if (yields) {
      body.put("yields", true);
    }
    AdminClient admin = session.admin();
    JsonNode lease = admin.post("leases", body);
    Terminal terminal = session.terminal();
    terminal.say(json ? lease.toString() : sentence(lease));
    if (!hold) {
      return ExitCode.DONE;
    }
    try (LeaseHold held = new LeaseHold(admin, terminal, lease)) {
      return held.keep() || yields ? ExitCode.DONE : ExitCode.FAILED;
    }
  }

  private String sentence(JsonNode lease) {
    String id = Json.text(lease, "id");
    return "lease %s: %s until %s%s; %s"
        .formatted(
            id,
            backend.equals("none") ? "nobody" : backend,
            Words.moment(Json.text(lease, "until")),
            yields ? " or until a job waits" : "",
            hold ? "Ctrl-C gives it back" : "end it with swapgate release " + id);
  }

  private static String checked(String text) {
    return Durations.parse(text)
        .map(length -> text)
        .orElseThrow(
            () -> new CliException(ExitCode.REFUSED, "--for " + text + ": write 30m or 2h"));
  }
}

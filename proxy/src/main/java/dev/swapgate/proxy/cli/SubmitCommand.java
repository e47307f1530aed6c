package dev.swapgate.proxy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.swapgate.gate.core.Priority;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code submit}: hands a job in, and on request waits for it and fetches what it made. */
@Command(
    name = "submit",
    sortOptions = false,
    description = "Hand a job to a media backend.",
    footer = {
      "",
      "Examples: swapgate submit comfyui portrait.json --set 6.text=\"a red barn\" --out .",
      "          swapgate submit portrait --prompt \"a red barn\" --out .   (a named workflow)",
      "          swapgate submit old.png                   (as that picture of ComfyUI was made)"
    })
final class SubmitCommand implements Callable<Integer> {

  private final Session session;

  @Parameters(
      index = "0",
      paramLabel = "NAME",
      completionCandidates = SubmitNames.class,
      description = "A media backend, with files; or a named workflow, without.")
  private String name = "";

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "FILE",
      description =
          "The workflow (ComfyUI: Export (API), or a PNG that it made) or request as JSON; - for"
              + " standard input. Several make a batch.")
  private List<String> files = List.of();

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description =
          "Put a value into it: 6.text=... for ComfyUI's node 6; 6.text=@prompts.txt makes one job"
              + " of each line. May be repeated.")
  private List<String> sets = List.of();

  @Option(
      names = "--input",
      paramLabel = "NAME=VALUE",
      description =
          "Give an input of a named workflow its value; --NAME VALUE does the same. VALUE is as for"
              + " --set, or a file where the input is one. May be repeated.")
  private List<String> inputs = List.of();

  @Option(
      names = "--repeat",
      paramLabel = "N",
      description = "Run it N times; from the second on every seed in it is drawn anew.")
  private int repeat = 1;

  @Option(
      names = "--image",
      paramLabel = "NAME=FILE",
      description = "Send a file along under the name the workflow uses. May be repeated.")
  private List<String> images = List.of();

  @Option(
      names = "--when",
      paramLabel = "TIME",
      description =
          "now, idle (once nobody has chatted for a while), 23:30, 2027-01-31T02:00:00Z or +90m"
              + " (default: now).")
  private String when = "now";

  @Option(
      names = "--window",
      paramLabel = "HOURS",
      description = "Run it only in these hours, chat back by their end: 01:00-06:30, here.")
  private Optional<String> window = Optional.empty();

  @Option(
      names = "--priority",
      paramLabel = "high|normal|low",
      description = "Before or behind the others that wait (default: normal).")
  private Priority priority = Priority.NORMAL;

  @Option(
      names = "--key",
      paramLabel = "KEY",
      description = "Idempotency key: the same key never makes a second job.")
  private Optional<String> key = Optional.empty();

  @Option(
      names = "--wait",
      paramLabel = "done|chat",
      description = "Wait until the job is done; --wait=chat: until chat is open again.")
  private Optional<JobWatch.Until> until = Optional.empty();

  @Mixin private final FollowOptions follow = new FollowOptions();

  SubmitCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    Terminal terminal = session.terminal();
    SubmitTarget target = SubmitTarget.of(session, name, files, inputs, images);
    ObjectNode body = body(terminal, target);
    Map<String, Path> attached = attachments(terminal, target.images());
    follow.check();
    AdminClient admin = session.admin();
    JsonNode accepted = sent(admin, body, attached);
    boolean waits = until.isPresent() || follow.savesFiles();
    if (!follow.json()) {
      Json.names(accepted, "warnings").forEach(warning -> terminal.tell("warning: " + warning));
    }
    if (!waits) {
      terminal.say(follow.json() ? accepted.toString() : AcceptedSentence.of(body, accepted));
      return ExitCode.DONE;
    }
    if (!follow.json()) {
      terminal.tell(AcceptedSentence.of(body, accepted));
    }
    String batch = Json.text(accepted, "batch");
    return follow.follow(
        session,
        admin,
        batch.isEmpty() ? Json.text(accepted, "id") : batch,
        until.orElse(JobWatch.Until.DONE));
  }

  private ObjectNode body(Terminal terminal, SubmitTarget target) {
    ObjectNode body = target.body();
    List<String> values = new ArrayList<>(target.sets());
    values.addAll(sets);
    new SetValues(terminal, values).into(body);
    if (repeat < 1) {
      throw new CliException(ExitCode.REFUSED, "--repeat " + repeat + ": write 1 or more");
    }
    if (repeat > 1) {
      body.put("repeat", repeat);
    }
    body.put("when", DueTime.onTheWire(when, terminal.clock().now().wall(), terminal.zone()));
    window.ifPresent(hours -> body.put("window", DueTime.hoursOnTheWire(hours, terminal.zone())));
    if (priority != Priority.NORMAL) {
      body.put("priority", priority.word());
    }
    body.put("idempotency_key", key.orElseGet(() -> UUID.randomUUID().toString()));
    return body;
  }

  private static Map<String, Path> attachments(Terminal terminal, List<String> images) {
    Map<String, Path> attached = new LinkedHashMap<>();
    for (String image : images) {
      int split = image.indexOf('=');
      String name = split < 0 ? "" : image.substring(0, split);
      if (name.isBlank() || name.chars().anyMatch(c -> c < ' ' || c == '"')) {
        throw new CliException(
            ExitCode.REFUSED,
            "--image " + image + ": write NAME=FILE, for example face.png=me.png");
      }
      Path path = terminal.folder().resolve(image.substring(split + 1));
      if (!Files.isRegularFile(path) || !Files.isReadable(path)) {
        throw new CliException(
            ExitCode.REFUSED, "--image " + image + ": there is no readable file " + path);
      }
      if (attached.put(name, path) != null) {
        throw new CliException(ExitCode.REFUSED, "--image " + name + " is given twice");
      }
    }
    return attached;
  }

  /** A lost answer is not a refused job: the key lets it be asked for again. */
  private static JsonNode sent(AdminClient admin, ObjectNode job, Map<String, Path> files) {
    try {
      return files.isEmpty() ? admin.post("jobs", job) : admin.post("jobs", job, files);
    } catch (CliException e) {
      if (e.exitCode() == ExitCode.NOT_REACHABLE && !e.neverSent()) {
        throw new CliException(
            e.exitCode(),
            e.getMessage()
                + "; whether the job was accepted is not known: submit it again with --key "
                + Json.text(job, "idempotency_key"),
            e);
      }
      throw e;
    }
  }
}

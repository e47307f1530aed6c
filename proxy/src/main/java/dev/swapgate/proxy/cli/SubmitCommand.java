package dev.swapgate.proxy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
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
      "Example: swapgate submit comfyui portrait.json --set 6.text=\"a red barn\" --out ."
    })
final class SubmitCommand implements Callable<Integer> {

  private final Session session;

  @Parameters(index = "0", paramLabel = "BACKEND", description = "A media backend's name.")
  private String backend = "";

  @Parameters(
      index = "1",
      paramLabel = "FILE",
      description = "The workflow (ComfyUI: Save (API)) or request as JSON; - for standard input.")
  private String file = "";

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Put a value into it: 6.text=... for ComfyUI's node 6. May be repeated.")
  private List<String> sets = List.of();

  @Option(
      names = "--image",
      paramLabel = "NAME=FILE",
      description = "Send a file along under the name the workflow uses. May be repeated.")
  private List<String> images = List.of();

  @Option(
      names = "--when",
      paramLabel = "TIME",
      description = "now, 23:30, 2027-01-31T02:00:00Z or +90m (default: now).")
  private String when = "now";

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
    ObjectNode job = job(terminal);
    Map<String, Path> files = attachments(terminal);
    follow.check();
    AdminClient admin = session.admin();
    JsonNode accepted = sent(admin, job, files);
    boolean waits = until.isPresent() || follow.savesFiles();
    if (!waits) {
      answer(terminal, job, accepted);
      return ExitCode.DONE;
    }
    if (!follow.json()) {
      terminal.tell(sentence(job, accepted));
    }
    return follow.follow(
        session, admin, Json.text(accepted, "id"), until.orElse(JobWatch.Until.DONE));
  }

  private ObjectNode job(Terminal terminal) {
    JsonNode request = RequestFile.read(terminal, file);
    ObjectNode job = Json.object();
    job.put("backend", backend);
    job.set(RequestFile.isWorkflow(request) ? "workflow" : "request", request);
    ObjectNode values = Json.object();
    for (String set : sets) {
      int split = set.indexOf('=');
      if (split < 1) {
        throw new CliException(
            ExitCode.REFUSED, "--set " + set + ": write KEY=VALUE, for example 6.text=hello");
      }
      values.put(set.substring(0, split), set.substring(split + 1));
    }
    if (!values.isEmpty()) {
      job.set("set", values);
    }
    job.put("when", DueTime.onTheWire(when, terminal.clock().now().wall(), terminal.zone()));
    job.put("idempotency_key", key.orElseGet(() -> UUID.randomUUID().toString()));
    return job;
  }

  private Map<String, Path> attachments(Terminal terminal) {
    Map<String, Path> files = new LinkedHashMap<>();
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
      if (files.put(name, path) != null) {
        throw new CliException(ExitCode.REFUSED, "--image " + name + " is given twice");
      }
    }
    return files;
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

  private void answer(Terminal terminal, JsonNode job, JsonNode accepted) {
    if (follow.json()) {
      terminal.say(accepted.toString());
    } else {
      terminal.say(sentence(job, accepted));
    }
  }

  private static String sentence(JsonNode job, JsonNode accepted) {
    String id = Json.text(accepted, "id");
    OptionalLong starts = Json.number(accepted, "starts_in_seconds");
    OptionalLong outage = Json.number(accepted, "outage_seconds");
    long position = Json.number(accepted, "position").orElse(0);
    String place =
        switch (Json.text(accepted, "state")) {
          case "queued" -> position <= 1 ? "next in line" : "number " + position + " in line";
          default -> Json.text(accepted, "state");
        };
    String due = Json.text(job, "when");
    String start =
        !due.equals("now")
            ? ", starts not before " + Words.moment(due)
            : starts.isEmpty()
                ? ""
                : starts.getAsLong() == 0
                    ? ", starts at once"
                    : ", starts in about " + Words.seconds(starts.getAsLong());
    String away =
        outage.isEmpty()
            ? ""
            : "; chat will be away for about " + Words.seconds(outage.getAsLong());
    return "job " + id + ": " + place + start + away;
  }
}

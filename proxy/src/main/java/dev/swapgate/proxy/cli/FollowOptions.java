package dev.swapgate.proxy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.swapgate.proxy.config.Durations;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** What {@code submit} and {@code wait} share: following a job to its end and saving its files. */
final class FollowOptions {

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Wait, then save the job's files there and print their paths; nothing is overwritten.")
  private Optional<Path> out = Optional.empty();

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      description = "Give up waiting after this long (90s, 15m); the job goes on.")
  private Optional<String> timeout = Optional.empty();

  @Option(names = "--json", description = "Print JSON, and nothing else, on standard output.")
  private boolean json;

  boolean json() {
    return json;
  }

  boolean savesFiles() {
    return out.isPresent();
  }

  /** Refuses what cannot be read, before anything is sent. */
  void check() {
    limit();
  }

  private Optional<Duration> limit() {
    return timeout.map(
        text ->
            Durations.parse(text)
                .orElseThrow(
                    () ->
                        new CliException(
                            ExitCode.REFUSED, "--timeout " + text + ": write 90s, 15m or 1h30m")));
  }

  /**
   * Waits, saves, prints; gives the exit code of the job, of a batch that of its worst one.
   *
   * @param id a job or a batch
   */
  int follow(Session session, AdminClient admin, String id, JobWatch.Until until) {
    String goesOn = (Batch.isName(id) ? "batch " : "job ") + id + " goes on: swapgate wait " + id;
    try (Farewell unused = new Farewell(session.terminal(), goesOn)) {
      return Batch.isName(id)
          ? followAll(session, admin, id, until)
          : end(session, admin, new JobWatch(admin, session.terminal()).await(id, until, limit()));
    }
  }

  private int followAll(Session session, AdminClient admin, String batch, JobWatch.Until until) {
    Terminal terminal = session.terminal();
    Duration began = terminal.clock().now().steady();
    List<String> ids = Batch.jobs(admin, batch);
    int worst = ExitCode.DONE;
    for (String id : ids) {
      boolean last = id.equals(ids.getLast());
      Duration gone = terminal.clock().now().steady().minus(began);
      Optional<Duration> left = limit().map(all -> all.minus(gone));
      JsonNode job =
          new JobWatch(admin, terminal).await(id, last ? until : JobWatch.Until.DONE, left);
      worst = Math.max(worst, end(session, admin, job));
    }
    return worst;
  }

  /** What is to be said and saved of a job that is over. */
  private int end(Session session, AdminClient admin, JsonNode job) {
    Terminal terminal = session.terminal();
    String id = Json.text(job, "id");
    boolean done = Json.text(job, "state").equals("done");
    List<Path> saved =
        done && out.isPresent()
            ? new Downloads(admin).save(job, terminal.folder().resolve(out.get()))
            : List.of();
    if (json) {
      ObjectNode answer = job.deepCopy();
      if (out.isPresent()) {
        ArrayNode paths = answer.putArray("saved");
        saved.forEach(path -> paths.add(path.toString()));
      }
      terminal.say(answer.toString());
    } else if (done) {
      List<String> files = Json.names(job, "files");
      saved.forEach(path -> terminal.say(path.toString()));
      if (out.isEmpty()) {
        terminal.say(
            "job " + id + " is done" + (files.isEmpty() ? "" : ": " + String.join(", ", files)));
      }
    }
    if (!done) {
      String why = Json.text(job, "error");
      terminal.tell(
          "swapgate: job "
              + id
              + " "
              + Json.text(job, "state")
              + (why.isEmpty() ? "" : ": " + why));
    }
    return done ? ExitCode.DONE : ExitCode.FAILED;
  }
}

package dev.swapgate.proxy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Waits for a job by looking at it again and again: a lost event or a restart of swapgate then only
 * costs a look. What changed is told on standard error: one plain line each, or on a terminal one
 * line that changes.
 */
final class JobWatch {

  private static final Set<String> FINAL = Set.of("done", "failed", "cancelled");

  /** A restart of swapgate takes seconds; beyond this it is not coming back by itself. */
  private static final Duration AWAY_LIMIT = Duration.ofSeconds(60);

  private final AdminClient admin;
  private final Terminal terminal;
  private String told = "";

  JobWatch(AdminClient admin, Terminal terminal) {
    this.admin = admin;
    this.terminal = terminal;
  }

  /** True in its final state. */
  static boolean isOver(JsonNode job) {
    return FINAL.contains(Json.text(job, "state"));
  }

  /** What is waited for. */
  enum Until {
    DONE,
    /** Until chat is open again, so that an agent never meets its own 429. */
    CHAT
  }

  /** The job in its final state; throws {@link CliException} with exit code 4 when it is late. */
  JsonNode await(String id, Until until, Optional<Duration> limit) {
    try {
      return awaited(id, until, limit);
    } finally {
      if (terminal.isLive()) {
        terminal.show("");
      }
    }
  }

  private JsonNode awaited(String id, Until until, Optional<Duration> limit) {
    Duration began = steady();
    Duration lastAnswer = began;
    while (true) {
      try {
        JsonNode job = admin.get("jobs/" + AdminClient.part(id));
        boolean ended = isOver(job);
        if (ended && until == Until.DONE) {
          return job;
        }
        JsonNode status = admin.get("status");
        if (ended && Json.flag(status, "chat_open")) {
          return job;
        }
        tell(ended ? waitingForChat(job, status) : progress(job, status) + eta(status));
        lastAnswer = steady();
      } catch (CliException e) {
        boolean patient = steady().minus(lastAnswer).compareTo(AWAY_LIMIT) < 0;
        if (e.exitCode() != ExitCode.NOT_REACHABLE || !told() || !patient) {
          throw e;
        }
        tell("swapgate does not answer; looking again");
      }
      if (limit.isPresent() && steady().minus(began).compareTo(limit.get()) >= 0) {
        throw new CliException(
            ExitCode.TIMED_OUT,
            "job "
                + id
                + " is not through after "
                + Words.seconds(limit.get().toSeconds())
                + "; it goes on: swapgate wait "
                + id);
      }
      terminal.pause();
    }
  }

  /** True once swapgate answered: only then an absence is likely to be a restart. */
  private boolean told() {
    return !told.isEmpty();
  }

  private void tell(String line) {
    if (terminal.isLive()) {
      terminal.show(line);
    } else if (!line.equals(told)) {
      terminal.tell(line);
    }
    told = line;
  }

  /** Only where it may change with each look. */
  private String eta(JsonNode status) {
    long left = status.path("swap").path("left_seconds").asLong(0);
    return terminal.isLive() && left > 0 ? ", chat is back in about " + Words.seconds(left) : "";
  }

  private String progress(JsonNode job, JsonNode status) {
    StringBuilder line = new StringBuilder("job " + Json.text(job, "id") + " ");
    line.append(Json.text(job, "state"));
    double progress = job.path("progress").asDouble(0);
    if (progress > 0 && terminal.isLive()) {
      int tenths = (int) Math.floor(progress * 10);
      String bar = "#".repeat(tenths) + "-".repeat(10 - tenths);
      line.append(" [%s] %d %%".formatted(bar, (int) Math.floor(progress * 100)));
    } else if (progress > 0) {
      // In steps of ten, so that a log stays short.
      line.append(" ").append((int) Math.floor(progress * 10) * 10).append(" %");
    }
    String phase = Json.text(status, "phase");
    if (!phase.isEmpty()) {
      line.append(", ").append(phase.replace('_', ' '));
    }
    return line.toString();
  }

  private String waitingForChat(JsonNode job, JsonNode status) {
    return "job "
        + Json.text(job, "id")
        + " "
        + Json.text(job, "state")
        + ", waiting for chat: "
        + Json.text(status, "phase").replace('_', ' ')
        + eta(status);
  }

  private Duration steady() {
    return terminal.clock().now().steady();
  }
}

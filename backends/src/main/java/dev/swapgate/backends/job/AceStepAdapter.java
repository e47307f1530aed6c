package dev.swapgate.backends.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.swapgate.backends.media.AnswerException;
import dev.swapgate.backends.media.Download;
import dev.swapgate.backends.media.Json;
import dev.swapgate.backends.media.MediaServer;
import dev.swapgate.backends.media.ResultFolder;
import dev.swapgate.backends.media.ServerFile;
import dev.swapgate.backends.media.Shape;
import dev.swapgate.backends.media.TypedValue;
import dev.swapgate.backends.settings.MediaSettings;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobAnswer;
import dev.swapgate.gate.core.JobRequest;
import dev.swapgate.gate.port.JobAdapter;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * ACE-Step 1.5 ({@code acestep-api}). The request is the body of {@code /release_task}; {@code set}
 * puts top-level keys into it. Thread-safe.
 *
 * <p>The server knows a job by its own task id alone. When the answer to a submission is lost,
 * there is nothing to ask by: the attempt is {@link JobAnswer.NeverCame} when the server says that
 * it has had no job yet ({@code /v1/stats}: so after its restart), and {@link JobAnswer.NotKnown}
 * once it has nothing queued or running (the lost job may have ended: nobody can have its results);
 * as long as something runs there, or on older servers that do not tell, it is {@link
 * JobAnswer.Unanswered}, and only a restart of the server proves that the attempt is over. A job
 * cannot be cancelled there either: it ends with its container.
 */
public final class AceStepAdapter implements JobAdapter {

  /** What decides how long a song takes, as far as it is given. */
  private static final Set<String> SIZES =
      Set.of(
          "audio_duration",
          "duration",
          "inference_steps",
          "batch_size",
          "thinking",
          "model",
          "task_type",
          "use_format",
          "sample_mode",
          "lm_model_path",
          "use_random_seed");

  private static final int REASON_LIMIT = 500;

  private final MediaServer server;
  private final URI base;
  private final long maxFileBytes;

  public AceStepAdapter(MediaSettings settings) {
    this.server = new MediaServer(settings);
    this.base = settings.backend().url();
    this.maxFileBytes = settings.maxFileBytes();
  }

  @Override
  public Optional<String> refusal(JobRequest request) {
    JobAnswer answer =
        AnswerException.answering(
            () -> {
              body(request);
              return new JobAnswer.Finished();
            });
    return answer instanceof JobAnswer.Rejected rejected
        ? Optional.of(rejected.reason())
        : Optional.empty();
  }

  private static ObjectNode body(JobRequest request) {
    ObjectNode body = Json.request(request.json(), "request");
    if (!request.attachments().isEmpty()) {
      throw AnswerException.rejected(
          "a backend of type ace_step takes no files along with a job; name a file on the server");
    }
    request
        .set()
        .forEach(
            (key, value) -> {
              JsonNode existing = body.get(key);
              body.set(
                  key,
                  existing == null
                      ? TypedValue.free(value)
                      : TypedValue.like(existing, value, key));
            });
    return body;
  }

  /** A seed that is given counts only where the server is told not to draw its own. */
  @Override
  public Map<String, String> reseeded(JobRequest request, long seed) {
    try {
      return body(request).has("seed")
          ? Map.of("seed", Long.toString(seed), "use_random_seed", "false")
          : Map.of();
    } catch (AnswerException unreadable) {
      return Map.of();
    }
  }

  @Override
  public String shape(JobRequest request) {
    try {
      List<String> traits = new ArrayList<>();
      for (Map.Entry<String, JsonNode> given : body(request).properties()) {
        if (SIZES.contains(given.getKey())) {
          traits.add(given.getKey() + "=" + given.getValue().asText());
        }
      }
      return Shape.of(traits);
    } catch (AnswerException unreadable) {
      return Shape.UNREADABLE;
    }
  }

  @Override
  public Job.Ticket newTicket(Job.Id job, int attempt) {
    return AceTicket.fresh().written();
  }

  @Override
  public JobAnswer submit(JobRequest request, Job.Ticket ticket) {
    return AnswerException.answering(
        () -> {
          AceTicket known =
              AceTicket.read(ticket)
                  .orElseThrow(() -> new IllegalArgumentException("not a ticket of ACE-Step"));
          AceEnvelope answer = AceEnvelope.of(server.send("/release_task", body(request)));
          if (answer.refusesForGood()) {
            return new JobAnswer.Rejected(answer.words());
          }
          if (answer.code() == 429) {
            return new JobAnswer.Unanswered("the server's queue is full: " + answer.words());
          }
          String task = answer.data().path("task_id").asText("");
          if (!answer.isFine() || task.isEmpty() || task.length() > 200) {
            return new JobAnswer.Unanswered(
                answer.isFine() ? answer.words() + " but no task_id" : answer.words());
          }
          return new JobAnswer.Accepted(known.answered(task).written(), "");
        });
  }

  @Override
  public JobAnswer follow(Job.Ticket ticket) {
    return AnswerException.answering(
        () -> {
          Optional<AceTicket> known = AceTicket.read(ticket);
          if (known.isEmpty()) {
            return new JobAnswer.NotKnown();
          }
          Optional<String> task = known.get().task();
          return task.isPresent() ? state(task.get()) : lost();
        });
  }

  private JobAnswer state(String id) {
    Optional<AceTask> task = task(id);
    return task.isPresent() ? task.get().state() : new JobAnswer.NotKnown();
  }

  private JobAnswer lost() {
    AceEnvelope stats = AceEnvelope.of(server.get("/v1/stats"));
    JsonNode jobs = stats.data().path("jobs");
    if (stats.isFine() && jobs.path("total").asInt(-1) == 0) {
      return new JobAnswer.NeverCame();
    }
    boolean idle = jobs.path("queued").asInt(-1) == 0 && jobs.path("running").asInt(-1) == 0;
    return stats.isFine() && idle
        ? new JobAnswer.NotKnown()
        : new JobAnswer.Unanswered(
            "the answer to the submission was lost, and this server knows a job by it alone");
  }

  /** The task as the server has it; empty when it does not know it. */
  private Optional<AceTask> task(String id) {
    ObjectNode question = JsonNodeFactory.instance.objectNode();
    question.putArray("task_id_list").add(id);
    AceEnvelope answer = AceEnvelope.of(server.post("/query_result", question));
    if (!answer.isFine()) {
      throw AnswerException.unanswered(answer.words());
    }
    for (JsonNode entry : answer.data()) {
      if (entry.path("task_id").asText("").equals(id)) {
        return AceTask.of(entry);
      }
    }
    return Optional.empty();
  }

  @Override
  public JobAnswer collect(Job.Ticket ticket, Path folder) {
    return AnswerException.answering(
        () -> {
          AceTask task =
              AceTicket.read(ticket)
                  .flatMap(AceTicket::task)
                  .flatMap(this::task)
                  .orElseThrow(
                      () ->
                          AnswerException.uncollectable(
                              "the server no longer knows the job; its jobs are in its memory"));
          if (!(task.state() instanceof JobAnswer.Finished)) {
            throw AnswerException.uncollectable("the job did not succeed: " + task.state());
          }
          Set<String> files = new LinkedHashSet<>(task.files());
          if (files.isEmpty()) {
            throw AnswerException.uncollectable("the job succeeded but names no audio file");
          }
          try (ResultFolder results = ResultFolder.open(folder, maxFileBytes)) {
            for (String file : files) {
              save(ServerFile.of(base, file), results);
            }
            return new JobAnswer.Collected(results.publish());
          }
        });
  }

  private void save(ServerFile file, ResultFolder results) {
    try (Download download = server.download(file.path())) {
      boolean audio = !download.contentType().startsWith("application/json");
      if (download.status() == 200 && audio) {
        results.add(file.name(), download);
        return;
      }
      String seen =
          "GET "
              + Json.line(file.path(), REASON_LIMIT)
              + " was answered with status "
              + download.status()
              + (audio ? "" : " and JSON instead of audio");
      if (download.status() / 100 == 5 || download.status() == 429) {
        throw AnswerException.unanswered(seen);
      }
      throw AnswerException.uncollectable(seen);
    }
  }

  /** {@inheritDoc} This server cannot give a job up: always Unanswered. */
  @Override
  public JobAnswer cancel(Job.Ticket ticket) {
    return new JobAnswer.Unanswered(
        "ACE-Step cannot give up a job; it ends when its container is stopped");
  }
}

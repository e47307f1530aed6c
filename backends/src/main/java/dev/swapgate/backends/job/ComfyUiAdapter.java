package dev.swapgate.backends.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.swapgate.backends.media.AnswerException;
import dev.swapgate.backends.media.Download;
import dev.swapgate.backends.media.Json;
import dev.swapgate.backends.media.MediaServer;
import dev.swapgate.backends.media.ResultFolder;
import dev.swapgate.backends.media.Shape;
import dev.swapgate.backends.settings.MediaSettings;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobAnswer;
import dev.swapgate.gate.core.JobRequest;
import dev.swapgate.gate.port.JobAdapter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * ComfyUI. {@code /history/{id}} is the truth about a job; it is empty until the job ends and after
 * any restart of the server, for history and queue live in its memory. Progress is told on its
 * WebSocket alone, which is known to fall silent: nothing but the progress depends on it.
 * Thread-safe.
 */
public final class ComfyUiAdapter implements JobAdapter {

  /** How far back the history is searched for an attempt whose id is not known. */
  private static final int HISTORY_SEARCHED = 200;

  private static final int REASON_LIMIT = 300;

  private final MediaServer server;
  private final long maxFileBytes;
  private final ComfyEars ears;

  public ComfyUiAdapter(MediaSettings settings) {
    this.server = new MediaServer(settings);
    this.maxFileBytes = settings.maxFileBytes();
    this.ears = new ComfyEars(server);
  }

  @Override
  public Optional<String> refusal(JobRequest request) {
    JobAnswer answer =
        AnswerException.answering(
            () -> {
              ComfyFile.all(ComfyGraph.of(request), request.attachments());
              return new JobAnswer.Finished();
            });
    return answer instanceof JobAnswer.Rejected rejected
        ? Optional.of(rejected.reason())
        : Optional.empty();
  }

  @Override
  public String shape(JobRequest request) {
    try {
      return ComfyGraph.of(request).shape();
    } catch (AnswerException unreadable) {
      return Shape.UNREADABLE;
    }
  }

  @Override
  public Map<String, String> reseeded(JobRequest request, long seed) {
    try {
      return ComfyGraph.of(request).seeds().stream()
          .collect(Collectors.toMap(address -> address, address -> Long.toString(seed)));
    } catch (AnswerException unreadable) {
      return Map.of();
    }
  }

  /** Nodes whose inputs are as before are not run again. */
  @Override
  public boolean remembersAnswers() {
    return true;
  }

  /** The renders that run, and how many wait. */
  @Override
  public Optional<String> underWay() {
    try {
      return Optional.of(ComfyPlace.underWay(server.get("/queue").ok()));
    } catch (AnswerException untold) {
      return Optional.empty();
    }
  }

  @Override
  public Job.Ticket newTicket(Job.Id job, int attempt) {
    return ComfyTicket.fresh().written();
  }

  @Override
  public JobAnswer submit(JobRequest request, Job.Ticket ticket) {
    return AnswerException.answering(
        () -> {
          ComfyTicket known =
              ComfyTicket.read(ticket)
                  .orElseThrow(() -> new IllegalArgumentException("not a ticket of ComfyUI"));
          ComfyGraph graph = ComfyGraph.of(request);
          ComfyFile.all(graph, request.attachments()).forEach(file -> file.upload(server, graph));
          ears.before(known);
          return queued(graph, known);
        });
  }

  private JobAnswer queued(ComfyGraph graph, ComfyTicket ticket) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.set("prompt", graph.nodes());
    body.put("prompt_id", ticket.ours());
    body.put("client_id", ticket.client());
    graph.extraData().ifPresent(extra -> body.set("extra_data", extra));
    MediaServer.Reply reply = server.send("/prompt", body);
    switch (reply.status()) {
      case 200 -> {
        JsonNode answer = reply.json();
        String id = answer.path("prompt_id").asText("");
        if (id.isEmpty() || id.length() > 200) {
          throw AnswerException.unanswered("POST /prompt was answered with 200 but no prompt_id");
        }
        String left = ComfyWords.nodes(answer.path("node_errors"));
        return new JobAnswer.Accepted(
            ticket.answered(id).written(),
            left.isEmpty() ? "" : "the server leaves out some outputs: " + left);
      }
      case 400 -> {
        ears.close();
        return new JobAnswer.Rejected(ComfyWords.rejection(reply.json()));
      }
      case 413 -> {
        return new JobAnswer.Rejected("the workflow is larger than the server takes (status 413)");
      }
      default -> throw reply.odd();
    }
  }

  @Override
  public JobAnswer follow(Job.Ticket ticket) {
    return AnswerException.answering(
        () -> {
          Optional<ComfyTicket> known = ComfyTicket.read(ticket);
          if (known.isEmpty()) {
            return new JobAnswer.NotKnown();
          }
          Optional<ComfyEntry> ended = entry(known.get());
          Optional<ComfyPlace> place = ended.isPresent() ? Optional.empty() : place(known.get());
          if (place.isPresent()) {
            return new JobAnswer.Working(ears.progress(known.get(), place.get()));
          }
          // Between the two questions it may have gone from the queue into the history.
          JobAnswer end =
              ended.or(() -> entry(known.get())).map(ComfyEntry::end).orElse(lost(known.get()));
          ears.close();
          return end;
        });
  }

  private static JobAnswer lost(ComfyTicket ticket) {
    return ticket.server().isPresent() ? new JobAnswer.NotKnown() : new JobAnswer.NeverCame();
  }

  private Optional<ComfyEntry> entry(ComfyTicket ticket) {
    JsonNode one = server.get("/history/" + MediaServer.encoded(ticket.id())).ok();
    if (one.path(ticket.id()) instanceof ObjectNode entry) {
      return Optional.of(new ComfyEntry(entry));
    }
    if (ticket.server().isPresent()) {
      return Optional.empty();
    }
    JsonNode all = server.get("/history?max_items=" + HISTORY_SEARCHED).ok();
    for (Map.Entry<String, JsonNode> entry : all.properties()) {
      if (ComfyPlace.isOf(ticket, entry.getValue().path("prompt"))) {
        return Optional.of(new ComfyEntry(entry.getValue()));
      }
    }
    return Optional.empty();
  }

  private Optional<ComfyPlace> place(ComfyTicket ticket) {
    return ComfyPlace.of(ticket, server.get("/queue").ok());
  }

  @Override
  public JobAnswer collect(Job.Ticket ticket, Path folder) {
    return AnswerException.answering(
        () -> {
          ComfyEntry entry =
              ComfyTicket.read(ticket)
                  .flatMap(this::entry)
                  .orElseThrow(
                      () ->
                          AnswerException.uncollectable(
                              "the server no longer knows the job; its history is in its memory"));
          if (!(entry.end() instanceof JobAnswer.Finished)) {
            throw AnswerException.uncollectable("the job did not succeed: " + entry.end());
          }
          try (ResultFolder results = ResultFolder.open(folder, maxFileBytes)) {
            entry.outputs().forEach(output -> save(output, results));
            return new JobAnswer.Collected(results.publish());
          }
        });
  }

  private void save(ComfyEntry.Output output, ResultFolder results) {
    switch (output) {
      case ComfyEntry.Output.Text text -> {
        Deque<ByteBuffer> bytes = new ArrayDeque<>();
        bytes.add(ByteBuffer.wrap(text.text().getBytes(StandardCharsets.UTF_8)));
        results.add(text.name(), () -> bytes.isEmpty() ? List.of() : List.of(bytes.remove()));
      }
      case ComfyEntry.Output.Stored file -> {
        try (Download download = server.download(file.view())) {
          switch (download.status()) {
            case 200 -> results.add(file.filename(), download);
            case 400, 403, 404 ->
                throw AnswerException.uncollectable(
                    "the server does not give out its result '"
                        + Json.line(file.filename(), REASON_LIMIT)
                        + "' (status "
                        + download.status()
                        + ")");
            default ->
                throw AnswerException.unanswered(
                    "GET /view was answered with status " + download.status());
          }
        }
      }
    }
  }

  /**
   * {@inheritDoc}
   *
   * <p>Dequeued, interrupted by its id, and cancelled where the server knows that: each does
   * nothing when it does not apply. An interrupt is only looked at between steps; the job may run
   * on a while.
   */
  @Override
  public JobAnswer cancel(Job.Ticket ticket) {
    return AnswerException.answering(
        () -> {
          Optional<ComfyTicket> known = ComfyTicket.read(ticket);
          ears.close();
          if (known.isPresent()) {
            give(known.get());
          }
          return new JobAnswer.Interrupted();
        });
  }

  private void give(ComfyTicket ticket) {
    String id = place(ticket).map(ComfyPlace::id).orElse(ticket.id());
    ObjectNode dequeue = JsonNodeFactory.instance.objectNode();
    dequeue.putArray("delete").add(id);
    ObjectNode interrupt = JsonNodeFactory.instance.objectNode().put("prompt_id", id);
    accepted(server.post("/queue", dequeue));
    accepted(server.post("/interrupt", interrupt));
    // Only newer servers have this; what an older one answers does not matter.
    server.post(
        "/api/jobs/" + MediaServer.encoded(id) + "/cancel", JsonNodeFactory.instance.objectNode());
  }

  private static void accepted(MediaServer.Reply reply) {
    if (reply.status() / 100 != 2) {
      throw reply.odd();
    }
  }
}

package dev.swapgate.backends.generic;

import com.fasterxml.jackson.databind.JsonNode;
import dev.swapgate.backends.media.AnswerException;
import dev.swapgate.backends.media.Json;
import dev.swapgate.backends.media.MediaServer;
import dev.swapgate.backends.media.ResultFolder;
import dev.swapgate.backends.recipe.Call;
import dev.swapgate.backends.recipe.SubmitPollFetch;
import dev.swapgate.backends.settings.MediaSettings;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobAnswer;
import dev.swapgate.gate.core.JobRequest;
import dev.swapgate.gate.port.JobAdapter;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A server that takes a job, is asked about it and gives its files out at the end, as a recipe
 * describes it. Thread-safe.
 *
 * <p>The server knows a job by its own id alone. When the answer that tells it is lost, the attempt
 * is {@link JobAnswer.NotKnown} once the server says that it is idle, where the recipe tells how to
 * ask; else it stays {@link JobAnswer.Unanswered} until the server has been restarted.
 */
public final class SubmitPollFetchAdapter implements JobAdapter {
  private static final String KIND = "submit_poll_fetch";
  private static final int ID_LIMIT = 200;
  private static final int REASON_LIMIT = 500;

  private final MediaServer server;
  private final SubmitPollFetch recipe;
  private final FetchedFiles files;
  private final long maxFileBytes;
  private final SideQuestions aside;

  public SubmitPollFetchAdapter(MediaSettings settings, MediaSettings.Type.Steps type) {
    URI base = settings.backend().url();
    this.server = new MediaServer(settings);
    this.recipe = type.recipe();
    this.files = new FetchedFiles(server, base, recipe.fetch());
    this.maxFileBytes = settings.maxFileBytes();
    this.aside = new SideQuestions(server, recipe.idle());
  }

  @Override
  public Optional<String> refusal(JobRequest request) {
    return Submitted.refusal(request, recipe.inputs(), recipe.submit().call());
  }

  @Override
  public Map<String, String> reseeded(JobRequest request, long seed) {
    return Submitted.reseeded(request, recipe.inputs(), recipe.submit().call(), seed);
  }

  @Override
  public String shape(JobRequest request) {
    return Submitted.shape(request, recipe.inputs(), recipe.submit().call());
  }

  @Override
  public Optional<String> underWay() {
    return aside.underWay();
  }

  @Override
  public Job.Ticket newTicket(Job.Id job, int attempt) {
    return GenericTicket.fresh(KIND).written();
  }

  @Override
  public JobAnswer submit(JobRequest request, Job.Ticket ticket) {
    return AnswerException.answering(
        () -> {
          GenericTicket known =
              GenericTicket.read(KIND, ticket)
                  .orElseThrow(() -> new IllegalArgumentException("not a ticket of " + KIND));
          MediaServer.Reply reply =
              server.ask(
                  Submitted.question(request, recipe.inputs(), recipe.submit().call()),
                  MediaServer.SEND_LIMIT);
          return submitted(reply, known);
        });
  }

  private JobAnswer submitted(MediaServer.Reply reply, GenericTicket ticket) {
    String words = Outcome.words(reply.question(), reply.status(), reply.body());
    if (!Outcome.isGood(reply.status())) {
      return Outcome.isRefusal(reply.status())
          ? new JobAnswer.Rejected(words)
          : new JobAnswer.Unanswered(words);
    }
    JsonNode answer = reply.json();
    String error = recipe.submit().error().map(path -> Found.text(answer, path)).orElse("");
    if (!error.isEmpty()) {
      return new JobAnswer.Rejected(
          "the server refused the job: " + Json.line(error, REASON_LIMIT));
    }
    String id = Found.text(answer, recipe.submit().id());
    if (id.isEmpty() || id.length() > ID_LIMIT) {
      return new JobAnswer.Unanswered(words + ", with no id at " + recipe.submit().id().text());
    }
    return new JobAnswer.Accepted(ticket.answered(id).written(), "");
  }

  @Override
  public JobAnswer follow(Job.Ticket ticket) {
    return AnswerException.answering(
        () -> {
          Optional<GenericTicket> known = GenericTicket.read(KIND, ticket);
          if (known.isEmpty()) {
            return new JobAnswer.NotKnown();
          }
          if (known.get().id().isEmpty()) {
            return aside.lost(
                "the answer to the submission was lost, and this server knows a job by it alone");
          }
          return polled(known.get()).map(this::state).orElseGet(JobAnswer.NotKnown::new);
        });
  }

  /** What the server says about the job; empty when it does not know it. */
  private Optional<JsonNode> polled(GenericTicket ticket) {
    MediaServer.Reply reply =
        server.ask(asked(recipe.poll().call(), ticket), MediaServer.ASK_LIMIT);
    if (recipe.poll().unknown().contains(reply.status())) {
      return Optional.empty();
    }
    if (!Outcome.isGood(reply.status())) {
      throw reply.odd();
    }
    return Optional.of(reply.json());
  }

  private static MediaServer.Question asked(Call call, GenericTicket ticket) {
    Values values = Values.none().with(SubmitPollFetch.ID, ticket.id().orElseThrow());
    return Question.of(call, values, List.of());
  }

  private JobAnswer state(JsonNode answer) {
    SubmitPollFetch.Poll poll = recipe.poll();
    String told = Found.text(answer, poll.state());
    SubmitPollFetch.State state = poll.states().get(told);
    if (state == null) {
      throw AnswerException.unanswered(
          "the server tells a state that the configuration does not know: '%s' at %s"
              .formatted(Json.line(told, 100), poll.state().text()));
    }
    return switch (state) {
      case QUEUED -> new JobAnswer.Working(Double.NaN);
      case RUNNING ->
          new JobAnswer.Working(
              poll.progress()
                  .map(
                      progress ->
                          progress.path().isPresent()
                              ? aside.asked(progress)
                              : SideQuestions.fraction(answer, progress))
                  .orElse(Double.NaN));
      case DONE -> new JobAnswer.Finished();
      case FAILED -> new JobAnswer.Errored(reason(answer));
      case CANCELLED -> new JobAnswer.Interrupted();
    };
  }

  private String reason(JsonNode answer) {
    String told = recipe.poll().error().map(path -> Found.text(answer, path)).orElse("");
    return told.isEmpty()
        ? "the server says the job failed and no more"
        : "the job failed on the server: " + Json.line(told, REASON_LIMIT);
  }

  @Override
  public JobAnswer collect(Job.Ticket ticket, Path folder) {
    return AnswerException.answering(
        () -> {
          GenericTicket known =
              GenericTicket.read(KIND, ticket)
                  .filter(read -> read.id().isPresent())
                  .orElseThrow(() -> AnswerException.uncollectable("the job has no id"));
          JsonNode answer =
              polled(known)
                  .orElseThrow(
                      () -> AnswerException.uncollectable("the server no longer knows the job"));
          JobAnswer state = state(answer);
          if (!(state instanceof JobAnswer.Finished)) {
            throw AnswerException.uncollectable("the job did not succeed: " + state);
          }
          try (ResultFolder results = ResultFolder.open(folder, maxFileBytes)) {
            files.save(answer, known.id().orElseThrow(), results);
            return new JobAnswer.Collected(results.publish());
          }
        });
  }

  @Override
  public JobAnswer cancel(Job.Ticket ticket) {
    return AnswerException.answering(
        () -> {
          Optional<GenericTicket> known =
              GenericTicket.read(KIND, ticket).filter(read -> read.id().isPresent());
          if (known.isEmpty() || recipe.cancel().isEmpty()) {
            return new JobAnswer.Unanswered(
                "this server cannot give up the job; it ends when its container is stopped");
          }
          MediaServer.Reply reply =
              server.ask(asked(recipe.cancel().get(), known.get()), MediaServer.ASK_LIMIT);
          if (reply.status() / 100 == 5) {
            throw reply.odd();
          }
          return new JobAnswer.Interrupted();
        });
  }
}

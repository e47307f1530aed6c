package dev.swapgate.backends.generic;

import dev.swapgate.backends.media.AnswerException;
import dev.swapgate.backends.media.Download;
import dev.swapgate.backends.media.MediaServer;
import dev.swapgate.backends.media.ResultFolder;
import dev.swapgate.backends.recipe.SyncHttp;
import dev.swapgate.backends.settings.MediaSettings;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobAnswer;
import dev.swapgate.gate.core.JobRequest;
import dev.swapgate.gate.port.JobAdapter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server that does a job within one HTTP call. The call runs on a thread of its own and its
 * answer goes to our disk as it comes; asking about the job asks that thread. Thread-safe.
 *
 * <p>A call that is cut, by the network or by our own end, cannot be taken up again, and many
 * servers work on without a listener. The attempt is {@link JobAnswer.NotKnown} once the server
 * says that it is idle, where the recipe tells how to ask; else it stays {@link
 * JobAnswer.Unanswered} until the server has been restarted.
 */
public final class SyncHttpAdapter implements JobAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(SyncHttpAdapter.class);
  private static final String KIND = "sync_http";

  /** Above any {@code job_budget}, which is what really ends a call. */
  private static final Duration CALL_LIMIT = Duration.ofDays(7);

  /** A server that streams as it works may be silent for a while. */
  private static final Duration SILENCE_LIMIT = Duration.ofMinutes(10);

  /** A refusal comes at once: so long it is waited for when a job is handed in. */
  private static final Duration EARLY = Duration.ofSeconds(2);

  /** What is read of an answer that tells an error. */
  private static final int WORDS_BYTES = 64 << 10;

  private final MediaServer server;
  private final SyncHttp recipe;
  private final Spool spool;
  private final long maxFileBytes;
  private final String thread;
  private final SideQuestions aside;
  private final Map<String, RunningCall> calls = new ConcurrentHashMap<>();

  public SyncHttpAdapter(MediaSettings settings, MediaSettings.Type.OneCall type) {
    this.server = new MediaServer(settings);
    this.recipe = type.recipe();
    this.spool = new Spool(type.spool());
    this.maxFileBytes = settings.maxFileBytes();
    this.thread = "swapgate-call-" + settings.backend().id().value();
    this.aside = new SideQuestions(server, recipe.idle());
  }

  @Override
  public Optional<String> refusal(JobRequest request) {
    return Submitted.refusal(request, recipe.inputs(), recipe.call());
  }

  @Override
  public Map<String, String> reseeded(JobRequest request, long seed) {
    return Submitted.reseeded(request, recipe.inputs(), recipe.call(), seed);
  }

  @Override
  public String shape(JobRequest request) {
    return Submitted.shape(request, recipe.inputs(), recipe.call());
  }

  @Override
  public Optional<String> underWay() {
    return aside.underWay();
  }

  @Override
  public Job.Ticket newTicket(Job.Id job, int attempt) {
    return GenericTicket.fresh(KIND).written();
  }

  /** {@inheritDoc} It returns while the call goes on, unless the server refuses at once. */
  @Override
  public JobAnswer submit(JobRequest request, Job.Ticket ticket) {
    return AnswerException.answering(
        () -> {
          String mark =
              GenericTicket.read(KIND, ticket)
                  .orElseThrow(() -> new IllegalArgumentException("not a ticket of " + KIND))
                  .mark();
          MediaServer.Question question =
              Submitted.question(request, recipe.inputs(), recipe.call());
          calls.values().removeIf(call -> call.end().isPresent());
          spool.keepOnly(calls.keySet());
          RunningCall call = RunningCall.start(thread, () -> made(question, mark));
          calls.put(mark, call);
          return call.endWithin(EARLY)
              .filter(end -> end instanceof JobAnswer.Rejected || end instanceof JobAnswer.Errored)
              .orElseGet(() -> new JobAnswer.Accepted(ticket, ""));
        });
  }

  private JobAnswer made(MediaServer.Question question, String mark) {
    try (Download answer = server.open(question, CALL_LIMIT, SILENCE_LIMIT, CALL_LIMIT)) {
      int status = answer.status();
      if (!Outcome.isGood(status)) {
        String words = Outcome.words(question.toString(), status, answer.beginning(WORDS_BYTES));
        return Outcome.isRefusal(status)
            ? new JobAnswer.Rejected(words)
            : Outcome.isForLater(status) ? declined(words) : new JobAnswer.Errored(words);
      }
      if (!answer.contentType().startsWith(recipe.result().contentType())) {
        return new JobAnswer.Errored(
            "%s, as %s instead of %s"
                .formatted(
                    Outcome.words(question.toString(), status, answer.beginning(WORDS_BYTES)),
                    answer.contentType(),
                    recipe.result().contentType()));
      }
      return spooled(answer, mark);
    }
  }

  private static JobAnswer declined(String words) {
    LOG.warn("{}; the job is tried again", words);
    return new JobAnswer.NotKnown();
  }

  private JobAnswer spooled(Download answer, String mark) {
    boolean inJson = recipe.result().base64().isPresent();
    String given = recipe.result().extension();
    String extension =
        inJson ? "json" : given.isEmpty() ? FileKind.extension(answer.contentType()) : given;
    try {
      // Base64 is a third longer, and there may be several files in one answer.
      long most = inJson ? Math.multiplyExact(maxFileBytes, 4) : maxFileBytes;
      spool.save(mark, recipe.result().name() + "." + extension, answer, most);
      return new JobAnswer.Finished();
    } catch (AnswerException ended) {
      return switch (ended.answer()) {
        case JobAnswer.Unwritable full ->
            new JobAnswer.Errored("disk full: the answer could not be saved: " + full.reason());
        case JobAnswer.Uncollectable never -> new JobAnswer.Errored(never.reason());
        default -> ended.answer();
      };
    }
  }

  @Override
  public JobAnswer follow(Job.Ticket ticket) {
    return AnswerException.answering(
        () -> {
          Optional<GenericTicket> known = GenericTicket.read(KIND, ticket);
          if (known.isEmpty()) {
            return new JobAnswer.NotKnown();
          }
          Optional<RunningCall> call = Optional.ofNullable(calls.get(known.get().mark()));
          if (call.isEmpty()) {
            return spool.answer(known.get().mark()).isPresent()
                ? new JobAnswer.Finished()
                : aside.lost("the call ended with the swapgate that made it");
          }
          return call.get().end().map(this::ended).orElseGet(this::working);
        });
  }

  private JobAnswer ended(JobAnswer end) {
    return switch (end) {
      case JobAnswer.Unanswered cut -> aside.lost(cut.reason());
      case JobAnswer.Interrupted given ->
          aside.mayBeIdle() ? given : new JobAnswer.Working(Double.NaN);
      default -> end;
    };
  }

  private JobAnswer working() {
    return new JobAnswer.Working(recipe.progress().map(aside::asked).orElse(Double.NaN));
  }

  @Override
  public JobAnswer collect(Job.Ticket ticket, Path folder) {
    return AnswerException.answering(
        () -> {
          Path answer =
              GenericTicket.read(KIND, ticket)
                  .flatMap(known -> spool.answer(known.mark()))
                  .orElseThrow(
                      () -> AnswerException.uncollectable("the answer to the call is gone"));
          try (ResultFolder results = ResultFolder.open(folder, maxFileBytes)) {
            SyncHttp.Result result = recipe.result();
            if (result.base64().isPresent()) {
              String name = result.name() + "." + result.extension();
              EncodedFiles.save(answer, result.base64().get(), name, results);
            } else {
              results.write(String.valueOf(answer.getFileName()), sink -> Spool.copy(answer, sink));
            }
            return new JobAnswer.Collected(results.publish());
          }
        });
  }

  /** {@inheritDoc} It is hung up on, after the server was asked to stop where it can be. */
  @Override
  public JobAnswer cancel(Job.Ticket ticket) {
    return AnswerException.answering(
        () -> {
          Optional<RunningCall> call =
              GenericTicket.read(KIND, ticket)
                  .flatMap(known -> Optional.ofNullable(calls.get(known.mark())));
          try {
            recipe
                .cancel()
                .ifPresent(
                    stop ->
                        server.ask(
                            Question.of(stop, Values.none(), List.of()), MediaServer.ASK_LIMIT));
          } finally {
            call.ifPresent(RunningCall::giveUp);
          }
          return new JobAnswer.Interrupted();
        });
  }
}

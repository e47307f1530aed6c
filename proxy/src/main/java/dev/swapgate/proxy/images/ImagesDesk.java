package dev.swapgate.proxy.images;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.port.JobAdapter;
import dev.swapgate.gate.port.JobStore;
import dev.swapgate.gate.runtime.Gate;
import dev.swapgate.gate.runtime.SteadyClock;
import dev.swapgate.proxy.http.Ask;
import dev.swapgate.proxy.http.Body;
import dev.swapgate.proxy.http.Detour;
import dev.swapgate.proxy.http.ErrorAnswer;
import dev.swapgate.proxy.http.HttpProblem;
import dev.swapgate.proxy.jobs.ResultFiles;
import dev.swapgate.proxy.workflows.Workflow;
import dev.swapgate.proxy.workflows.Workflows;
import io.undertow.server.HttpServerExchange;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code POST /v1/images/generations} whose {@code model} is a named workflow: makes the jobs,
 * holds the request until they have ended, and answers with their pictures. Who leaves loses
 * nothing: the same request again joins. Thread-safe.
 */
public final class ImagesDesk implements Detour {
  private static final Logger LOG = LoggerFactory.getLogger(ImagesDesk.class);

  static final String PATH = "/v1/images/generations";

  /** A prompt and some numbers. */
  private static final int MAX_BODY = 256 * 1024;

  /** Each is one connection and one virtual thread. */
  private static final int HELD = 64;

  /** Beyond what any client waits; the job goes on. */
  private static final Duration PATIENCE = Duration.ofHours(1);

  /** In one answer. */
  private static final long MAX_BYTES = 256L << 20;

  private static final List<String> PICTURES =
      List.of(".png", ".jpg", ".jpeg", ".webp", ".gif", ".avif");

  private final Gate gate;
  private final Supplier<Workflows> workflows;
  private final ImageJobs jobs;
  private final JobEnds ends;
  private final ResultFiles results;
  private final SteadyClock clock;
  private final Executor executor;
  private final Semaphore places = new Semaphore(HELD);

  private ImagesDesk(
      Gate gate,
      Supplier<Workflows> workflows,
      ImageJobs jobs,
      JobEnds ends,
      Path resultsDir,
      SteadyClock clock,
      Executor executor) {
    this.gate = gate;
    this.workflows = workflows;
    this.jobs = jobs;
    this.ends = ends;
    this.results = new ResultFiles(resultsDir);
    this.clock = clock;
    this.executor = executor;
  }

  /**
   * Listens to the gate from now on, for jobs that end.
   *
   * @param workflows those that have a name, as they are now
   * @param adapters those of the media backends
   * @param executor runs what may block
   */
  public static ImagesDesk open(
      Gate gate,
      JobStore store,
      Supplier<Workflows> workflows,
      Map<Backend.Id, JobAdapter> adapters,
      Path resultsDir,
      SteadyClock clock,
      Executor executor) {
    JobEnds ends = new JobEnds(store);
    gate.listen(ends);
    ImageJobs jobs = new ImageJobs(gate, store, Map.copyOf(adapters), clock);
    return new ImagesDesk(gate, workflows, jobs, ends, resultsDir, clock, executor);
  }

  @Override
  public boolean takes(HttpServerExchange exchange, String path, Body body) {
    return path.equals(PATH)
        && !workflows.get().all().isEmpty()
        && exchange.getRequestMethod().equalToString("POST")
        && body.size() > 0
        && body.size() <= MAX_BODY
        && ImageRequest.named(body.bytes(), workflows.get()).isPresent();
  }

  @Override
  public void take(Caller caller) {
    if (!places.tryAcquire()) {
      int seconds = gate.retryAfterSeconds();
      caller.refuse(Refused.busy(HELD + " requests for pictures wait already", seconds).answer());
      return;
    }
    try {
      executor.execute(
          () -> {
            try {
              serve(caller);
            } finally {
              places.release();
            }
          });
    } catch (RuntimeException stopping) {
      places.release();
      throw stopping;
    }
  }

  private void serve(Caller caller) {
    try {
      refuseForeign(caller.exchange());
      Workflow workflow =
          ImageRequest.named(caller.body(), workflows.get())
              .orElseThrow(
                  () -> Refused.invalid(404, "unknown_workflow", "the workflow has just gone"));
      ImageRequest request = ImageRequest.of(caller.body(), workflow);
      AtomicBoolean gone = new AtomicBoolean();
      caller.whenGone(
          () -> {
            gone.set(true);
            ends.wake();
          });
      ImageJobs.Made made = jobs.joinedOrNew(request);
      Duration until = clock.now().steady().plus(PATIENCE);
      List<Job> ended =
          ends.await(made.jobs(), () -> !gone.get() && clock.now().steady().compareTo(until) < 0);
      if (!gone.get()) {
        answer(caller, made, ended);
      }
    } catch (Refused refused) {
      caller.refuse(refused.answer());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      caller.refuse(
          Refused.unavailable("stopping", "it is being restarted; the job goes on", 30).answer());
    } catch (RuntimeException e) {
      LOG.error("event=images_failed", e);
      caller.refuse(
          new ErrorAnswer(
              500,
              "server_error",
              "internal",
              "swapgate: a fault of ours; its log has the reason",
              OptionalInt.empty()));
    }
  }

  /** A page elsewhere could have a browser send this, and each one takes the card from chat. */
  private static void refuseForeign(HttpServerExchange exchange) {
    if (!Ask.hasType(exchange, "application/json")) {
      throw Refused.invalid(415, "bad_media_type", "send Content-Type: application/json");
    }
    if ("cross-site".equals(exchange.getRequestHeaders().getFirst("Sec-Fetch-Site"))) {
      throw Refused.invalid(403, "foreign_origin", "requests from pages elsewhere are refused");
    }
  }

  private void answer(Caller caller, ImageJobs.Made made, List<Job> ended) {
    if (ended.stream().anyMatch(job -> !job.state().isFinal())) {
      throw Refused.unavailable(
          "still_running",
          "the job goes on, and the same request joins it",
          gate.retryAfterSeconds());
    }
    List<Path> pictures = pictures(made, ended);
    long created =
        ended.stream()
            .flatMap(job -> job.ended().stream())
            .mapToLong(Instant::getEpochSecond)
            .max()
            .orElse(0);
    try {
      PictureStream stream = PictureStream.of(pictures, created);
      if (stream.length() > MAX_BYTES / 3 * 4) {
        throw failed(made, "too_large", "its pictures are larger than 256 MiB" + fetch(made));
      }
      caller.answer(
          () ->
              new PictureAnswer(caller.exchange(), stream, () -> jobs.answered(made.key()))
                  .begin());
    } catch (IOException e) {
      throw failed(made, "no_such_file", "its pictures are not there any more");
    }
  }

  private List<Path> pictures(ImageJobs.Made made, List<Job> ended) {
    List<Path> pictures = new ArrayList<>();
    try {
      for (Job job : ended) {
        job.files().stream()
            .filter(ImagesDesk::isPicture)
            .forEach(name -> pictures.add(results.find(job, name)));
      }
    } catch (HttpProblem gone) {
      throw failed(made, gone.code(), String.valueOf(gone.getMessage()));
    }
    if (!pictures.isEmpty()) {
      return pictures;
    }
    Optional<Job> bad = ended.stream().filter(job -> job.state() != Job.State.DONE).findFirst();
    if (bad.isPresent()) {
      boolean cancelled = bad.get().state() == Job.State.CANCELLED;
      throw failed(
          made,
          cancelled ? "job_cancelled" : "job_failed",
          "job "
              + bad.get().id()
              + (cancelled ? " was cancelled" : " failed: " + bad.get().error()));
    }
    throw failed(made, "no_picture", "the workflow made no picture" + fetch(made));
  }

  private Refused failed(ImageJobs.Made made, String code, String message) {
    jobs.answered(made.key());
    return Refused.failed(code, message);
  }

  private static String fetch(ImageJobs.Made made) {
    return "; what it made: swapgate fetch " + made.jobs().getFirst();
  }

  private static boolean isPicture(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return PICTURES.stream().anyMatch(lower::endsWith);
  }
}

package dev.swapgate.proxy.jobs;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobRequest;
import dev.swapgate.gate.port.JobStore;
import dev.swapgate.gate.runtime.Gate;
import dev.swapgate.gate.runtime.SteadyClock;
import dev.swapgate.proxy.http.Answer;
import dev.swapgate.proxy.http.Ask;
import dev.swapgate.proxy.http.Decisions;
import dev.swapgate.proxy.http.HttpProblem;
import dev.swapgate.proxy.workflows.Workflows;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Where jobs are handed in, asked after, cancelled, and their results fetched. Thread-safe. */
final class JobDesk {

  /** Jobs that one list shows. */
  private static final int MOST_SHOWN = 1000;

  /** Lines of history that are searched for those of one job. */
  private static final int HISTORY_SEARCHED = 10_000;

  private final Gate gate;
  private final JobStore store;
  private final JobCheck check;
  private final DueTime dueTime;
  private final ResultFiles results;
  private final SteadyClock clock;
  private final SecureRandom random = new SecureRandom();
  private final Twins twins;
  private final Supplier<Workflows> workflows;

  JobDesk(
      Gate gate,
      JobStore store,
      JobCheck check,
      DueTime dueTime,
      ResultFiles results,
      Supplier<Workflows> workflows,
      SteadyClock clock) {
    this.gate = gate;
    this.store = store;
    this.check = check;
    this.dueTime = dueTime;
    this.results = results;
    this.workflows = workflows;
    this.clock = clock;
    this.twins = new Twins(store, check);
  }

  /**
   * A job that was accepted.
   *
   * @param attachmentsKept false when its key belonged to an earlier job, which has its own files
   */
  record Taken(Answer answer, boolean attachmentsKept) {}

  Taken take(Submission submission, List<JobRequest.Attachment> attachments) {
    Optional<Gate.When> when =
        submission.moment().flatMap(text -> dueTime.parse(text, clock.now().wall()));
    if (!check.isMedia(submission.backend())) {
      throw new HttpProblem(
          400,
          "unknown_backend",
          "no media backend is named " + submission.backend() + "; there are " + check.names());
    }
    List<JobRequest> requests = requests(submission, attachments);
    List<String> warnings = twins.warnings(submission.backend(), requests);
    List<Gate.Accepted> accepted =
        Decisions.await(
            gate.submit(
                new Gate.Handed(
                    submission.backend(),
                    requests,
                    when,
                    submission.terms(),
                    submission.idempotencyKey())));
    return new Taken(
        Answer.json(202, JobJson.Accepted.of(accepted, warnings)),
        !attachments.isEmpty() && belongs(accepted.getFirst().job().id(), attachments));
  }

  private List<JobRequest> requests(
      Submission submission, List<JobRequest.Attachment> attachments) {
    if (submission.count() > Submission.MOST) {
      throw new HttpProblem(
          400,
          "too_many_jobs",
          "this makes " + submission.count() + " jobs; one submission may make " + Submission.MOST);
    }
    List<JobRequest> requests =
        submission.requests(
            attachments, first -> check.reseeded(submission.backend(), first, newSeed()));
    for (JobRequest request : requests) {
      check
          .refusal(submission.backend(), request)
          .ifPresent(
              why -> {
                throw new HttpProblem(400, "refused_request", why);
              });
    }
    return requests;
  }

  /** Within what every server takes. */
  private long newSeed() {
    return Integer.toUnsignedLong(random.nextInt());
  }

  /** When it cannot be known whose files they are they stay: a job without its files would fail. */
  private boolean belongs(Job.Id job, List<JobRequest.Attachment> attachments) {
    return store.request(job).map(kept -> kept.attachments().equals(attachments)).orElse(true);
  }

  Submission parsed(Ask ask, byte[] json) {
    return Submission.parse(json, ask.idempotencyKey(), workflows.get());
  }

  Answer submit(Ask ask) {
    return take(parsed(ask, ask.body()), List.of()).answer();
  }

  Answer list(Ask ask) {
    List<Job.State> states =
        ask.query("state").map(JobDesk::states).orElse(List.of(Job.State.values()));
    int limit = ask.count("limit", 100, MOST_SHOWN);
    Optional<String> batch = ask.query("batch");
    if (batch.isPresent()) {
      return Answer.json(200, new JobJson.Many(inBatch(batch.get(), states)));
    }
    return Answer.json(
        200, new JobJson.Many(store.jobs(states, limit).stream().map(this::json).toList()));
  }

  private JobJson json(Job job) {
    return JobJson.of(job, gate.view().work());
  }

  private static List<Job.State> states(String commaSeparated) {
    try {
      return Arrays.stream(commaSeparated.split(","))
          .map(word -> Job.State.valueOf(word.strip().toUpperCase(Locale.ROOT)))
          .toList();
    } catch (IllegalArgumentException e) {
      throw new HttpProblem(
          400,
          "bad_parameter",
          "state must be of "
              + Arrays.stream(Job.State.values())
                  .map(JobJson::word)
                  .collect(Collectors.joining(" "))
              + ", separated by commas; was "
              + commaSeparated);
    }
  }

  /** In the order of their acceptance. */
  private List<JobJson> inBatch(String name, List<Job.State> states) {
    HttpProblem unknown = new HttpProblem(404, "unknown_batch", "there is no batch " + name);
    List<Job> jobs;
    try {
      jobs = store.batch(new Job.Id(name));
    } catch (IllegalArgumentException notAName) {
      throw unknown;
    }
    if (jobs.isEmpty()) {
      throw unknown;
    }
    return jobs.stream().filter(job -> states.contains(job.state())).map(this::json).toList();
  }

  Answer show(Ask ask) {
    Job job = job(ask);
    Map<String, String> set = store.request(job.id()).map(JobRequest::set).orElse(Map.of());
    return Answer.json(200, JobJson.of(job, gate.view().work(), set, results.sums(job)));
  }

  Answer cancel(Ask ask) {
    return Answer.json(200, json(Decisions.await(gate.cancel(job(ask).id()))));
  }

  Answer file(Ask ask) {
    String name = ask.parameter("name");
    return new Answer.Download(results.find(job(ask), name), name);
  }

  Answer log(Ask ask) {
    Job job = job(ask);
    List<Line> lines =
        store.history(HISTORY_SEARCHED).stream()
            .filter(line -> line.job().equals(job.id().value()))
            .map(Line::of)
            .toList();
    return Answer.json(200, Map.of("lines", lines.reversed()));
  }

  private Job job(Ask ask) {
    String id = ask.parameter("id");
    HttpProblem unknown = new HttpProblem(404, "unknown_job", "there is no job " + id);
    try {
      return store.job(new Job.Id(id)).orElseThrow(() -> unknown);
    } catch (IllegalArgumentException notAnId) {
      throw unknown;
    }
  }

  /** One line of a job's own history, oldest first. */
  record Line(String at, String what, String backend, String detail) {
    static Line of(JobStore.HistoryLine line) {
      return new Line(line.at().toString(), line.what(), line.backend(), line.json());
    }
  }

  /** What is known of media backends before the gate is asked. */
  interface JobCheck {
    boolean isMedia(Backend.Id backend);

    String names();

    Optional<String> refusal(Backend.Id backend, JobRequest request);

    /** What is to be set to make a repeat of it differ. */
    Map<String, String> reseeded(Backend.Id backend, JobRequest request, long seed);

    /** True when its server does nothing for a request that it has answered. */
    boolean remembersAnswers(Backend.Id backend);
  }
}

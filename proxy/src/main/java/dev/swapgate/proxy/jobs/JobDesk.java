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
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
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

  JobDesk(
      Gate gate,
      JobStore store,
      JobCheck check,
      DueTime dueTime,
      ResultFiles results,
      SteadyClock clock) {
    this.gate = gate;
    this.store = store;
    this.check = check;
    this.dueTime = dueTime;
    this.results = results;
    this.clock = clock;
  }

  /**
   * A job that was accepted.
   *
   * @param attachmentsKept false when its key belonged to an earlier job, which has its own files
   */
  record Taken(Answer answer, boolean attachmentsKept) {}

  Taken take(Submission submission, List<JobRequest.Attachment> attachments) {
    JobRequest request = submission.request(attachments);
    Optional<Gate.When> when =
        submission.when().flatMap(text -> dueTime.parse(text, clock.now().wall()));
    if (!check.isMedia(submission.backend())) {
      throw new HttpProblem(
          400,
          "unknown_backend",
          "no media backend is named " + submission.backend() + "; there are " + check.names());
    }
    check
        .refusal(submission.backend(), request)
        .ifPresent(
            why -> {
              throw new HttpProblem(400, "refused_request", why);
            });
    Gate.Accepted accepted =
        Decisions.await(
            gate.submit(submission.backend(), request, when, submission.idempotencyKey()));
    return new Taken(
        Answer.json(202, JobJson.Accepted.of(accepted)),
        !attachments.isEmpty() && belongs(accepted.job().id(), attachments));
  }

  /** When it cannot be known whose files they are they stay: a job without its files would fail. */
  private boolean belongs(Job.Id job, List<JobRequest.Attachment> attachments) {
    return store.request(job).map(kept -> kept.attachments().equals(attachments)).orElse(true);
  }

  Answer submit(Ask ask) {
    return take(Submission.parse(ask.body(), ask.idempotencyKey()), List.of()).answer();
  }

  Answer list(Ask ask) {
    List<Job.State> states =
        ask.query("state").map(JobDesk::states).orElse(List.of(Job.State.values()));
    int limit = ask.count("limit", 100, MOST_SHOWN);
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

  Answer show(Ask ask) {
    return Answer.json(200, json(job(ask)));
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
  }
}

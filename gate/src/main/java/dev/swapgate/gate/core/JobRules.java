package dev.swapgate.gate.core;

import dev.swapgate.gate.core.ContainerSighting.Run;
import dev.swapgate.gate.core.JobRun.End;
import dev.swapgate.gate.core.JobRun.Stage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** How one attempt of a job moves on. Pure: a run and what was heard give the next run. */
public final class JobRules {

  /** Time between two questions about one job that has gone on for a while. */
  public static final Duration FOLLOW_INTERVAL = Duration.ofMillis(500);

  /** The same for one that has just begun, for it may be short. */
  public static final Duration FOLLOW_LEAST = Duration.ofMillis(100);

  /** In between the time is so much of its age: its end is seen at most a hundredth later. */
  private static final int FOLLOW_SHARE = 100;

  /** Time between two tries at something that failed. */
  public static final Duration RETRY_INTERVAL = Duration.ofSeconds(2);

  /** An attempt not written by then is a failed media start (DESIGN 3). */
  public static final Duration BEGIN_LIMIT = Duration.ofSeconds(10);

  /** A result unwritable for so long fails its job; a final state so long unwritten waits aside. */
  public static final Duration WRITE_LIMIT = Duration.ofSeconds(60);

  /** A server that has not given a job up by then is stopped. */
  public static final Duration CANCEL_LIMIT = Duration.ofSeconds(30);

  /** Answers "not known" in a row that are believed. */
  public static final int NOT_KNOWN_LIMIT = 2;

  private JobRules() {}

  /** What became of a run. */
  public sealed interface Verdict {
    /** It goes on. */
    record GoesOn(JobRun run) implements Verdict {}

    /**
     * The server does not have it; whether it is tried again is a matter of {@code tries}.
     *
     * @param neverCame it did not come to the server since the server's start
     */
    record Lost(JobRun run, String reason, boolean neverCame) implements Verdict {
      public Lost(JobRun run, String reason) {
        this(run, reason, false);
      }
    }

    /** The server does not answer or does not let go of it: it must be stopped. */
    record Wedged(JobRun run, String reason) implements Verdict {}

    /** Its attempt could not be written: the visit has failed. */
    record NotBegun(JobRun run, String reason) implements Verdict {}

    /** Its final state is written, or waits aside. */
    record Over(JobRun run, boolean written) implements Verdict {}
  }

  /** The attempt is on disk: it may be submitted to this run of the server. */
  public static JobRun begun(JobRun run, Job written, Optional<Run> server, Now now) {
    return run.withJob(written).on(server).at(Stage.SUBMITTING, now);
  }

  /** Takes in an answer. */
  public static Verdict answered(JobRun run, JobAnswer answer, Media media, Now now) {
    return switch (run.stage()) {
      case BEGINNING, ENDING -> new Verdict.GoesOn(run);
      case SUBMITTING -> new Verdict.GoesOn(submitted(run, answer, now));
      case FOLLOWING -> followed(run, answer, media, now);
      case CANCELLING -> cancelled(run, answer, now);
      case COLLECTING -> new Verdict.GoesOn(collected(run, answer, media, now));
    };
  }

  private static JobRun submitted(JobRun run, JobAnswer answer, Now now) {
    return switch (answer) {
      case JobAnswer.Accepted accepted ->
          run.withJob(run.job().withTicket(accepted.ticket())).at(Stage.FOLLOWING, now);
      case JobAnswer.Rejected rejected -> failing(run, rejected.reason(), now);
      case JobAnswer.Errored errored -> failing(run, errored.reason(), now);
      // The server may have it all the same: what it knows of it decides.
      case JobAnswer.Unanswered none -> run.at(Stage.FOLLOWING, now).troubled(none.reason(), now);
      case JobAnswer.Working w -> run.at(Stage.FOLLOWING, now);
      case JobAnswer.Finished f -> run.at(Stage.FOLLOWING, now);
      case JobAnswer.Interrupted i -> run.at(Stage.FOLLOWING, now);
      case JobAnswer.NotKnown n -> run.at(Stage.FOLLOWING, now);
      case JobAnswer.NeverCame n -> run.at(Stage.FOLLOWING, now);
      case JobAnswer.Waiting w -> run.at(Stage.FOLLOWING, now);
      case JobAnswer.Collected c -> run.at(Stage.FOLLOWING, now);
      case JobAnswer.Unwritable u -> run.at(Stage.FOLLOWING, now);
      case JobAnswer.Uncollectable u -> run.at(Stage.FOLLOWING, now);
    };
  }

  private static Verdict followed(JobRun run, JobAnswer answer, Media media, Now now) {
    return switch (answer) {
      case JobAnswer.Working working -> new Verdict.GoesOn(run.working(working.progress(), now));
      case JobAnswer.Waiting waiting -> new Verdict.GoesOn(run.waiting(now));
      case JobAnswer.Finished finished -> new Verdict.GoesOn(run.at(Stage.COLLECTING, now));
      case JobAnswer.Errored errored -> new Verdict.GoesOn(failing(run, errored.reason(), now));
      case JobAnswer.Interrupted interrupted ->
          new Verdict.GoesOn(failing(run, "it was interrupted on " + media.id(), now));
      case JobAnswer.NotKnown none -> notKnown(run, new Verdict.Lost(run, lostBy(media)));
      case JobAnswer.NeverCame none ->
          notKnown(run, new Verdict.Lost(run, "it never came to " + media.id(), true));
      case JobAnswer.Unanswered none -> {
        JobRun again = run.troubled(none.reason(), now);
        yield isOver(again.heard().troubleSince(), media.noProgress(), now)
            ? new Verdict.Wedged(
                again,
                media.id()
                    + " could not be asked for "
                    + media.noProgress().toSeconds()
                    + " s: "
                    + none.reason())
            : new Verdict.GoesOn(again);
      }
      case JobAnswer.Rejected rejected -> new Verdict.GoesOn(failing(run, rejected.reason(), now));
      case JobAnswer.Accepted a -> new Verdict.GoesOn(run);
      case JobAnswer.Collected c -> new Verdict.GoesOn(run);
      case JobAnswer.Unwritable u -> new Verdict.GoesOn(run);
      case JobAnswer.Uncollectable u -> new Verdict.GoesOn(run);
    };
  }

  private static String lostBy(Media media) {
    return media.runsToExit()
        ? media.id() + " was killed before it had done the job"
        : media.id() + " no longer knows the job";
  }

  private static Verdict notKnown(JobRun run, Verdict.Lost lost) {
    JobRun again = run.notKnownAgain();
    return again.heard().notKnown() >= NOT_KNOWN_LIMIT ? lost : new Verdict.GoesOn(again);
  }

  private static Verdict cancelled(JobRun run, JobAnswer answer, Now now) {
    if (answer instanceof JobAnswer.Accepted late) {
      return new Verdict.GoesOn(run.withJob(run.job().withTicket(late.ticket())));
    }
    boolean gone =
        answer instanceof JobAnswer.Interrupted
            || answer instanceof JobAnswer.NotKnown
            || answer instanceof JobAnswer.NeverCame
            || answer instanceof JobAnswer.Errored
            || answer instanceof JobAnswer.Finished;
    return new Verdict.GoesOn(gone ? run.ending(run.end().orElseThrow(), now) : run);
  }

  private static JobRun collected(JobRun run, JobAnswer answer, Media media, Now now) {
    return switch (answer) {
      case JobAnswer.Collected files -> run.ending(new End(Job.State.DONE, "", files.files()), now);
      case JobAnswer.Uncollectable never -> failing(run, never.reason(), now);
      case JobAnswer.Unwritable full -> {
        JobRun again = run.troubled(full.reason(), now);
        yield isOver(again.heard().troubleSince(), WRITE_LIMIT, now)
            ? failing(
                run,
                "disk full: the results could not be written for "
                    + WRITE_LIMIT.toSeconds()
                    + " s: "
                    + full.reason(),
                now)
            : again;
      }
      case JobAnswer.Unanswered none -> {
        JobRun again = run.troubled(none.reason(), now);
        yield isOver(again.heard().troubleSince(), media.noProgress(), now)
            ? failing(run, "its results could not be fetched: " + none.reason(), now)
            : again;
      }
      case JobAnswer.NotKnown n -> failing(run, media.id() + " lost its results", now);
      case JobAnswer.NeverCame n -> failing(run, media.id() + " lost its results", now);
      case JobAnswer.Errored e -> failing(run, e.reason(), now);
      case JobAnswer.Accepted a -> run;
      case JobAnswer.Rejected r -> failing(run, r.reason(), now);
      case JobAnswer.Waiting w -> run;
      case JobAnswer.Working w -> run;
      case JobAnswer.Finished f -> run;
      case JobAnswer.Interrupted i -> run;
    };
  }

  /** What the clock alone decides. */
  public static Verdict waited(JobRun run, Media media, Now now) {
    Duration inStage = now.steady().minus(run.stageSince());
    return switch (run.stage()) {
      case BEGINNING ->
          inStage.compareTo(BEGIN_LIMIT) > 0
              ? new Verdict.NotBegun(
                  run,
                  "the job's attempt could not be written to state_dir within "
                      + BEGIN_LIMIT.toSeconds()
                      + " s"
                      + (run.heard().trouble().isEmpty() ? "" : ": ")
                      + run.heard().trouble())
              : new Verdict.GoesOn(run);
      case SUBMITTING, COLLECTING -> new Verdict.GoesOn(run);
      case FOLLOWING -> overLimit(run, media, now);
      case CANCELLING ->
          inStage.compareTo(CANCEL_LIMIT) > 0
              ? new Verdict.Wedged(
                  run.ending(run.end().orElseThrow(), now),
                  media.id() + " did not give the job up within " + CANCEL_LIMIT.toSeconds() + " s")
              : new Verdict.GoesOn(run);
      case ENDING ->
          inStage.compareTo(WRITE_LIMIT) > 0
              ? new Verdict.Over(run, false)
              : new Verdict.GoesOn(run);
    };
  }

  private static Verdict overLimit(JobRun run, Media media, Now now) {
    if (now.steady().minus(run.begun()).compareTo(media.jobBudget()) > 0) {
      return new Verdict.GoesOn(
          run.cancelling(
              new End(
                  Job.State.FAILED,
                  "it was not done within the job_budget of "
                      + media.jobBudget().toSeconds()
                      + " s of "
                      + media.id(),
                  List.of()),
              now));
    }
    boolean tells = !Double.isNaN(run.heard().progress());
    if (tells && now.steady().minus(run.heard().progressAt()).compareTo(media.noProgress()) > 0) {
      return new Verdict.GoesOn(
          run.cancelling(
              new End(
                  Job.State.FAILED,
                  "no progress for "
                      + media.noProgress().toSeconds()
                      + " s (no_progress of "
                      + media.id()
                      + ")",
                  List.of()),
              now));
    }
    return new Verdict.GoesOn(run);
  }

  /** The owner of the box cancels it. */
  public static JobRun cancel(JobRun run, Now now) {
    End end = new End(Job.State.CANCELLED, "cancelled on request", List.of());
    return switch (run.stage()) {
      case BEGINNING -> run.ending(end, now);
      case SUBMITTING, FOLLOWING, COLLECTING -> run.cancelling(end, now);
      case CANCELLING -> run.withEnd(end);
      case ENDING -> run;
    };
  }

  /** Its server went down or was started anew: what it had in memory is gone. */
  public static Verdict serverGone(JobRun run, String reason, Now now) {
    return switch (run.stage()) {
      case BEGINNING, ENDING -> new Verdict.GoesOn(run);
      case CANCELLING -> new Verdict.GoesOn(run.ending(run.end().orElseThrow(), now));
      case SUBMITTING, FOLLOWING, COLLECTING -> new Verdict.Lost(run, reason);
    };
  }

  /** A lost attempt that was the last: the job fails. */
  public static JobRun failing(JobRun run, String reason, Now now) {
    return run.ending(new End(Job.State.FAILED, reason, List.of()), now);
  }

  /** Steady time of the next question about it. */
  public static Duration nextAsk(JobRun run) {
    return run.lastAsk()
        .map(
            at ->
                at.plus(
                    switch (run.stage()) {
                      case FOLLOWING -> followPause(run, at.minus(run.stageSince()));
                      case CANCELLING -> FOLLOW_INTERVAL;
                      case BEGINNING, SUBMITTING, COLLECTING, ENDING -> RETRY_INTERVAL;
                    }))
        .orElse(run.stageSince());
  }

  /**
   * "Not known" is asked again a while later: a job on its way from queue to history may show up.
   */
  private static Duration followPause(JobRun run, Duration age) {
    Duration share = Durations.max(FOLLOW_LEAST, age.dividedBy(FOLLOW_SHARE));
    return run.heard().notKnown() > 0 ? FOLLOW_INTERVAL : Durations.min(share, FOLLOW_INTERVAL);
  }

  private static boolean isOver(Optional<Duration> since, Duration limit, Now now) {
    return since.map(at -> now.steady().minus(at).compareTo(limit) > 0).orElse(false);
  }
}

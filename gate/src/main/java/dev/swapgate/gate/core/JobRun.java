package dev.swapgate.gate.core;

import dev.swapgate.gate.core.ContainerSighting.Run;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One attempt of one job, as far as it has come. Immutable; {@link JobRules} moves it on.
 *
 * @param run the run of the media container it was submitted to; empty before that, and after a
 *     restart of swapgate
 * @param begun steady time at which the attempt began; while it waits for its container, the last
 *     time that was heard
 * @param stageSince steady time at which the stage began
 * @param lastAsk steady time at which the server or store was last asked about it
 * @param end how it will end, once that is decided
 */
public record JobRun(
    Job job,
    Stage stage,
    Optional<Run> run,
    Duration begun,
    Duration stageSince,
    Optional<Duration> lastAsk,
    Heard heard,
    Optional<End> end) {

  /** How far an attempt has come. */
  public enum Stage {
    /** Its attempt and ticket are being written. */
    BEGINNING,
    SUBMITTING,
    FOLLOWING,
    /** The server was asked to give it up. */
    CANCELLING,
    COLLECTING,
    /** Its final state is being written. */
    ENDING
  }

  /**
   * What was heard of it in this stage.
   *
   * @param progress in [0, 1]; NaN when the server tells none
   * @param progressAt steady time of the last change of progress
   * @param notKnown answers in a row by which the server does not know it
   * @param waiting steady time at which it was asked that it waits for its container to be started;
   *     empty when it does not
   * @param troubleSince since when it cannot be asked or written
   * @param trouble why not; empty when it can
   */
  public record Heard(
      double progress,
      Duration progressAt,
      int notKnown,
      Optional<Duration> waiting,
      Optional<Duration> troubleSince,
      String trouble) {

    /** Nothing yet, but for how far it was before. */
    static Heard nothing(double progress, Now now) {
      return new Heard(progress, now.steady(), 0, Optional.empty(), Optional.empty(), "");
    }

    Heard with(int timesNotKnown, Optional<Duration> since, String why) {
      return new Heard(progress, progressAt, timesNotKnown, Optional.empty(), since, why);
    }
  }

  /** How a job ends. */
  public record End(Job.State state, String reason, List<String> files) {
    public End {
      files = List.copyOf(files);
    }
  }

  /** A new attempt, about to be written. */
  public static JobRun begin(Job job, Now now) {
    return new JobRun(
        job,
        Stage.BEGINNING,
        Optional.empty(),
        now.steady(),
        now.steady(),
        Optional.empty(),
        Heard.nothing(Double.NaN, now),
        Optional.empty());
  }

  /** An attempt that an earlier process began: the server is asked what became of it. */
  public static JobRun recovered(Job job, Now now) {
    return begin(job, now).at(Stage.FOLLOWING, now);
  }

  JobRun at(Stage next, Now now) {
    Heard fresh = Heard.nothing(heard.progress(), now);
    return new JobRun(job, next, run, begun, now.steady(), Optional.empty(), fresh, end);
  }

  /** The same attempt of the job as it now stands. */
  public JobRun withJob(Job newJob) {
    return new JobRun(newJob, stage, run, begun, stageSince, lastAsk, heard, end);
  }

  /** The same attempt, on this run of the server. */
  public JobRun on(Optional<Run> newRun) {
    return new JobRun(job, stage, newRun, begun, stageSince, lastAsk, heard, end);
  }

  JobRun ending(End how, Now now) {
    return at(Stage.ENDING, now).withEnd(how);
  }

  JobRun cancelling(End how, Now now) {
    return at(Stage.CANCELLING, now).withEnd(how);
  }

  JobRun withEnd(End how) {
    return new JobRun(job, stage, run, begun, stageSince, lastAsk, heard, Optional.of(how));
  }

  public JobRun asked(Now now) {
    return new JobRun(job, stage, run, begun, stageSince, Optional.of(now.steady()), heard, end);
  }

  JobRun working(double progress, Now now) {
    boolean moved = Double.compare(progress, heard.progress()) != 0;
    Duration at = moved ? now.steady() : heard.progressAt();
    return hearing(new Heard(progress, at, 0, Optional.empty(), Optional.empty(), ""));
  }

  /** Nothing of it has been done yet: its time counts from its container's start. */
  JobRun waiting(Now now) {
    Heard news = new Heard(Double.NaN, now.steady(), 0, lastAsk, Optional.empty(), "");
    return new JobRun(job, stage, run, now.steady(), stageSince, lastAsk, news, end);
  }

  JobRun notKnownAgain() {
    return hearing(heard.with(heard.notKnown() + 1, Optional.empty(), ""));
  }

  /** It could not be asked or written: once more, later. */
  public JobRun troubled(String reason, Now now) {
    Optional<Duration> since = heard.troubleSince().or(() -> Optional.of(now.steady()));
    return hearing(heard.with(0, since, reason));
  }

  private JobRun hearing(Heard news) {
    return new JobRun(job, stage, run, begun, stageSince, lastAsk, news, end);
  }

  /**
   * True when its container, whose last command ended then (steady time), has not run for it and is
   * to be started.
   */
  public boolean waitsForStart(Duration lastEnd) {
    return stage == Stage.FOLLOWING
        && heard.waiting().map(asked -> asked.compareTo(lastEnd) > 0).orElse(false);
  }

  /** True once the server may have heard of it. */
  public boolean isOnServer() {
    return stage != Stage.BEGINNING && stage != Stage.ENDING;
  }
}

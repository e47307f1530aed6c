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
 * @param begun steady time at which the attempt began
 * @param stageSince steady time at which the stage began
 * @param lastAsk steady time at which the server or store was last asked about it
 * @param progress in [0, 1]; NaN when the server tells none
 * @param progressAt steady time of the last change of progress
 * @param notKnown answers in a row by which the server does not know it
 * @param troubleSince since when it cannot be asked or written
 * @param end how it will end, once that is decided
 */
public record JobRun(
    Job job,
    Stage stage,
    Optional<Run> run,
    Duration begun,
    Duration stageSince,
    Optional<Duration> lastAsk,
    double progress,
    Duration progressAt,
    int notKnown,
    Optional<Duration> troubleSince,
    String trouble,
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
        Double.NaN,
        now.steady(),
        0,
        Optional.empty(),
        "",
        Optional.empty());
  }

  /** An attempt that an earlier process began: the server is asked what became of it. */
  public static JobRun recovered(Job job, Now now) {
    return begin(job, now).at(Stage.FOLLOWING, now);
  }

  JobRun at(Stage next, Now now) {
    return new JobRun(
        job,
        next,
        run,
        begun,
        now.steady(),
        Optional.empty(),
        progress,
        now.steady(),
        0,
        Optional.empty(),
        "",
        end);
  }

  JobRun withJob(Job newJob) {
    return new JobRun(
        newJob,
        stage,
        run,
        begun,
        stageSince,
        lastAsk,
        progress,
        progressAt,
        notKnown,
        troubleSince,
        trouble,
        end);
  }

  /** The same attempt, on this run of the server. */
  public JobRun on(Optional<Run> newRun) {
    return new JobRun(
        job,
        stage,
        newRun,
        begun,
        stageSince,
        lastAsk,
        progress,
        progressAt,
        notKnown,
        troubleSince,
        trouble,
        end);
  }

  JobRun ending(End how, Now now) {
    JobRun next = at(Stage.ENDING, now);
    return new JobRun(
        job,
        Stage.ENDING,
        run,
        begun,
        now.steady(),
        Optional.empty(),
        next.progress(),
        next.progressAt(),
        0,
        Optional.empty(),
        "",
        Optional.of(how));
  }

  JobRun cancelling(End how, Now now) {
    JobRun next = at(Stage.CANCELLING, now);
    return new JobRun(
        job,
        Stage.CANCELLING,
        run,
        begun,
        now.steady(),
        Optional.empty(),
        next.progress(),
        next.progressAt(),
        0,
        Optional.empty(),
        "",
        Optional.of(how));
  }

  public JobRun asked(Now now) {
    return new JobRun(
        job,
        stage,
        run,
        begun,
        stageSince,
        Optional.of(now.steady()),
        progress,
        progressAt,
        notKnown,
        troubleSince,
        trouble,
        end);
  }

  JobRun working(double newProgress, Now now) {
    boolean moved = Double.compare(newProgress, progress) != 0;
    return new JobRun(
        job,
        stage,
        run,
        begun,
        stageSince,
        lastAsk,
        newProgress,
        moved ? now.steady() : progressAt,
        0,
        Optional.empty(),
        "",
        end);
  }

  JobRun notKnownAgain() {
    return new JobRun(
        job,
        stage,
        run,
        begun,
        stageSince,
        lastAsk,
        progress,
        progressAt,
        notKnown + 1,
        Optional.empty(),
        "",
        end);
  }

  JobRun troubled(String reason, Now now) {
    return new JobRun(
        job,
        stage,
        run,
        begun,
        stageSince,
        lastAsk,
        progress,
        progressAt,
        0,
        troubleSince.or(() -> Optional.of(now.steady())),
        reason,
        end);
  }

  /** True once the server may have heard of it. */
  public boolean isOnServer() {
    return stage != Stage.BEGINNING && stage != Stage.ENDING;
  }
}

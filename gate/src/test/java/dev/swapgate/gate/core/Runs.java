package dev.swapgate.gate.core;

import static dev.swapgate.gate.core.Boxes.COMFYUI;
import static dev.swapgate.gate.core.Boxes.NOON;
import static dev.swapgate.gate.core.Boxes.at;
import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.gate.core.ContainerSighting.Run;
import dev.swapgate.gate.core.JobRules.Verdict;
import dev.swapgate.gate.core.JobRun.End;
import dev.swapgate.gate.core.JobRun.Stage;
import java.util.List;
import java.util.Optional;

/** One attempt in each stage, and what a server may answer about it. */
final class Runs {

  static final Media MEDIA = Boxes.media(COMFYUI, 180);
  static final Run SERVER = new Run("id-of-comfyui", NOON);
  static final Job.Ticket TICKET = new Job.Ticket("t1");
  static final JobAnswer ACCEPTED = new JobAnswer.Accepted(TICKET, "");
  static final JobAnswer REJECTED = new JobAnswer.Rejected("no such node");
  static final JobAnswer WORKING = new JobAnswer.Working(0.5);
  static final JobAnswer FINISHED = new JobAnswer.Finished();
  static final JobAnswer ERRORED = new JobAnswer.Errored("out of memory");
  static final JobAnswer INTERRUPTED = new JobAnswer.Interrupted();
  static final JobAnswer NOT_KNOWN = new JobAnswer.NotKnown();
  static final JobAnswer NEVER_CAME = new JobAnswer.NeverCame();
  static final JobAnswer UNANSWERED = new JobAnswer.Unanswered("time-out");
  static final JobAnswer COLLECTED = new JobAnswer.Collected(List.of("a.png"));
  static final JobAnswer UNWRITABLE = new JobAnswer.Unwritable("no space left");
  static final JobAnswer UNCOLLECTABLE = new JobAnswer.Uncollectable("gone");

  private Runs() {}

  /** An attempt begun at 100 s that has been in this stage since 110 s. */
  static JobRun in(Stage stage) {
    Job queued = Boxes.job("j1", COMFYUI);
    JobRun begun = JobRun.begin(queued, at(100));
    JobRun onServer = JobRules.begun(begun, Boxes.attempted(queued), Optional.of(SERVER), at(101));
    End end = new End(Job.State.CANCELLED, "cancelled on request", List.of());
    return switch (stage) {
      case BEGINNING -> JobRun.begin(queued, at(110));
      case CANCELLING -> onServer.cancelling(end, at(110));
      case ENDING -> onServer.ending(end, at(110));
      case SUBMITTING, FOLLOWING, COLLECTING -> onServer.at(stage, at(110));
    };
  }

  static JobRun goesOn(Verdict verdict) {
    assertThat(verdict).isInstanceOf(Verdict.GoesOn.class);
    return ((Verdict.GoesOn) verdict).run();
  }

  static JobRun answered(JobRun run, JobAnswer answer, long second) {
    return goesOn(JobRules.answered(run, answer, MEDIA, at(second)));
  }

  static void assertEnds(JobRun run, Job.State state, String reason) {
    assertThat(run.stage()).isEqualTo(Stage.ENDING);
    assertThat(run.end().map(End::state)).contains(state);
    assertThat(run.end().map(End::reason)).contains(reason);
  }
}

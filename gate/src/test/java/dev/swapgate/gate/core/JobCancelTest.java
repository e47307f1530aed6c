package dev.swapgate.gate.core;

import static dev.swapgate.gate.core.Boxes.at;
import static dev.swapgate.gate.core.Boxes.seconds;
import static dev.swapgate.gate.core.Runs.COLLECTED;
import static dev.swapgate.gate.core.Runs.ERRORED;
import static dev.swapgate.gate.core.Runs.FINISHED;
import static dev.swapgate.gate.core.Runs.INTERRUPTED;
import static dev.swapgate.gate.core.Runs.MEDIA;
import static dev.swapgate.gate.core.Runs.NOT_KNOWN;
import static dev.swapgate.gate.core.Runs.REJECTED;
import static dev.swapgate.gate.core.Runs.UNANSWERED;
import static dev.swapgate.gate.core.Runs.UNCOLLECTABLE;
import static dev.swapgate.gate.core.Runs.UNWRITABLE;
import static dev.swapgate.gate.core.Runs.WORKING;
import static dev.swapgate.gate.core.Runs.answered;
import static dev.swapgate.gate.core.Runs.assertEnds;
import static dev.swapgate.gate.core.Runs.goesOn;
import static dev.swapgate.gate.core.Runs.in;
import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.gate.core.JobRules.Verdict;
import dev.swapgate.gate.core.JobRun.End;
import dev.swapgate.gate.core.JobRun.Stage;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** How an attempt is given up: on request, by a limit, or because its server is gone. */
class JobCancelTest {
  @Nested
  class Cancelling {
    static Stream<JobAnswer> gone() {
      return Stream.of(INTERRUPTED, NOT_KNOWN, ERRORED, FINISHED);
    }

    @ParameterizedTest
    @MethodSource("gone")
    void endsOnceTheServerHasLetGoOfIt(JobAnswer answer) {
      assertEnds(
          answered(in(Stage.CANCELLING), answer, 112), Job.State.CANCELLED, "cancelled on request");
    }

    static Stream<JobAnswer> notYet() {
      return Stream.of(WORKING, UNANSWERED, REJECTED, COLLECTED, UNWRITABLE, UNCOLLECTABLE);
    }

    @ParameterizedTest
    @MethodSource("notYet")
    void isAskedOnUntilThen(JobAnswer answer) {
      assertThat(answered(in(Stage.CANCELLING), answer, 112)).isEqualTo(in(Stage.CANCELLING));
    }

    @Test
    void aLateAcceptanceTellsByWhichTicketToCancel() {
      Job.Ticket theirs = new Job.Ticket("their-id");
      JobRun run = answered(in(Stage.CANCELLING), new JobAnswer.Accepted(theirs, ""), 112);
      assertThat(run.stage()).isEqualTo(Stage.CANCELLING);
      assertThat(run.job().ticket()).contains(theirs);
    }

    @ParameterizedTest(name = "not given up after {0} s: stopped {1}")
    @CsvSource({"30, false", "31, true"})
    void aServerThatDoesNotGiveItUpIsStopped(long waited, boolean wedged) {
      Verdict verdict = JobRules.waited(in(Stage.CANCELLING), MEDIA, at(110 + waited));
      assertThat(verdict instanceof Verdict.Wedged).isEqualTo(wedged);
      if (verdict instanceof Verdict.Wedged one) {
        assertEnds(one.run(), Job.State.CANCELLED, "cancelled on request");
        assertThat(one.reason()).isEqualTo("comfyui did not give the job up within 30 s");
      }
    }
  }

  @Nested
  class Cancel {
    @Test
    void beforeTheServerHeardOfItItEndsAtOnce() {
      assertEnds(
          JobRules.cancel(in(Stage.BEGINNING), at(120)),
          Job.State.CANCELLED,
          "cancelled on request");
    }

    @ParameterizedTest
    @EnumSource(names = {"SUBMITTING", "FOLLOWING", "COLLECTING"})
    void theServerIsAskedToGiveItUpFirst(Stage stage) {
      JobRun run = JobRules.cancel(in(stage), at(120));
      assertThat(run.stage()).isEqualTo(Stage.CANCELLING);
      assertThat(run.stageSince()).isEqualTo(seconds(120));
      assertThat(run.end().map(End::state)).contains(Job.State.CANCELLED);
    }

    @Test
    void theWishBeatsTheReasonItWasBeingCancelledFor() {
      JobRun failing =
          in(Stage.FOLLOWING).cancelling(new End(Job.State.FAILED, "slow", List.of()), at(110));
      JobRun run = JobRules.cancel(failing, at(120));
      assertThat(run.end().map(End::state)).contains(Job.State.CANCELLED);
      assertThat(run.stageSince()).as("the limit is not prolonged").isEqualTo(seconds(110));
    }

    @Test
    void whatIsEndingEndsAsItWould() {
      JobRun done = answered(in(Stage.COLLECTING), COLLECTED, 115);
      assertThat(JobRules.cancel(done, at(120))).isEqualTo(done);
    }
  }

  /** What a server had in memory is gone when it goes. */
  @Nested
  class ServerGone {
    private Verdict gone(Stage stage) {
      return JobRules.serverGone(in(stage), "its server went down", at(120));
    }

    @ParameterizedTest
    @EnumSource(names = {"SUBMITTING", "FOLLOWING", "COLLECTING"})
    void theAttemptIsLost(Stage stage) {
      assertThat(gone(stage)).isEqualTo(new Verdict.Lost(in(stage), "its server went down"));
    }

    @ParameterizedTest
    @EnumSource(names = {"BEGINNING", "ENDING"})
    void nothingIsLostThatWasNotThere(Stage stage) {
      assertThat(goesOn(gone(stage))).isEqualTo(in(stage));
    }

    @Test
    void aCancelledJobHasGotItsWish() {
      assertEnds(goesOn(gone(Stage.CANCELLING)), Job.State.CANCELLED, "cancelled on request");
    }
  }
}

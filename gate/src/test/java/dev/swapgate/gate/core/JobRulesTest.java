package dev.swapgate.gate.core;

import static dev.swapgate.gate.core.Boxes.COMFYUI;
import static dev.swapgate.gate.core.Boxes.at;
import static dev.swapgate.gate.core.Boxes.seconds;
import static dev.swapgate.gate.core.Runs.ACCEPTED;
import static dev.swapgate.gate.core.Runs.COLLECTED;
import static dev.swapgate.gate.core.Runs.ERRORED;
import static dev.swapgate.gate.core.Runs.FINISHED;
import static dev.swapgate.gate.core.Runs.INTERRUPTED;
import static dev.swapgate.gate.core.Runs.MEDIA;
import static dev.swapgate.gate.core.Runs.NEVER_CAME;
import static dev.swapgate.gate.core.Runs.NOT_KNOWN;
import static dev.swapgate.gate.core.Runs.REJECTED;
import static dev.swapgate.gate.core.Runs.SERVER;
import static dev.swapgate.gate.core.Runs.TICKET;
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
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** How an attempt moves on from begun to over. */
class JobRulesTest {
  @Nested
  class Beginning {
    @Test
    void isSubmittedOnceItsAttemptIsOnDisk() {
      JobRun run = in(Stage.SUBMITTING);
      assertThat(run.job().attempts()).isEqualTo(1);
      assertThat(run.job().ticket()).contains(TICKET);
      assertThat(run.run()).contains(SERVER);
      assertThat(run.begun()).as("from the moment it was wanted").isEqualTo(seconds(100));
    }

    @ParameterizedTest(name = "not written after {0} s: given up {1}")
    @CsvSource({"9, false", "10, false", "11, true"})
    void anAttemptNotWrittenInTenSecondsIsAFailedMediaStart(long waited, boolean givenUp) {
      Verdict verdict = JobRules.waited(in(Stage.BEGINNING), MEDIA, at(110 + waited));
      assertThat(verdict instanceof Verdict.NotBegun).isEqualTo(givenUp);
    }

    @Test
    void saysWhyItCouldNotBeWritten() {
      JobRun silent = in(Stage.BEGINNING);
      JobRun full = silent.troubled("disk full", at(112));
      assertThat(((Verdict.NotBegun) JobRules.waited(silent, MEDIA, at(121))).reason())
          .isEqualTo("the job's attempt could not be written to state_dir within 10 s");
      assertThat(((Verdict.NotBegun) JobRules.waited(full, MEDIA, at(121))).reason())
          .isEqualTo("the job's attempt could not be written to state_dir within 10 s: disk full");
    }

    @ParameterizedTest
    @EnumSource(names = {"BEGINNING", "ENDING"})
    void noAnswerOfTheServerMattersWhileItIsWritten(Stage stage) {
      assertThat(answered(in(stage), FINISHED, 111)).isEqualTo(in(stage));
    }

    @Test
    void theServerHearsOfItOnlyAfterThat() {
      assertThat(in(Stage.BEGINNING).isOnServer()).isFalse();
      assertThat(in(Stage.ENDING).isOnServer()).isFalse();
      assertThat(in(Stage.SUBMITTING).isOnServer()).isTrue();
      assertThat(in(Stage.CANCELLING).isOnServer()).isTrue();
    }
  }

  @Nested
  class Submitting {
    @Test
    void anAcceptedJobIsFollowedByTheServersTicket() {
      Job.Ticket theirs = new Job.Ticket("their-id");
      JobRun run = answered(in(Stage.SUBMITTING), new JobAnswer.Accepted(theirs, ""), 112);
      assertThat(run.stage()).isEqualTo(Stage.FOLLOWING);
      assertThat(run.stageSince()).isEqualTo(seconds(112));
      assertThat(run.job().ticket()).contains(theirs);
    }

    @Test
    void aRefusedJobFailsByItsOwnFault() {
      assertEnds(answered(in(Stage.SUBMITTING), REJECTED, 112), Job.State.FAILED, "no such node");
      assertEnds(answered(in(Stage.SUBMITTING), ERRORED, 112), Job.State.FAILED, "out of memory");
    }

    /** The server may have it all the same. */
    @Test
    void aSubmissionWithoutAnAnswerIsFollowedNotSentAgain() {
      JobRun run = answered(in(Stage.SUBMITTING), UNANSWERED, 112);
      assertThat(run.stage()).isEqualTo(Stage.FOLLOWING);
      assertThat(run.heard().trouble()).isEqualTo("time-out");
      assertThat(run.heard().troubleSince()).contains(seconds(112));
    }

    static Stream<JobAnswer> oddAnswers() {
      return Stream.of(
          WORKING, FINISHED, INTERRUPTED, NOT_KNOWN, COLLECTED, UNWRITABLE, UNCOLLECTABLE);
    }

    @ParameterizedTest
    @MethodSource("oddAnswers")
    void anyOtherAnswerIsSettledByFollowing(JobAnswer answer) {
      assertThat(answered(in(Stage.SUBMITTING), answer, 112).stage()).isEqualTo(Stage.FOLLOWING);
    }

    @Test
    void timeAloneChangesNothing() {
      assertThat(goesOn(JobRules.waited(in(Stage.SUBMITTING), MEDIA, at(99_999))))
          .isEqualTo(in(Stage.SUBMITTING));
    }
  }

  @Nested
  class Following {
    private final JobRun following = in(Stage.FOLLOWING);

    @Test
    void aFinishedJobIsCollected() {
      JobRun run = answered(following, FINISHED, 200);
      assertThat(run.stage()).isEqualTo(Stage.COLLECTING);
      assertThat(run.stageSince()).isEqualTo(seconds(200));
    }

    @Test
    void aJobThatErrsFailsByItsOwnReason() {
      assertEnds(answered(following, ERRORED, 200), Job.State.FAILED, "out of memory");
      assertEnds(answered(following, REJECTED, 200), Job.State.FAILED, "no such node");
    }

    @Test
    void aJobInterruptedOnTheServerFails() {
      assertEnds(
          answered(following, INTERRUPTED, 200), Job.State.FAILED, "it was interrupted on comfyui");
    }

    static Stream<JobAnswer> oddAnswers() {
      return Stream.of(ACCEPTED, COLLECTED, UNWRITABLE, UNCOLLECTABLE);
    }

    @ParameterizedTest
    @MethodSource("oddAnswers")
    void anyOtherAnswerChangesNothing(JobAnswer answer) {
      assertThat(answered(following, answer, 200)).isEqualTo(following);
    }

    /** The first answer may have been asked before the server had the job in its queue. */
    @Test
    void isLostWhenTheServerTwiceDoesNotKnowIt() {
      JobRun once = answered(following, NOT_KNOWN, 111);
      Verdict twice = JobRules.answered(once, NOT_KNOWN, MEDIA, at(112));
      assertThat(twice).isInstanceOf(Verdict.Lost.class);
      assertThat(((Verdict.Lost) twice).reason()).isEqualTo("comfyui no longer knows the job");
      assertThat(((Verdict.Lost) twice).neverCame()).isFalse();
    }

    /** The time of a job begins with its container. */
    @Test
    void waitsForItsContainer() {
      JobRun asked = following.asked(at(110));
      JobRun waiting = answered(asked, new JobAnswer.Waiting(), 111);
      assertThat(waiting.waitsForStart(seconds(109))).isTrue();
      assertThat(waiting.waitsForStart(seconds(110))).isFalse();
      assertThat(waiting.begun()).isEqualTo(seconds(111));
      JobRun working = answered(waiting, WORKING, 112);
      assertThat(working.waitsForStart(seconds(109))).isFalse();
      assertThat(working.begun()).isEqualTo(seconds(111));
    }

    @Test
    void hasNeverComeWhenTheServerTwiceSaysSo() {
      JobRun once = answered(following, NEVER_CAME, 111);
      Verdict twice = JobRules.answered(once, NEVER_CAME, MEDIA, at(112));
      assertThat(twice).isInstanceOf(Verdict.Lost.class);
      assertThat(((Verdict.Lost) twice).reason()).isEqualTo("it never came to comfyui");
      assertThat(((Verdict.Lost) twice).neverCame()).isTrue();
    }

    static Stream<JobAnswer> answersBetween() {
      return Stream.of(WORKING, UNANSWERED);
    }

    @ParameterizedTest
    @MethodSource("answersBetween")
    void isNotLostUnlessTheyComeInARow(JobAnswer between) {
      JobRun run = answered(answered(following, NOT_KNOWN, 111), between, 112);
      assertThat(answered(run, NOT_KNOWN, 113).stage()).isEqualTo(Stage.FOLLOWING);
    }

    @ParameterizedTest(name = "silent for {0} s: wedged {1}")
    @CsvSource({"599, false", "600, false", "601, true"})
    void aServerThatCannotBeAskedForNoProgressIsStopped(long silent, boolean wedged) {
      JobRun first = answered(following, UNANSWERED, 200);
      Verdict verdict = JobRules.answered(first, UNANSWERED, MEDIA, at(200 + silent));
      assertThat(verdict instanceof Verdict.Wedged).isEqualTo(wedged);
      if (verdict instanceof Verdict.Wedged one) {
        assertThat(one.reason()).isEqualTo("comfyui could not be asked for 600 s: time-out");
      }
    }

    @Test
    void anAnswerEndsTheSilence() {
      JobRun run = answered(answered(following, UNANSWERED, 200), WORKING, 700);
      assertThat(run.heard().troubleSince()).isEmpty();
      assertThat(run.heard().trouble()).isEmpty();
      answered(answered(run, UNANSWERED, 750), UNANSWERED, 900);
    }

    @ParameterizedTest(name = "{0} s after the last progress: cancelled {1}")
    @CsvSource({"600, false", "601, true"})
    void aJobWithoutProgressIsCancelledAndFails(long still, boolean cancelled) {
      JobRun run = answered(answered(following, WORKING, 200), WORKING, 300);
      JobRun later = goesOn(JobRules.waited(run, MEDIA, at(200 + still)));
      assertThat(later.stage()).isEqualTo(cancelled ? Stage.CANCELLING : Stage.FOLLOWING);
      if (cancelled) {
        assertThat(later.end())
            .contains(
                new End(
                    Job.State.FAILED, "no progress for 600 s (no_progress of comfyui)", List.of()));
      }
    }

    @Test
    void progressMovesTheLimit() {
      JobRun run = answered(answered(following, WORKING, 200), new JobAnswer.Working(0.6), 700);
      assertThat(run.heard().progress()).isEqualTo(0.6);
      assertThat(goesOn(JobRules.waited(run, MEDIA, at(1300))).stage()).isEqualTo(Stage.FOLLOWING);
    }

    @Test
    void aServerThatTellsNoProgressIsBoundByTheJobBudgetAlone() {
      JobRun run = answered(following, new JobAnswer.Working(Double.NaN), 200);
      assertThat(goesOn(JobRules.waited(run, MEDIA, at(100 + 1800))).stage())
          .isEqualTo(Stage.FOLLOWING);

      JobRun over = goesOn(JobRules.waited(run, MEDIA, at(100 + 1801)));
      assertThat(over.stage()).isEqualTo(Stage.CANCELLING);
      assertThat(over.end())
          .contains(
              new End(
                  Job.State.FAILED,
                  "it was not done within the job_budget of 1800 s of comfyui",
                  List.of()));
    }
  }

  @Nested
  class Collecting {
    private final JobRun collecting = in(Stage.COLLECTING);

    @Test
    void isDoneOnceItsResultsAreOnOurDisk() {
      JobRun run = answered(collecting, COLLECTED, 120);
      assertEnds(run, Job.State.DONE, "");
      assertThat(run.end().orElseThrow().files()).containsExactly("a.png");
    }

    @Test
    void failsWhenItsResultsCanNeverBeHad() {
      assertEnds(answered(collecting, UNCOLLECTABLE, 120), Job.State.FAILED, "gone");
      assertEnds(answered(collecting, ERRORED, 120), Job.State.FAILED, "out of memory");
      assertEnds(answered(collecting, REJECTED, 120), Job.State.FAILED, "no such node");
      assertEnds(
          answered(collecting, NOT_KNOWN, 120), Job.State.FAILED, "comfyui lost its results");
    }

    static Stream<Arguments> troubles() {
      return Stream.of(
          Arguments.of(
              UNWRITABLE,
              60,
              "disk full: the results could not be written for 60 s: no space left"),
          Arguments.of(UNANSWERED, 600, "its results could not be fetched: time-out"));
    }

    @ParameterizedTest(name = "{0} for {1} s")
    @MethodSource("troubles")
    void triesAgainForSoLong(JobAnswer answer, long limit, String reason) {
      JobRun first = answered(collecting, answer, 120);
      assertThat(first.stage()).isEqualTo(Stage.COLLECTING);
      assertThat(answered(first, answer, 120 + limit).stage()).isEqualTo(Stage.COLLECTING);
      assertEnds(answered(first, answer, 121 + limit), Job.State.FAILED, reason);
    }

    static Stream<JobAnswer> oddAnswers() {
      return Stream.of(ACCEPTED, WORKING, FINISHED, INTERRUPTED);
    }

    @ParameterizedTest
    @MethodSource("oddAnswers")
    void anyOtherAnswerChangesNothing(JobAnswer answer) {
      assertThat(answered(collecting, answer, 120)).isEqualTo(collecting);
    }

    @Test
    void timeAloneChangesNothing() {
      assertThat(goesOn(JobRules.waited(collecting, MEDIA, at(99_999)))).isEqualTo(collecting);
    }
  }

  @Nested
  class Ending {
    @ParameterizedTest(name = "unwritten after {0} s: waits aside {1}")
    @CsvSource({"60, false", "61, true"})
    void aFinalStateThatCannotBeWrittenWaitsAside(long waited, boolean aside) {
      Verdict verdict = JobRules.waited(in(Stage.ENDING), MEDIA, at(110 + waited));
      if (aside) {
        assertThat(verdict).isEqualTo(new Verdict.Over(in(Stage.ENDING), false));
      } else {
        assertThat(goesOn(verdict)).isEqualTo(in(Stage.ENDING));
      }
    }

    @Test
    void aLostLastAttemptFails() {
      assertEnds(
          JobRules.failing(in(Stage.FOLLOWING), "its server died", at(120)),
          Job.State.FAILED,
          "its server died");
    }
  }

  @ParameterizedTest(name = "{0}: asked again after {1} ms")
  @CsvSource({
    "BEGINNING, 2000",
    "SUBMITTING, 2000",
    "CANCELLING, 500",
    "COLLECTING, 2000",
    "ENDING, 2000"
  })
  void asksAtOnceAndThenInIntervals(Stage stage, long interval) {
    JobRun run = in(stage);
    assertThat(JobRules.nextAsk(run)).isEqualTo(run.stageSince());
    assertThat(JobRules.nextAsk(run.asked(at(130))))
        .isEqualTo(seconds(130).plus(Duration.ofMillis(interval)));
  }

  @ParameterizedTest(name = "after {0} s: in {1} ms")
  @CsvSource({"0, 100", "10, 100", "11, 110", "49, 490", "50, 500", "3600, 500"})
  void aRunIsAskedAboutAtAHundredthOfItsAge(long age, long pause) {
    JobRun run = in(Stage.FOLLOWING);
    Duration asked = run.stageSince().plusSeconds(age);
    assertThat(JobRules.nextAsk(run.asked(at(asked.toSeconds()))).minus(asked).toMillis())
        .isEqualTo(pause);
  }

  @Test
  void aRunThatIsNotKnownIsAskedAboutAgainAfterAWhile() {
    JobRun run = answered(in(Stage.FOLLOWING).asked(at(112)), NOT_KNOWN, 112);
    assertThat(JobRules.nextAsk(run)).isEqualTo(seconds(112).plusMillis(500));
  }

  @Test
  void aNewStageIsAskedAboutAtOnce() {
    JobRun run = in(Stage.FOLLOWING).asked(at(130));
    assertThat(JobRules.nextAsk(answered(run, FINISHED, 131))).isEqualTo(seconds(131));
  }

  @Test
  void aRunOfAnEarlierProcessIsTakenUpOnTheServerThatIsSeen() {
    JobRun run = JobRun.recovered(Boxes.attempted(Boxes.job("j1", COMFYUI)), at(5));
    assertThat(run.run()).isEmpty();
    assertThat(run.on(Optional.of(SERVER)).run()).contains(SERVER);
    assertThat(run.on(Optional.of(SERVER)).stage()).isEqualTo(Stage.FOLLOWING);
  }
}

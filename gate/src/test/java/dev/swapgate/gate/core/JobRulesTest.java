package dev.swapgate.gate.core;

import static dev.swapgate.gate.core.Boxes.COMFYUI;
import static dev.swapgate.gate.core.Boxes.NOON;
import static dev.swapgate.gate.core.Boxes.at;
import static dev.swapgate.gate.core.Boxes.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.gate.core.ContainerSighting.Run;
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

class JobRulesTest {
  private static final Media MEDIA = Boxes.media(COMFYUI, 180);
  private static final Run SERVER = new Run("id-of-comfyui", NOON);
  private static final Job.Ticket TICKET = new Job.Ticket("t1");
  private static final JobAnswer ACCEPTED = new JobAnswer.Accepted(TICKET, "");
  private static final JobAnswer REJECTED = new JobAnswer.Rejected("no such node");
  private static final JobAnswer WORKING = new JobAnswer.Working(0.5);
  private static final JobAnswer FINISHED = new JobAnswer.Finished();
  private static final JobAnswer ERRORED = new JobAnswer.Errored("out of memory");
  private static final JobAnswer INTERRUPTED = new JobAnswer.Interrupted();
  private static final JobAnswer NOT_KNOWN = new JobAnswer.NotKnown();
  private static final JobAnswer UNANSWERED = new JobAnswer.Unanswered("time-out");
  private static final JobAnswer COLLECTED = new JobAnswer.Collected(List.of("a.png"));
  private static final JobAnswer UNWRITABLE = new JobAnswer.Unwritable("no space left");
  private static final JobAnswer UNCOLLECTABLE = new JobAnswer.Uncollectable("gone");

  /** An attempt begun at 100 s that has been in this stage since 110 s. */
  private static JobRun in(Stage stage) {
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

  private static JobRun goesOn(Verdict verdict) {
    assertThat(verdict).isInstanceOf(Verdict.GoesOn.class);
    return ((Verdict.GoesOn) verdict).run();
  }

  private static JobRun answered(JobRun run, JobAnswer answer, long second) {
    return goesOn(JobRules.answered(run, answer, MEDIA, at(second)));
  }

  private static void assertEnds(JobRun run, Job.State state, String reason) {
    assertThat(run.stage()).isEqualTo(Stage.ENDING);
    assertThat(run.end().map(End::state)).contains(state);
    assertThat(run.end().map(End::reason)).contains(reason);
  }

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

  @ParameterizedTest(name = "{0}: asked again after {1} ms")
  @CsvSource({
    "BEGINNING, 2000",
    "SUBMITTING, 2000",
    "FOLLOWING, 500",
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

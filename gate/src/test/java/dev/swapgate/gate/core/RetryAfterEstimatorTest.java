package dev.swapgate.gate.core;

import static dev.swapgate.gate.core.Boxes.COMFYUI;
import static dev.swapgate.gate.core.Boxes.MUSIC;
import static dev.swapgate.gate.core.Boxes.VLLM;
import static dev.swapgate.gate.core.Boxes.at;
import static dev.swapgate.gate.core.Boxes.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.gate.core.StepTimes.Key;
import dev.swapgate.gate.core.StepTimes.Sample;
import dev.swapgate.gate.core.StepTimes.Step;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** DESIGN 6. The swap began at 100 s, the present phase at 150 s, and it is 160 s now. */
class RetryAfterEstimatorTest {
  private static final Now NOW = at(160);
  private static final Duration SWAP = seconds(100);
  private static final Duration PHASE = seconds(150);
  private static final Engine ENGINE = Boxes.engine(VLLM, Optional.of(seconds(400)));
  private static final Engine UNTOLD = Boxes.engine(VLLM);
  private static final Job IMAGE = Boxes.job("image", COMFYUI);
  private static final Job SONG = Boxes.job("song", MUSIC);

  private final StepTimes times = new StepTimes(List.of());
  private final RetryAfterEstimator estimator = new RetryAfterEstimator(Boxes.box(), times);

  private void learn(Step step, Backend.Id backend, String shape, long seconds) {
    times.add(new Sample(new Key(step, backend, shape), seconds(seconds)));
  }

  /** Each step takes another number of seconds, so that a sum tells which are in it. */
  private void learnAll() {
    learn(Step.DRAIN, VLLM, "", 1);
    learn(Step.STOP, VLLM, "", 2);
    learn(Step.RELEASE, VLLM, "", 4);
    learn(Step.START_TO_READY, COMFYUI, "", 8);
    learn(Step.RUN, COMFYUI, "shape", 64);
    learn(Step.COLLECT, COMFYUI, "shape", 16);
    learn(Step.STOP, COMFYUI, "", 3);
    learn(Step.RELEASE, COMFYUI, "", 5);
    learn(Step.START_TO_READY, VLLM, "", 300);
  }

  private long left(Outlook outlook) {
    return outlook.left(NOW).toSeconds();
  }

  private Outlook outlook(
      Phase phase, List<Job> jobs, Optional<Duration> runSince, boolean first, Engine engine) {
    Optional<Backend.Id> media = first ? Optional.empty() : Optional.of(COMFYUI);
    return estimator.outlook(
        new RetryAfterEstimator.Where(
            phase, PHASE, SWAP, jobs, runSince, first, engine, Optional.empty(), media),
        NOW);
  }

  private long left(Phase phase, Job... jobs) {
    return left(outlook(phase, List.of(jobs), Optional.empty(), true, ENGINE));
  }

  @Nested
  class NothingLearned {
    @Test
    void oneJobOnAFreshInstallGivesGenerationMinusElapsed() {
      Outlook outlook = outlook(Phase.RUNNING, List.of(SONG), Optional.empty(), true, UNTOLD);
      assertThat(outlook.retryAfterSeconds(NOW)).isEqualTo(240 - 60);
      assertThat(outlook.retryAfterSeconds(at(170))).isEqualTo(240 - 70);
    }

    @Test
    void theRestoreThatTheFileStatesComesOnTop() {
      assertThat(left(Phase.DRAINING, IMAGE)).isEqualTo(180 - 60 + 400);
    }

    @Test
    void eachLaterJobAddsItsGeneration() {
      assertThat(left(Phase.STARTING_MEDIA, IMAGE, SONG, IMAGE))
          .isEqualTo(180 - 60 + 240 + 180 + 400);
    }

    @Test
    void aLaterJobOfALearnedBackendAddsWhatWasLearned() {
      learn(Step.RUN, COMFYUI, "shape", 64);
      assertThat(left(Phase.STARTING_MEDIA, SONG, IMAGE)).isEqualTo(240 - 60 + 64 + 400);
    }

    @Test
    void aLaterJobCountsFromItsOwnStart() {
      assertThat(
              left(
                  outlook(Phase.RUNNING, List.of(IMAGE), Optional.of(seconds(140)), false, ENGINE)))
          .isEqualTo(180 - 20 + 400);
    }

    @Test
    void aLaterJobThatHasNotBegunTakesItsWholeTime() {
      assertThat(left(outlook(Phase.FREEING, List.of(SONG), Optional.empty(), false, ENGINE)))
          .isEqualTo(240 + 400);
    }

    @Test
    void anOverrunStaysAtTheFloor() {
      Outlook outlook = outlook(Phase.RUNNING, List.of(SONG), Optional.empty(), true, UNTOLD);
      assertThat(outlook.retryAfterSeconds(at(9_999))).isEqualTo(30);
    }

    @Test
    void aWholeSwapIsItsGenerationAndTheRestore() {
      assertThat(estimator.wholeSwap(IMAGE, ENGINE)).isEqualTo(seconds(180 + 400));
      assertThat(estimator.run(IMAGE)).isEqualTo(seconds(180));
    }

    @Test
    void aLongQueueIsClampedAtTheCeiling() {
      assertThat(
              outlook(
                      Phase.RUNNING,
                      List.of(SONG, SONG, SONG, SONG, SONG),
                      Optional.empty(),
                      true,
                      UNTOLD)
                  .retryAfterSeconds(NOW))
          .isEqualTo(900);
    }
  }

  @Nested
  class Learned {
    private static final int AFTER_RUN = 3 + 5 + 300;

    @ParameterizedTest(name = "{0}: {1} s of this step are left, then {2} s")
    @CsvSource({
      // The learned steps: drain 1, stop 2, release 4, start 8, run 64, collect 16.
      "RESTORING,       290, 95", // An engine that was loading gets ready first.
      "DRAINING,        0, 94",
      "STOPPING_ENGINE, 0, 92",
      "FREEING,         0, 88",
      "DEGRADED,        0, 88",
      "STARTING_MEDIA,  0, 80",
      "RUNNING,         70, 0",
      "BOOTING,         70, 0",
      "SERVING,         0, 94"
    })
    void isWhatIsLeftOfThisStepAndAllLaterOnes(Phase phase, long step, long later) {
      learnAll();
      assertThat(left(phase, IMAGE)).isEqualTo(step + later + AFTER_RUN);
    }

    @ParameterizedTest(name = "restore {0} s: {1} s more than what is left")
    @CsvSource({"20, 0", "232, 0", "240, 30", "480, 60"})
    void aLongRestoreHasAMarginOfAnEighth(long restore, int margin) {
      learn(Step.RUN, COMFYUI, "shape", 64);
      learn(Step.START_TO_READY, VLLM, "", restore);
      Outlook outlook = outlook(Phase.FREEING, List.of(IMAGE), Optional.empty(), true, ENGINE);
      Now begun = at(150);
      assertThat(outlook.retryAfterSeconds(begun))
          .isEqualTo((int) outlook.left(begun).toSeconds() + margin)
          .isGreaterThan(30);
    }

    @Test
    void thePresentStepFallsFromItsBeginning() {
      learnAll();
      learn(Step.DRAIN, VLLM, "", 101);
      Outlook outlook = outlook(Phase.DRAINING, List.of(IMAGE), Optional.empty(), true, ENGINE);
      assertThat(outlook.left(at(150))).isEqualTo(seconds(51 + 94 + AFTER_RUN));
      assertThat(outlook.left(at(160))).isEqualTo(seconds(41 + 94 + AFTER_RUN));
    }

    @ParameterizedTest
    @CsvSource({"RUNNING", "STOPPING_ENGINE"})
    void aRunThatHasBegunCountsFromItsBeginningWhateverElseIsDone(Phase phase) {
      learnAll();
      Outlook outlook = outlook(phase, List.of(IMAGE), Optional.of(seconds(120)), true, ENGINE);
      assertThat(left(outlook)).isEqualTo(64 + 16 - 40 + AFTER_RUN);
    }

    @Test
    void severalJobsShareOneVisit() {
      learnAll();
      assertThat(left(Phase.STARTING_MEDIA, IMAGE, IMAGE)).isEqualTo(80 + 80 + AFTER_RUN);
    }

    @Test
    void aFurtherVisitAddsTheWayFromOneServerToTheOther() {
      learnAll();
      learn(Step.START_TO_READY, MUSIC, "", 7);
      learn(Step.STOP, MUSIC, "", 11);
      learn(Step.RELEASE, MUSIC, "", 13);
      assertThat(left(Phase.STARTING_MEDIA, IMAGE, SONG, SONG))
          .isEqualTo(80 + (3 + 5) + 7 + 240 + 240 + (11 + 13) + 300);
    }

    /** Between two visits chat is as far away as the next visit is long. */
    @Test
    void theNextVisitCountsWhileTheFirstServerIsStopped() {
      learnAll();
      learn(Step.RUN, MUSIC, "shape", 500);
      learn(Step.STOP, COMFYUI, "", 31);
      assertThat(
              left(outlook(Phase.STOPPING_MEDIA, List.of(SONG), Optional.empty(), false, ENGINE)))
          .as("the median of 3 and 31 is 17, 10 of it gone")
          .isEqualTo(17 - 10 + 5 + 500 + 300);
    }

    @Test
    void andSoItDoesWhenNothingIsLearned() {
      assertThat(
              left(outlook(Phase.STOPPING_MEDIA, List.of(SONG), Optional.empty(), false, ENGINE)))
          .isEqualTo(240 + 400);
    }

    @Test
    void anUnknownShapeOfAKnownBackendTakesItsGeneration() {
      learn(Step.RUN, COMFYUI, "other", 64);
      assertThat(left(Phase.STARTING_MEDIA, IMAGE)).isEqualTo(180 + 400);
    }

    @Test
    void aWholeSwapIsAllItsSteps() {
      learnAll();
      assertThat(estimator.wholeSwap(IMAGE, ENGINE))
          .isEqualTo(seconds(1 + 2 + 4 + 8 + 64 + 16 + AFTER_RUN));
      assertThat(estimator.run(IMAGE)).isEqualTo(seconds(64));
    }
  }

  @Nested
  class WayHome {
    @ParameterizedTest(name = "{0}: {1} s")
    @CsvSource({
      "RUNNING,        308", // stop 3 + release 5 + restore 300
      "STOPPING_MEDIA, 305",
      "FREEING,        300",
      "RESTORING,      290",
      "BOOTING,        300",
      "DEGRADED,       300"
    })
    void isTheServersStopItsReleaseAndTheRestore(Phase phase, long left) {
      learnAll();
      assertThat(left(outlook(phase, List.of(), Optional.empty(), false, ENGINE))).isEqualTo(left);
    }

    @Test
    void whatIsLeftOfAStepFallsFromItsBeginning() {
      learnAll();
      learn(Step.RELEASE, COMFYUI, "", 31);
      learn(Step.STOP, COMFYUI, "", 33);
      assertThat(left(outlook(Phase.FREEING, List.of(), Optional.empty(), false, ENGINE)))
          .isEqualTo(18 - 10 + 300);
      assertThat(left(outlook(Phase.STOPPING_MEDIA, List.of(), Optional.empty(), false, ENGINE)))
          .isEqualTo(18 - 10 + 18 + 300);
    }

    @Test
    void anEngineThatDiedTakesItsRestore() {
      assertThat(left(outlook(Phase.FREEING, List.of(), Optional.empty(), true, ENGINE)))
          .isEqualTo(400);
      assertThat(left(outlook(Phase.RESTORING, List.of(), Optional.empty(), true, ENGINE)))
          .isEqualTo(390);
    }

    @Test
    void anEngineOfWhichNothingIsKnownGivesTheFloor() {
      assertThat(
              outlook(Phase.RESTORING, List.of(), Optional.empty(), true, UNTOLD)
                  .retryAfterSeconds(NOW))
          .isEqualTo(30);
    }

    @Test
    void whatWasLearnedBeatsWhatTheFileStates() {
      assertThat(estimator.restore(ENGINE)).isEqualTo(seconds(400));
      learnAll();
      assertThat(estimator.restore(ENGINE)).isEqualTo(seconds(300));
      assertThat(estimator.restore(UNTOLD)).isEqualTo(seconds(300));
    }
  }

  @Test
  void aLeaseTakesItsRemainingTimeAndTheRestore() {
    Outlook outlook =
        estimator.outlook(
            new RetryAfterEstimator.Where(
                Phase.RUNNING,
                PHASE,
                SWAP,
                List.of(IMAGE),
                Optional.empty(),
                true,
                ENGINE,
                Optional.of(seconds(200)),
                Optional.of(COMFYUI)),
            NOW);
    assertThat(outlook.left(NOW)).isEqualTo(seconds(40 + 400));
    assertThat(outlook.left(at(170))).isEqualTo(seconds(30 + 400));
  }
}

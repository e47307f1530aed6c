package dev.swapgate.gate.core;

import static dev.swapgate.gate.core.Boxes.COMFYUI;
import static dev.swapgate.gate.core.Boxes.MUSIC;
import static dev.swapgate.gate.core.Boxes.NINFER;
import static dev.swapgate.gate.core.Boxes.NOON;
import static dev.swapgate.gate.core.Boxes.VLLM;
import static dev.swapgate.gate.core.Boxes.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rule table of DESIGN 3, in its order. */
class ReconcilerTest {
  private static final CommandEnd DONE = new CommandEnd.Done();
  private static final CommandEnd FAILED = new CommandEnd.Failed("no such image");
  private static final CommandEnd UNKNOWN = new CommandEnd.Unknown("no answer");
  private static final long FREE = 32_000;

  /** Chat has flowed to vllm, and a job for comfyui is due. */
  private static Story due() {
    Story story = Story.serving();
    story.s.jobs().add(Boxes.job("j1", COMFYUI));
    return story.shut();
  }

  /** Comfyui was given the card by a lease, and everything is down. */
  private static Story leased() {
    return Story.allDown().lease(Optional.of(COMFYUI), 3600);
  }

  private static Story maintenance(Story story) {
    story.s.maintenance(Optional.of(new Situation.Maintenance("on request", false)));
    return story;
  }

  /** Looks once a second, so that no sighting is too old. */
  private static Story waits(Story story, long seconds) {
    return story.after(seconds).look();
  }

  private static String reason(Step step) {
    return switch (step) {
      case Step.FailVisit fail -> fail.reason();
      case Step.FailRestore fail -> fail.reason();
      default -> throw new AssertionError("not a failure: " + step);
    };
  }

  @Nested
  class Maintenance {
    @Test
    void sendsNoCommandWhateverRuns() {
      Story story = maintenance(new Story().up(COMFYUI).up(VLLM).look().ready(VLLM));
      assertThat(story.step()).isEqualTo(new Step.Rest());
    }

    @Test
    void anEngineThatLoadsIsProbedSoThatItMayServe() {
      Story story = maintenance(new Story().up(NINFER).look());
      assertThat(story.step()).isEqualTo(new Step.Probe(NINFER));
    }

    @Test
    void aPausedEngineIsNot() {
      Story story = maintenance(new Story().up(NINFER).pause(NINFER).look());
      assertThat(story.step()).isEqualTo(new Step.Rest());
    }
  }

  @Nested
  class NothingToGoBy {
    @Test
    void looksBeforeAnythingElse() {
      assertThat(new Story().step()).isEqualTo(new Step.Look());
      assertThat(maintenance(new Story()).step()).isEqualTo(new Step.Look());
    }

    @Test
    void sendsNoCommandWhileDockerCannotBeAsked() {
      Story story = due().blind();
      assertThat(story.step()).isEqualTo(new Step.Blind("connection refused"));
    }

    @Test
    void waitsForTheEndOfACommandThatIsUnderWay() {
      Story story = due();
      Attempts.Attempt stop = story.send(Note.Verb.STOP, VLLM);
      assertThat(story.after(1).step()).isEqualTo(new Step.Await("STOP of vllm", stop.deadline()));
    }

    /** DESIGN 2, freshness: asked after the last command to that container ended. */
    @Test
    void looksAgainAfterEachCommand() {
      Story story = leased().measure(FREE).sent(Note.Verb.START, COMFYUI, DONE);
      assertThat(story.step()).isEqualTo(new Step.Look());
      assertThat(story.look().step()).isNotEqualTo(new Step.Look());
    }

    @ParameterizedTest(name = "{0} ms after the last answer: looks again {1}")
    @CsvSource({"1000, false", "1001, true"})
    void noCommandIsSentOnAnOldLook(long millis, boolean looks) {
      Story story = due().look().after(Duration.ofMillis(millis));
      assertThat(story.step() instanceof Step.Look).isEqualTo(looks);
    }

    @Test
    void whatIsNoCommandMayBeDecidedOnAnOldLook() {
      Story story = new Story().up(VLLM).look().after(20);
      assertThat(story.step()).isEqualTo(new Step.Probe(VLLM));
    }
  }

  /** DESIGN 2: a stop is sent once; look until down; kill at grace + 10 s and every 10 s after. */
  @Nested
  class UntilDown {
    private final Story story = due().look();

    @ParameterizedTest(name = "{0} s after the stop")
    @ValueSource(longs = {1, 10, 19})
    void aStopWhoseReplyWasLostIsNeverSentAgain(long after) {
      Duration killAt = story.now().steady().plusSeconds(10 + 10);
      waits(story.sent(Note.Verb.STOP, VLLM, UNKNOWN), after);
      assertThat(story.step()).isEqualTo(new Step.Await("vllm to go down", killAt));
    }

    @Test
    void aKillFollowsTenSecondsAfterTheGracePeriod() {
      waits(story.sent(Note.Verb.STOP, VLLM, FAILED), 20);
      assertThat(story.step())
          .isEqualTo(new Step.Kill(VLLM, "it still runs 10 s after its grace period"));
    }

    @Test
    void killsEveryTenSecondsUntilItIsDown() {
      waits(story.sent(Note.Verb.STOP, VLLM, DONE), 20);
      waits(story.sent(Note.Verb.KILL, VLLM, DONE), 9);
      assertThat(story.step()).isInstanceOf(Step.Await.class);
      assertThat(waits(story, 1).step()).isInstanceOf(Step.Kill.class);
    }

    @Test
    void aKillOfAnEarlierRunDoesNotCount() {
      story.sent(Note.Verb.KILL, VLLM, DONE).down(VLLM).look().up(VLLM).look();
      Duration killAt = story.now().steady().plusSeconds(20);
      waits(story.sent(Note.Verb.STOP, VLLM, DONE), 19);
      assertThat(story.step()).isEqualTo(new Step.Await("vllm to go down", killAt));
      assertThat(waits(story, 1).step()).isInstanceOf(Step.Kill.class);
    }

    @Test
    void aKillWithoutAStopIsRepeatedToo() {
      waits(story.sent(Note.Verb.KILL, VLLM, DONE), 9);
      assertThat(story.step()).isInstanceOf(Step.Await.class);
      assertThat(waits(story, 1).step()).isInstanceOf(Step.Kill.class);
    }

    @Test
    void aStoppedEngineGoesDownEvenIfItIsTheOwnerAgain() {
      Story back = Story.serving().shut().sent(Note.Verb.STOP, VLLM, UNKNOWN).after(1).look();
      assertThat(back.owner().is(VLLM)).isTrue();
      assertThat(back.step()).isInstanceOf(Step.Await.class);
    }
  }

  @Nested
  class Settling {
    /** The deadline of the stop is 20 s after it was sent. */
    @Test
    void aStopWhoseReplyWasLostIsFencedBeforeTheOtherStarts() {
      Story story = due().look().sent(Note.Verb.STOP, VLLM, UNKNOWN);
      story.after(1).up(VLLM).look().after(1).down(COMFYUI);
      story.s.leases().add(new Lease("l1", Optional.of(VLLM), seconds(9999), NOON, false));

      assertThat(story.look().measure(FREE).look().step())
          .as("a newer run shows, but the stop may still hit it")
          .isEqualTo(new Step.Settling("the stop of vllm, whose end is unknown"));
    }

    @Test
    void nothingIsStartedWhileAStartMayStillTakeEffect() {
      Story story = Story.allDown().sent(Note.Verb.START, COMFYUI, UNKNOWN).after(1).look();
      assertThat(story.measure(FREE).look().step())
          .isEqualTo(new Step.Settling("the start of comfyui, whose end is unknown"));
    }

    @Test
    void aStartOfTheOwnerThatTookEffectIsLeftToSettle() {
      Story story = leased().sent(Note.Verb.START, COMFYUI, UNKNOWN).after(1).up(COMFYUI).look();
      assertThat(story.step()).isInstanceOf(Step.Settling.class);
      assertThat(story.look().step()).isEqualTo(new Step.Probe(COMFYUI));
    }

    @Test
    void aStartNobodyWantsAnyMoreIsStoppedOnceItTakesEffect() {
      Story story = Story.allDown().sent(Note.Verb.START, COMFYUI, UNKNOWN).after(1);
      story.up(COMFYUI).look();
      assertThat(story.step())
          .isEqualTo(new Step.Stop(COMFYUI, "its start had no known end and it is not wanted now"));
      story.sent(Note.Verb.STOP, COMFYUI, DONE).after(1).look();
      assertThat(story.step()).as("once per run").isInstanceOf(Step.Await.class);
    }

    @Test
    void stopsOfOthersGoOnMeanwhile() {
      Story story = Story.allDown().sent(Note.Verb.START, VLLM, UNKNOWN).after(1);
      story.up(MUSIC).look();
      assertThat(story.step()).isInstanceOf(Step.Stop.class);
    }

    @Test
    void aKillWithoutAKnownEndIsSettledLikeAStop() {
      Story story = due().look().sent(Note.Verb.KILL, VLLM, UNKNOWN).after(1).up(VLLM).look();
      story.s.jobs().put(Boxes.job("j1", COMFYUI).ended(Job.State.DONE, "", List.of(), NOON));
      assertThat(story.step())
          .isEqualTo(new Step.Settling("the stop of vllm, whose end is unknown"));
    }
  }

  /** Rule 4. */
  @Nested
  class NotTheOwner {
    @Test
    void thoseInsideMayFinishWithinTheDrainBudget() {
      Story story = due();
      story.s.inside(2, story.now());
      Duration until = story.now().steady().plusSeconds(300);
      assertThat(story.step()).isEqualTo(new Step.Drain(VLLM, until));
      assertThat(story.after(299).look().step()).isEqualTo(new Step.Drain(VLLM, until));
    }

    @Test
    void atItsEndTheRestIsCutVisiblyAndGivenAMomentToLeave() {
      Story story = due();
      story.s.inside(2, story.now());
      assertThat(story.after(300).look().step()).isEqualTo(new Step.Cut(VLLM));

      story.s.cut(story.now());
      Duration until = story.now().steady().plus(Reconciler.CUT_WAIT);
      assertThat(story.step()).isEqualTo(new Step.Await("those who were cut to leave", until));
      assertThat(story.after(2).look().step()).isInstanceOf(Step.Stop.class);
    }

    @Test
    void itIsStoppedAtOnceWhenNobodyIsInside() {
      assertThat(due().look().step()).isEqualTo(new Step.Stop(VLLM, "comfyui is to own the card"));
    }

    @Test
    void theTurnstileIsShutBeforeAnybodyCountsAsGone() {
      Story story = Story.serving();
      story.s.jobs().add(Boxes.job("j1", COMFYUI));
      assertThat(story.step()).isInstanceOf(Step.Drain.class);
    }

    @Test
    void thoseInsideAreWithTheEngineTheTurnstileWasOpenFor() {
      Story story = Story.serving().up(NINFER).look().shut();
      story.s.inside(2, story.now());
      assertThat(story.step()).isEqualTo(new Step.Stop(NINFER, "vllm is to own the card"));
    }

    @Test
    void mediaIsStoppedAtOnce() {
      Story story = new Story().up(MUSIC).look();
      assertThat(story.step()).isEqualTo(new Step.Stop(MUSIC, "vllm is to own the card"));
    }

    @Test
    void aCardLeasedToNobodyIsEmptied() {
      Story story = Story.serving().shut().lease(Optional.empty(), 600);
      assertThat(story.step()).isEqualTo(new Step.Stop(VLLM, "nobody is to own the card"));
    }

    /** Stopping an engine in its warm-up orphans GPU workers. */
    @Nested
    class Loading {
      private Story loading() {
        Story story = new Story().up(VLLM).look();
        story.s.jobs().add(Boxes.job("j1", COMFYUI));
        return story.look();
      }

      @Test
      void anEngineThatIsAloneGetsReadyBeforeItIsStoppedForAJob() {
        assertThat(loading().owner().is(COMFYUI)).isTrue();
        assertThat(loading().step()).isEqualTo(new Step.Probe(VLLM));
      }

      @Test
      void notWhenItIsReadyAlready() {
        assertThat(loading().ready(VLLM).step()).isInstanceOf(Step.Stop.class);
      }

      @ParameterizedTest(name = "after {0} s: probed on {1}")
      @CsvSource({"899, true", "900, false"})
      void notBeyondItsBudget(long seconds, boolean probed) {
        Story story = loading();
        Duration since = story.s.sightings().running(VLLM).orElseThrow().since();
        story.after(since.plusSeconds(seconds).minus(story.now().steady()).minusMillis(20)).look();
        assertThat(story.step() instanceof Step.Probe).isEqualTo(probed);
      }

      @Test
      void notWhenAnotherIsOnTheCard() {
        assertThat(loading().up(MUSIC).look().step())
            .isEqualTo(new Step.Stop(VLLM, "comfyui is to own the card"));
      }

      @Test
      void notWhenItIsPausedOrHasFailed() {
        assertThat(loading().pause(VLLM).look().step()).isInstanceOf(Step.Stop.class);
        Story failed = loading();
        failed.s.condemned().put(VLLM, failed.run(VLLM));
        assertThat(failed.step()).isInstanceOf(Step.Stop.class);
      }

      @Test
      void notWhenSomebodyAskedForTheCard() {
        assertThat(new Story().up(VLLM).look().lease(Optional.of(COMFYUI), 600).step())
            .isInstanceOf(Step.Stop.class);
        Story select = new Story().up(NINFER).look();
        assertThat(select.step()).isEqualTo(new Step.Stop(NINFER, "vllm is to own the card"));
      }
    }
  }

  /** Rule 5. */
  @Nested
  class ProofOfRelease {
    private Story seeking(Story story) {
      story.s.card().seek(story.now());
      return story;
    }

    @Test
    void nothingIsStartedBeforeTheCardIsProvenFree() {
      Story story = leased().measure(FREE);
      story.s.card().measured(Boxes.free(20_000), story.now().steady());
      assertThat(story.look().step()).isEqualTo(new Step.Measure(COMFYUI));
      assertThat(story.measure(FREE).look().step()).isEqualTo(new Step.Start(COMFYUI, true));
    }

    @Test
    void samplesFromBeforeTheLastStartDoNotCount() {
      Story story = leased().measure(FREE).sent(Note.Verb.START, COMFYUI, FAILED);
      story.s.attempts().account(COMFYUI);
      assertThat(story.look().step()).isEqualTo(new Step.Measure(COMFYUI));
    }

    @ParameterizedTest(name = "{0} s after it is sought")
    @ValueSource(longs = {0, 30})
    void isSoughtWithinTheReleaseBudget(long seconds) {
      Story story = seeking(leased());
      assertThat(story.after(seconds).step()).isEqualTo(new Step.Measure(COMFYUI));
    }

    @Test
    void notProvenInTimeNoMediaVisitBegins() {
      Story story = seeking(leased()).after(31).measure(20_000, Boxes.heldBy("desktop"));
      story.s.card().measured(Boxes.free(FREE, Boxes.heldBy("desktop")), story.now().steady());
      assertThat(reason(story.look().step()))
          .isEqualTo(
              "the card was not proven free for comfyui within the release budget of 30 s"
                  + " (needed 0 MiB, free 32000 MiB):"
                  + " pid 4711 (python3, container desktop) 500 MiB");
    }

    @Test
    void aCardThatCannotBeReadIsToldAsUnknown() {
      assertThat(reason(seeking(leased()).after(31).look().step()))
          .contains("free unknown): the card has not been read yet");
    }

    @Test
    void theEngineIsStartedThoughStrangersHoldTheCard() {
      Story story = seeking(Story.allDown()).after(31);
      story.s.card().measured(Boxes.free(100, Boxes.heldBy("desktop")), story.now().steady());
      assertThat(story.look().step()).isEqualTo(new Step.Start(VLLM, false));
    }

    @Test
    void nothingIsStartedWhileOneOfOursHoldsTheCard() {
      Story story = seeking(Story.allDown()).after(31);
      story.s.card().measured(Boxes.free(100, Boxes.heldBy("id-of-comfyui")), story.now().steady());
      assertThat(story.look().step())
          .isEqualTo(new Step.Held(VLLM, "pid 4711 (python3, container of comfyui) 500 MiB"));
    }
  }

  /** Rule 6. */
  @Nested
  class Start {
    @Test
    void theOwnerIsStartedOnAFreeCard() {
      assertThat(Story.allDown().measure(FREE).look().step()).isEqualTo(new Step.Start(VLLM, true));
    }

    @Test
    void nobodyIsStartedOnACardLeasedToNobody() {
      assertThat(Story.allDown().lease(Optional.empty(), 600).measure(FREE).look().step())
          .isEqualTo(new Step.Rest());
    }

    @ParameterizedTest(name = "{0} s after a failed attempt: {1}")
    @CsvSource({"9, false", "10, true"})
    void anEngineThatFailedIsStartedAfterItsBackOff(long seconds, boolean starts) {
      Story story = Story.allDown();
      story.s.restores().failed(VLLM, "exited", true, story.now());
      Duration notBefore = story.now().steady().plusSeconds(10);
      story.after(seconds - 1).measure(FREE).after(Duration.ofMillis(230)).look();
      assertThat(story.step())
          .isEqualTo(
              starts
                  ? new Step.Start(VLLM, true)
                  : new Step.Await("back-off before the next start of vllm", notBefore));
    }

    @ParameterizedTest(name = "{0} s after a hand stopped it: {1}")
    @CsvSource({"29, false", "30, true"})
    void anEngineThatAHandStoppedIsLeftAlone(long seconds, boolean starts) {
      Story story = Story.allDown();
      Duration until = story.now().steady().plusSeconds(30);
      story.s.handStop(Optional.of(new Situation.HandStop(VLLM, until)));
      story.after(seconds - 1).measure(FREE).after(Duration.ofMillis(230)).look();
      assertThat(story.step())
          .isEqualTo(
              starts
                  ? new Step.Start(VLLM, true)
                  : new Step.Await("the hand that stopped vllm", until));
    }

    @Test
    void theHandThatStoppedAnotherEngineIsNotWaitedFor() {
      Story story = Story.allDown();
      story.s.handStop(Optional.of(new Situation.HandStop(NINFER, seconds(9999))));
      assertThat(story.measure(FREE).look().step()).isEqualTo(new Step.Start(VLLM, true));
    }
  }

  /** DESIGN 4: a start that failed, by what is seen of it. */
  @Nested
  class FailedStart {
    private Step afterStart(Story story, Backend.Id id, CommandEnd end) {
      return story.sent(Note.Verb.START, id, end).exits(id, 3).after(1).look().step();
    }

    @Test
    void anEngineThatExitedIsAFailedAttemptAtOnce() {
      assertThat(afterStart(Story.allDown(), VLLM, DONE))
          .isEqualTo(
              new Step.FailRestore(VLLM, "vllm exited before it was ready with code 3", true));
    }

    @Test
    void aMediaServerThatExitedEndsTheVisit() {
      assertThat(afterStart(leased(), COMFYUI, DONE))
          .isEqualTo(new Step.FailVisit(COMFYUI, "comfyui exited before it was ready with code 3"));
    }

    @Test
    void anExitWithoutACodeIsToldWithoutOne() {
      Story story = leased().sent(Note.Verb.START, COMFYUI, DONE).after(1).look();
      assertThat(reason(story.step())).isEqualTo("comfyui exited before it was ready");
    }

    @Test
    void aRefusedStartIsToldInDockersWords() {
      assertThat(afterStart(Story.allDown(), VLLM, FAILED))
          .isEqualTo(
              new Step.FailRestore(VLLM, "Docker would not start vllm: no such image", true));
    }

    @Test
    void aStartWithoutAKnownEndThatStayedDownIsAFailedAttempt() {
      Story story = Story.allDown().sent(Note.Verb.START, VLLM, UNKNOWN);
      story.after(1).look().after(15).look();
      assertThat(reason(story.step()))
          .isEqualTo("the start of vllm had no known end (no answer) and it is down");
    }

    @Test
    void aFailureIsCountedOnce() {
      Story story = Story.allDown().sent(Note.Verb.START, VLLM, FAILED).after(1).look();
      story.s.attempts().account(VLLM);
      assertThat(story.step()).isEqualTo(new Step.Measure(VLLM));
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "could not select device driver \"nvidia\"",
          "CDI device injection failed: unresolvable CDI devices nvidia.com/gpu=all",
          "nvidia-container-cli: initialization error",
          "NVML: Driver Not Loaded",
          "cannot reach Docker"
        })
    void aMachineThatIsNotReadyIsNoAttempt(String reason) {
      Step step = afterStart(Story.allDown(), VLLM, new CommandEnd.Failed(reason));
      assertThat(step).isInstanceOf(Step.FailRestore.class);
      assertThat(((Step.FailRestore) step).counts()).isFalse();
    }
  }

  /** DESIGN 4: a name that vanishes and comes back is waited for. */
  @Nested
  class Missing {
    private static final String REASON =
        "no container is named vllm; create it ('docker compose create')";

    @ParameterizedTest(name = "{0} s after the name was gone: failed {1}")
    @CsvSource({"59, false", "61, true"})
    void anOwnerMissingForSixtySecondsIsAFailedAttempt(long seconds, boolean failed) {
      Story story = new Story().remove(VLLM).look();
      Duration since = story.s.sightings().missingSince(VLLM).orElseThrow();
      assertThat(story.after(seconds).look().step())
          .isEqualTo(
              failed
                  ? new Step.FailRestore(VLLM, REASON, true)
                  : new Step.Await("a container named vllm", since.plusSeconds(60)));
    }

    @Test
    void eachFurtherAttemptWaitsForItsBackOff() {
      Story story = new Story().remove(VLLM).look().after(61).look();
      story.s.restores().failed(VLLM, REASON, true, story.now());
      Duration until = story.now().steady().plusSeconds(10);
      assertThat(story.step()).isEqualTo(new Step.Await("a container named vllm", until));
      assertThat(story.after(10).look().step()).isInstanceOf(Step.FailRestore.class);
    }

    @Test
    void aMissingMediaServerEndsItsVisit() {
      Story story = new Story().remove(COMFYUI).look().lease(Optional.of(COMFYUI), 3600);
      assertThat(story.step()).isInstanceOf(Step.Await.class);
      assertThat(story.after(61).look().step()).isInstanceOf(Step.FailVisit.class);
    }

    @Test
    void itIsStartedWhenItIsBack() {
      Story story = new Story().remove(VLLM).look().after(61).down(VLLM).look();
      assertThat(story.measure(FREE).look().step()).isEqualTo(new Step.Start(VLLM, true));
    }
  }

  /** Rule 7. */
  @Nested
  class Readiness {
    private Story loadingFor(Story story, Backend.Id id, long seconds) {
      story.up(id).look();
      Duration since = story.s.sightings().running(id).orElseThrow().since();
      return story.after(since.plusSeconds(seconds).minus(story.now().steady()));
    }

    @ParameterizedTest(name = "an engine after {0} s")
    @CsvSource({"1", "900"})
    void isProbedWithinItsBudget(long seconds) {
      assertThat(loadingFor(new Story(), VLLM, seconds).step()).isEqualTo(new Step.Probe(VLLM));
    }

    @ParameterizedTest(name = "an engine after {0} s")
    @CsvSource({"901", "1800"})
    void anEngineOverItsBudgetIsOverdueAndProbedOn(long seconds) {
      assertThat(loadingFor(new Story(), VLLM, seconds).step())
          .isEqualTo(new Step.Overdue(VLLM, seconds(seconds)));
    }

    @Test
    void atTwiceItsBudgetItIsAFailedAttempt() {
      Story story = loadingFor(new Story(), VLLM, 1801);
      assertThat(story.step())
          .isEqualTo(
              new Step.FailRestore(
                  VLLM, "vllm was not ready within twice its budget of 900 s", true));
      story.probe(VLLM, new ProbeResult.NotReady("status 503"));
      assertThat(reason(story.step())).endsWith("; the last probe saw: status 503");
    }

    @Test
    void aMediaServerOverItsBudgetEndsTheVisit() {
      Story leased = new Story().look().lease(Optional.of(COMFYUI), 3600);
      assertThat(loadingFor(leased, COMFYUI, 180).step()).isEqualTo(new Step.Probe(COMFYUI));

      Story story = loadingFor(new Story().look().lease(Optional.of(COMFYUI), 3600), COMFYUI, 181);
      assertThat(reason(story.step()))
          .isEqualTo("comfyui was not ready within its budget of 180 s");
      story.probe(COMFYUI, new ProbeResult.NotReady("connection refused"));
      assertThat(reason(story.step())).endsWith("; the last probe saw: connection refused");
    }

    @Test
    void theBudgetStandsStillWhileDockerCannotBeAsked() {
      Story story = loadingFor(new Story(), VLLM, 890).blind();
      Duration failed = story.now().steady();
      story.after(100);
      story.s.sightings().failed("connection refused", failed, story.now());
      story.look();
      assertThat(story.step()).isEqualTo(new Step.Probe(VLLM));
    }

    @Test
    void aPausedOwnerIsStoppedAndStarted() {
      Story story = new Story().up(VLLM).look().ready(VLLM).pause(VLLM).look();
      assertThat(story.step()).isEqualTo(new Step.Stop(VLLM, "it is paused"));
    }

    @Test
    void aRunThatHasFailedIsStopped() {
      Story story = new Story().up(VLLM).look();
      story.s.condemned().put(VLLM, story.run(VLLM));
      assertThat(story.step()).isEqualTo(new Step.Stop(VLLM, "it has failed"));
    }
  }

  /** Rules 8 and 9. */
  @Nested
  class AtWork {
    @Test
    void aReadyMediaServerRunsItsJobs() {
      Story story = leased().up(COMFYUI).look().ready(COMFYUI);
      assertThat(story.step()).isEqualTo(new Step.Work(COMFYUI));
    }

    @Test
    void aReadyEngineIsLeftAlone() {
      assertThat(Story.serving().step()).isEqualTo(new Step.Rest());
    }
  }
}

package dev.swapgate.gate.core;

import static dev.swapgate.gate.core.Boxes.COMFYUI;
import static dev.swapgate.gate.core.Boxes.NINFER;
import static dev.swapgate.gate.core.Boxes.VLLM;
import static dev.swapgate.gate.core.Boxes.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules 5, 6 and 7 of DESIGN 3: the owner is alone and is brought up. */
class BringUpTest {
  private static final CommandEnd DONE = new CommandEnd.Done();
  private static final CommandEnd FAILED = new CommandEnd.Failed("no such image");
  private static final CommandEnd UNKNOWN = new CommandEnd.Unknown("no answer");
  private static final long FREE = 32_000;

  private static String reason(Step step) {
    return switch (step) {
      case Step.FailVisit fail -> fail.reason();
      case Step.FailRestore fail -> fail.reason();
      default -> throw new AssertionError("not a failure: " + step);
    };
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
      Story story = Story.leased().measure(FREE);
      story.s.card().measured(Boxes.free(20_000), story.now().steady());
      assertThat(story.look().step()).isEqualTo(new Step.Measure(COMFYUI));
      assertThat(story.measure(FREE).look().step()).isEqualTo(new Step.Start(COMFYUI, true));
    }

    @Test
    void samplesFromBeforeTheLastStartDoNotCount() {
      Story story = Story.leased().measure(FREE).sent(Note.Verb.START, COMFYUI, FAILED);
      story.s.attempts().account(COMFYUI);
      assertThat(story.look().step()).isEqualTo(new Step.Measure(COMFYUI));
    }

    @ParameterizedTest(name = "{0} s after it is sought")
    @ValueSource(longs = {0, 30})
    void isSoughtWithinTheReleaseBudget(long seconds) {
      Story story = seeking(Story.leased());
      assertThat(story.after(seconds).step()).isEqualTo(new Step.Measure(COMFYUI));
    }

    @Test
    void notProvenInTimeNoMediaVisitBegins() {
      Story story = seeking(Story.leased()).after(31).measure(20_000, Boxes.heldBy("desktop"));
      story.s.card().measured(Boxes.free(FREE, Boxes.heldBy("desktop")), story.now().steady());
      assertThat(reason(story.look().step()))
          .isEqualTo(
              "the card was not proven free for comfyui within the release budget of 30 s"
                  + " (needed 0 MiB, free 32000 MiB):"
                  + " pid 4711 (python3, container desktop) 500 MiB");
    }

    @Test
    void aCardThatCannotBeReadIsToldAsUnknown() {
      assertThat(reason(seeking(Story.leased()).after(31).look().step()))
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
      assertThat(afterStart(Story.leased(), COMFYUI, DONE))
          .isEqualTo(new Step.FailVisit(COMFYUI, "comfyui exited before it was ready with code 3"));
    }

    @Test
    void anExitWithoutACodeIsToldWithoutOne() {
      Story story = Story.leased().sent(Note.Verb.START, COMFYUI, DONE).after(1).look();
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
      Attempts.Attempt start = story.s.attempts().last(VLLM, Note.Verb.START).orElseThrow();
      Duration budget = start.deadline().minus(start.sent());
      story.after(1).look().after(budget.plus(Attempts.LATE_EFFECT)).look();
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
    @CsvSource({"59, false", "60, true"})
    void anOwnerMissingForSixtySecondsIsAFailedAttempt(long seconds, boolean failed) {
      Story story = new Story().remove(VLLM).look();
      Duration since = story.s.sightings().missingSince(VLLM).orElseThrow();
      story.after(since.plusSeconds(seconds).minus(story.now().steady()));
      assertThat(story.step())
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
}

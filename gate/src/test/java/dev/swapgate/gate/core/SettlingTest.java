package dev.swapgate.gate.core;

import static dev.swapgate.gate.core.Boxes.COMFYUI;
import static dev.swapgate.gate.core.Boxes.MUSIC;
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
import org.junit.jupiter.params.provider.ValueSource;

/** Rule 3 of DESIGN 3: what was sent and is not certain, or has not worked. */
class SettlingTest {
  private static final CommandEnd DONE = new CommandEnd.Done();
  private static final CommandEnd FAILED = new CommandEnd.Failed("no such image");
  private static final CommandEnd UNKNOWN = new CommandEnd.Unknown("no answer");
  private static final long FREE = 32_000;

  /** Looks once a second, so that no sighting is too old. */
  private static Story waits(Story story, long seconds) {
    return story.after(seconds).look();
  }

  /** DESIGN 2: a stop is sent once; look until down; kill at grace + 10 s and every 10 s after. */
  @Nested
  class UntilDown {
    private final Story story = Story.due().look();

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
      Story story = Story.due().look().sent(Note.Verb.STOP, VLLM, UNKNOWN);
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
      Story story =
          Story.leased().sent(Note.Verb.START, COMFYUI, UNKNOWN).after(1).up(COMFYUI).look();
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
      Story story = Story.due().look().sent(Note.Verb.KILL, VLLM, UNKNOWN).after(1).up(VLLM).look();
      story.s.jobs().put(Boxes.job("j1", COMFYUI).ended(Job.State.DONE, "", List.of(), NOON));
      assertThat(story.step())
          .isEqualTo(new Step.Settling("the stop of vllm, whose end is unknown"));
    }
  }
}

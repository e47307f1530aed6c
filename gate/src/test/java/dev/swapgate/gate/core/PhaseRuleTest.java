package dev.swapgate.gate.core;

import static dev.swapgate.gate.core.Boxes.COMFYUI;
import static dev.swapgate.gate.core.Boxes.MUSIC;
import static dev.swapgate.gate.core.Boxes.NINFER;
import static dev.swapgate.gate.core.Boxes.VLLM;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The words of DESIGN 1, in the order in which a swap goes through them. */
class PhaseRuleTest {
  private static final CommandEnd DONE = new CommandEnd.Done();

  /** Chat flowed to vllm; comfyui was given the card. */
  private static Story leased() {
    return Story.serving().shut().lease(Optional.of(COMFYUI), 3600);
  }

  private static Story leasedAndDown() {
    return Story.allDown().lease(Optional.of(COMFYUI), 3600);
  }

  @ParameterizedTest
  @CsvSource({"STOPPING_ENGINE, stopping_engine", "SERVING, serving"})
  void itsWordIsLowerCase(Phase phase, String word) {
    assertThat(phase.word()).isEqualTo(word);
  }

  @Test
  void bootingUntilEveryContainerWasSeen() {
    assertThat(new Story().phase()).isEqualTo(Phase.BOOTING);
  }

  @Test
  void servingWhileTheTurnstileIsOpen() {
    assertThat(Story.serving().phase()).isEqualTo(Phase.SERVING);
  }

  @Test
  void maintenanceBeforeAllElse() {
    Story story = Story.serving();
    story.s.maintenance(Optional.of(new Situation.Maintenance("on request", false)));
    assertThat(story.phase()).isEqualTo(Phase.MAINTENANCE);
  }

  @Nested
  class GoingToMedia {
    @Test
    void drainingWhileThoseInsideMayFinish() {
      assertThat(leased().phase()).isEqualTo(Phase.DRAINING);
    }

    @Test
    void stoppingTheEngineOnceItsStopIsSent() {
      Story story = leased();
      story.send(Note.Verb.STOP, VLLM);
      assertThat(story.phase()).isEqualTo(Phase.STOPPING_ENGINE);
    }

    @Test
    void freeingWhileTheProofIsSought() {
      assertThat(leasedAndDown().phase()).isEqualTo(Phase.FREEING);
    }

    @Test
    void startingMediaFromItsStartToReady() {
      Story story = leasedAndDown().measure(32_000).look();
      story.send(Note.Verb.START, COMFYUI);
      assertThat(story.phase()).as("under way").isEqualTo(Phase.STARTING_MEDIA);
      assertThat(leasedAndDown().sent(Note.Verb.START, COMFYUI, DONE).phase())
          .as("answered, not seen up yet")
          .isEqualTo(Phase.STARTING_MEDIA);
      assertThat(leasedAndDown().up(COMFYUI).look().phase()).isEqualTo(Phase.STARTING_MEDIA);
    }

    @Test
    void freeingAgainOnceAFailedStartIsCounted() {
      Story story = leasedAndDown().sent(Note.Verb.START, COMFYUI, DONE).after(1).look();
      story.s.attempts().account(COMFYUI);
      assertThat(story.phase()).isEqualTo(Phase.FREEING);
    }

    @Test
    void startingMediaWhileAStartIsSettled() {
      Story story = leasedAndDown();
      story.sent(Note.Verb.START, COMFYUI, new CommandEnd.Unknown("no answer")).after(1).look();
      story.s.attempts().account(COMFYUI);
      assertThat(story.phase()).isEqualTo(Phase.STARTING_MEDIA);
    }

    @Test
    void runningOnceItIsReady() {
      assertThat(leasedAndDown().up(COMFYUI).look().ready(COMFYUI).phase())
          .isEqualTo(Phase.RUNNING);
    }

    @Test
    void runningWhileTheCardIsLeasedToNobody() {
      assertThat(Story.allDown().lease(Optional.empty(), 600).phase()).isEqualTo(Phase.RUNNING);
    }
  }

  @Nested
  class GoingHome {
    @Test
    void stoppingMediaWhileItIsNotDown() {
      Story story = new Story().up(MUSIC).look().ready(MUSIC).shut();
      assertThat(story.phase()).isEqualTo(Phase.STOPPING_MEDIA);
    }

    @Test
    void freeingBeforeTheEngineIsStarted() {
      assertThat(Story.allDown().phase()).isEqualTo(Phase.FREEING);
    }

    @Test
    void restoringFromItsStartToTheOpening() {
      assertThat(Story.allDown().sent(Note.Verb.START, VLLM, DONE).phase())
          .isEqualTo(Phase.RESTORING);
      assertThat(new Story().up(VLLM).look().phase()).isEqualTo(Phase.RESTORING);
      assertThat(new Story().up(VLLM).look().ready(VLLM).phase()).isEqualTo(Phase.RESTORING);
    }

    @Test
    void restoringWhileABackOffIsWaitedFor() {
      Story story = Story.allDown();
      story.s.restores().failed(VLLM, "exited", true, story.now());
      assertThat(story.step()).isInstanceOf(Step.Await.class);
      assertThat(story.phase()).isEqualTo(Phase.RESTORING);
    }

    @Test
    void restoringWhileALoadingEngineIsLetGetReadyFirst() {
      Story story = new Story().up(VLLM).look();
      story.s.jobs().add(Boxes.job("j1", COMFYUI));
      assertThat(story.phase()).isEqualTo(Phase.RESTORING);
    }

    @Test
    void drainingWhenAnotherEngineIsToServe() {
      Story story = Story.serving().shut();
      story.s.select(NINFER);
      assertThat(story.phase()).isEqualTo(Phase.DRAINING);
    }
  }

  @Nested
  class Degraded {
    private void fails(Story story) {
      for (int i = 0; i < 3; i++) {
        story.s.restores().failed(VLLM, "exited", true, story.now());
      }
    }

    @Test
    void whileNoEngineCanBeBroughtBack() {
      Story story = Story.allDown();
      fails(story);
      assertThat(story.phase()).isEqualTo(Phase.DEGRADED);
    }

    @Test
    void notWhileMediaOwnsTheCard() {
      Story story = leasedAndDown().up(COMFYUI).look().ready(COMFYUI);
      fails(story);
      assertThat(story.phase()).isEqualTo(Phase.RUNNING);
    }

    @Test
    void whileOneOfOursHoldsTheCardThoughItIsDown() {
      Story story = leasedAndDown();
      story.s.card().seek(story.now());
      story.after(31);
      story.s.card().measured(Boxes.free(100, Boxes.heldBy("id-of-vllm")), story.now().steady());
      assertThat(story.phase()).isEqualTo(Phase.DEGRADED);
    }
  }
}

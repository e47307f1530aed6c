package dev.swapgate.gate.core;

import static dev.swapgate.gate.core.Boxes.COMFYUI;
import static dev.swapgate.gate.core.Boxes.MUSIC;
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

/** The rule table of DESIGN 3: its order, and the rules 0, 1, 2, 4, 8 and 9. */
class ReconcilerTest {
  private static final CommandEnd DONE = new CommandEnd.Done();
  private static final long FREE = 32_000;

  private static Story maintenance(Story story) {
    story.s.maintenance(Optional.of(new Situation.Maintenance("on request", false)));
    return story;
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
      Story story = Story.due().blind();
      assertThat(story.step()).isEqualTo(new Step.Blind("connection refused"));
    }

    @Test
    void waitsForTheEndOfACommandThatIsUnderWay() {
      Story story = Story.due();
      Attempts.Attempt stop = story.send(Note.Verb.STOP, VLLM);
      assertThat(story.after(1).step()).isEqualTo(new Step.Await("STOP of vllm", stop.deadline()));
    }

    /** DESIGN 2, freshness: asked after the last command to that container ended. */
    @Test
    void looksAgainAfterEachCommand() {
      Story story = Story.leased().measure(FREE).sent(Note.Verb.START, COMFYUI, DONE);
      assertThat(story.step()).isEqualTo(new Step.Look());
      assertThat(story.look().step()).isNotEqualTo(new Step.Look());
    }

    @Test
    void aLookAskedAtTheVeryEndOfACommandIsNotUsed() {
      Story story = Story.leased().measure(FREE).look();
      Duration asked = story.s.sightings().lastAsked().orElseThrow();
      long number = story.send(Note.Verb.START, COMFYUI).number();
      story.s.attempts().ended(number, DONE, Boxes.at(asked));
      assertThat(story.step()).isEqualTo(new Step.Look());
    }

    @ParameterizedTest(name = "{0} ms after the last answer: looks again {1}")
    @CsvSource({"1000, false", "1001, true"})
    void noCommandIsSentOnAnOldLook(long millis, boolean looks) {
      Story story = Story.due().look().after(Duration.ofMillis(millis));
      assertThat(story.step() instanceof Step.Look).isEqualTo(looks);
    }

    @Test
    void whatIsNoCommandMayBeDecidedOnAnOldLook() {
      Story story = new Story().up(VLLM).look().after(20);
      assertThat(story.step()).isEqualTo(new Step.Probe(VLLM));
    }
  }

  /** Rule 4. */
  @Nested
  class NotTheOwner {
    @Test
    void thoseInsideMayFinishWithinTheDrainBudget() {
      Story story = Story.due();
      story.s.inside(2, story.now());
      Duration until = story.now().steady().plusSeconds(300);
      assertThat(story.step()).isEqualTo(new Step.Drain(VLLM, until));
      assertThat(story.after(299).look().step()).isEqualTo(new Step.Drain(VLLM, until));
    }

    @Test
    void atItsEndTheRestIsCutVisiblyAndGivenAMomentToLeave() {
      Story story = Story.due();
      story.s.inside(2, story.now());
      assertThat(story.after(300).step()).isEqualTo(new Step.Cut(VLLM));

      story.s.cut(story.now());
      Duration until = story.now().steady().plus(Reconciler.CUT_WAIT);
      assertThat(story.step()).isEqualTo(new Step.Await("those who were cut to leave", until));
      story.after(Duration.ofMillis(1_980)).look();
      assertThat(story.step()).isInstanceOf(Step.Stop.class);
    }

    @Test
    void itIsStoppedAtOnceWhenNobodyIsInside() {
      assertThat(Story.due().look().step())
          .isEqualTo(new Step.Stop(VLLM, "comfyui is to own the card"));
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

  /** Rules 8 and 9. */
  @Nested
  class AtWork {
    @Test
    void aReadyMediaServerRunsItsJobs() {
      Story story = Story.leased().up(COMFYUI).look().ready(COMFYUI);
      assertThat(story.step()).isEqualTo(new Step.Work(COMFYUI));
    }

    @Test
    void aReadyEngineIsLeftAlone() {
      assertThat(Story.serving().step()).isEqualTo(new Step.Rest());
    }
  }
}

package dev.swapgate.gate.core;

import static dev.swapgate.gate.core.Boxes.COMFYUI;
import static dev.swapgate.gate.core.Boxes.MUSIC;
import static dev.swapgate.gate.core.Boxes.NINFER;
import static dev.swapgate.gate.core.Boxes.VLLM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.gate.core.HandRules.Finding;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** DESIGN 4, the owner's hand. */
class HandRulesTest {
  private static final CommandEnd DONE = new CommandEnd.Done();
  private static final CommandEnd UNKNOWN = new CommandEnd.Unknown("no answer");

  private final HandRules hands = new HandRules();

  private List<Finding> look(Story story) {
    return hands.looked(story.look().s, story.owner().owner(), story.now());
  }

  /** Chat flows to vllm, and this has been seen. */
  private Story serving() {
    Story story = Story.serving();
    assertThat(look(story)).isEmpty();
    return story;
  }

  private static void maintenance(Story story) {
    story.s.maintenance(Optional.of(new Situation.Maintenance("on request", false)));
  }

  @Nested
  class MediaStarted {
    @Test
    void byHandIsALease() {
      Story story = serving();
      assertThat(look(story.up(COMFYUI))).containsExactly(new Finding.LeaseByHand(COMFYUI));
      assertThat(look(story)).as("told once for each run").isEmpty();
    }

    @Test
    void anewIsTwoFindings() {
      Story story = serving();
      look(story.up(COMFYUI));
      assertThat(look(story.after(60).up(COMFYUI)))
          .containsExactly(new Finding.WentDown(COMFYUI), new Finding.LeaseByHand(COMFYUI));
    }

    @Test
    void byUsIsNone() {
      Story story = serving().sent(Note.Verb.START, COMFYUI, DONE);
      assertThat(look(story.up(COMFYUI))).isEmpty();
    }

    @Test
    void byAStartOfOursWithoutAKnownEndIsNone() {
      Story story = serving().sent(Note.Verb.START, COMFYUI, UNKNOWN).after(500);
      assertThat(look(story.up(COMFYUI))).isEmpty();
    }

    @Test
    void longAfterOurStartIsByHand() {
      Story story = serving().sent(Note.Verb.START, COMFYUI, DONE).after(60);
      assertThat(look(story.up(COMFYUI))).hasSize(1);
    }

    @Test
    void whatWeSentAStopToIsNeverALease() {
      Story story = serving().up(COMFYUI).look().sent(Note.Verb.STOP, COMFYUI, UNKNOWN);
      assertThat(look(story)).isEmpty();
    }

    @Test
    void inMaintenanceMeansNothing() {
      Story story = serving();
      maintenance(story);
      assertThat(look(story.up(COMFYUI))).isEmpty();
    }

    /** {@code compose up}: exited ones count too. */
    @ParameterizedTest(name = "{0} s after another container: a lease {1}")
    @CsvSource({"-29, false", "-30, true", "0, false", "29, false", "30, true"})
    void togetherWithAnotherContainerIsNoLease(long after, boolean lease) {
      Story story = serving().after(100);
      Instant other = story.now().wall().minusSeconds(after);
      story.is(MUSIC, Boxes.exited(MUSIC, other, 0)).up(COMFYUI);
      assertThat(look(story).size()).isEqualTo(lease ? 1 : 0);
    }

    @Test
    void togetherWithOneThatWeStartedIsALease() {
      Story story = serving();
      story
          .s
          .attempts()
          .send(
              MUSIC,
              Note.Verb.START,
              Optional.empty(),
              Boxes.seconds(0),
              Boxes.seconds(60),
              story.now());
      story.is(MUSIC, Boxes.exited(MUSIC, story.now().wall(), 1)).up(COMFYUI);
      assertThat(look(story)).containsExactly(new Finding.LeaseByHand(COMFYUI));
    }

    @Test
    void withARestartPolicyIsNoLease() {
      Story story = serving();
      story.is(COMFYUI, Boxes.withRestartPolicy(Boxes.running(COMFYUI, story.now().wall())));
      assertThat(look(story)).isEmpty();
    }

    @Test
    void whileAnotherMediaBackendOwnsTheCardIsNoLease() {
      Story story = serving().lease(Optional.of(MUSIC), 600);
      assertThat(look(story.up(COMFYUI))).isEmpty();
    }

    @Test
    void whileItHasALeaseAlreadyIsNone() {
      Story story = serving().lease(Optional.of(COMFYUI), 600);
      assertThat(look(story.up(COMFYUI))).isEmpty();
    }

    @Test
    void aLeaseOfNobodyLeavesItALease() {
      Story story = serving().lease(Optional.empty(), 600);
      assertThat(look(story.up(COMFYUI))).hasSize(1);
    }

    @Test
    void whileItRunsAJobOfOursIsNone() {
      Story story = serving().runs(Boxes.job("j1", COMFYUI));
      assertThat(look(story.up(COMFYUI))).isEmpty();
    }

    @Test
    void theJobOfAnotherDoesNotMatter() {
      Story story = serving();
      look(story);
      story.runs(Boxes.job("j1", MUSIC)).up(COMFYUI).look();
      assertThat(hands.looked(story.s, Optional.of(VLLM), story.now())).hasSize(1);
    }

    @Test
    void atBootBesideAnEngineIsNoLease() {
      Story story = new Story().up(VLLM).after(60).up(COMFYUI);
      assertThat(look(story)).isEmpty();
    }

    @Test
    void atBootAloneIsALease() {
      Story story = new Story().up(COMFYUI);
      assertThat(look(story)).containsExactly(new Finding.LeaseByHand(COMFYUI));
    }
  }

  @Nested
  class EngineDown {
    @Test
    void thatExitedByItselfHasDied() {
      Story story = serving().exits(VLLM, 1);
      assertThat(look(story))
          .containsExactly(new Finding.WentDown(VLLM), new Finding.Died(VLLM, "exit code 1"));
    }

    @Test
    void thatTheHostKilledIsToldSo() {
      Story story = serving().exits(VLLM, 137);
      story.is(VLLM, Boxes.killedForMemory(story.container(VLLM)));
      assertThat(look(story))
          .contains(new Finding.Died(VLLM, "exit code 137 (killed for host memory)"));
    }

    @Test
    void withoutAnExitCodeIsToldSo() {
      assertThat(look(serving().down(VLLM))).contains(new Finding.Died(VLLM, "no exit code"));
    }

    @Test
    void whoseContainerIsGoneIsNoHandsStop() {
      Story story = serving().remove(VLLM);
      hands.signalled(VLLM);
      assertThat(look(story)).contains(new Finding.Died(VLLM, "its container is gone"));
    }

    @ParameterizedTest
    @ValueSource(ints = {130, 143})
    void withTheCodeOfASignalWasStoppedByHand(int code) {
      assertThat(look(serving().exits(VLLM, code)))
          .containsExactly(new Finding.WentDown(VLLM), new Finding.StoppedByHand(VLLM));
    }

    @Test
    void thatSomebodySignalledWasStoppedByHandWhateverItsCode() {
      Story story = serving().exits(VLLM, 0);
      hands.signalled(VLLM);
      assertThat(look(story)).contains(new Finding.StoppedByHand(VLLM));
    }

    @Test
    void aSignalToAnEarlierRunDoesNotCount() {
      Story story = serving();
      hands.signalled(VLLM);
      look(story.after(100).up(VLLM));
      assertThat(look(story.exits(VLLM, 1))).contains(new Finding.Died(VLLM, "exit code 1"));
    }

    @Test
    void thatWeStoppedIsOnlyDown() {
      Story story = serving().sent(Note.Verb.STOP, VLLM, DONE).exits(VLLM, 143);
      assertThat(look(story)).containsExactly(new Finding.WentDown(VLLM));
    }

    @Test
    void thatRunsAgainIsOnlyDown() {
      assertThat(look(serving().after(100).up(VLLM))).containsExactly(new Finding.WentDown(VLLM));
    }

    @Test
    void thatWasNotTheOwnerIsOnlyDown() {
      Story story = serving().up(NINFER);
      look(story);
      assertThat(look(story.exits(NINFER, 143))).containsExactly(new Finding.WentDown(NINFER));
    }

    @Test
    void inMaintenanceIsOnlyDown() {
      Story story = serving().exits(VLLM, 143).look();
      maintenance(story);
      assertThat(hands.looked(story.s, Optional.of(VLLM), story.now()))
          .containsExactly(new Finding.WentDown(VLLM));
    }

    @Test
    void aMediaServerThatOwnsTheCardIsOnlyDown() {
      Story story = serving().lease(Optional.of(COMFYUI), 600);
      look(story.up(COMFYUI));
      assertThat(look(story.exits(COMFYUI, 143))).containsExactly(new Finding.WentDown(COMFYUI));
    }
  }

  @Nested
  class StoppedAgain {
    private final Story story = serving();

    private List<Finding> stops() {
      return look(story.exits(VLLM, 143));
    }

    private void restored() {
      look(story.up(VLLM));
      hands.restored(VLLM, story.now());
    }

    @ParameterizedTest(name = "{0} s after its return: meant {1}")
    @CsvSource({"59, true", "60, false"})
    void withinSixtySecondsOfItsReturnMeansIt(long after, boolean meant) {
      assertThat(stops()).contains(new Finding.StoppedByHand(VLLM));
      story.after(45);
      restored();
      story.after(Boxes.seconds(after).minusMillis(20)); // The look takes 20 ms.
      assertThat(stops())
          .contains(meant ? new Finding.StoppedAgain(VLLM) : new Finding.StoppedByHand(VLLM));
    }

    @ParameterizedTest(name = "started {0} s after the first stop, never ready: meant {1}")
    @CsvSource({"40, true", "89, true", "91, false"})
    void beforeItWasReadyCountsFromWhenItWasToBeLetCome(long after, boolean meant) {
      stops();
      look(story.after(after).up(VLLM));
      assertThat(stops())
          .contains(meant ? new Finding.StoppedAgain(VLLM) : new Finding.StoppedByHand(VLLM));
    }

    /** A stop of last week says nothing about one after today's swap. */
    @Test
    void afterAnotherReturnThanThatFromAHandsStopIsTheFirstTime() {
      stops();
      story.after(45);
      restored();
      look(story.after(9_000).sent(Note.Verb.STOP, VLLM, DONE).exits(VLLM, 0));
      restored();
      story.after(10);
      assertThat(stops()).contains(new Finding.StoppedByHand(VLLM));
    }

    @Test
    void aReturnFromASwapIsNone() {
      hands.restored(VLLM, story.now());
      assertThat(stops()).contains(new Finding.StoppedByHand(VLLM));
    }
  }

  @Nested
  class EngineStarted {
    private Story leftAlone() {
      Story story = serving().exits(VLLM, 143);
      look(story);
      story.s.handStop(
          Optional.of(new Situation.HandStop(VLLM, story.now().steady().plusSeconds(30))));
      return story;
    }

    @Test
    void whileAnotherIsLeftAloneIsChosen() {
      assertThat(look(leftAlone().up(NINFER))).containsExactly(new Finding.Chosen(NINFER));
    }

    @Test
    void inItsOwnPlaceChangesNothing() {
      assertThat(look(leftAlone().up(VLLM))).isEmpty();
    }

    @Test
    void byUsIsNoChoice() {
      assertThat(look(leftAlone().sent(Note.Verb.START, NINFER, DONE).up(NINFER))).isEmpty();
    }

    @Test
    void withoutAHandsStopIsAnIntruder() {
      assertThat(look(serving().up(NINFER))).isEmpty();
    }
  }
}

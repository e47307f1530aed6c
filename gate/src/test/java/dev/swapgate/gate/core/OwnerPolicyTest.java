package dev.swapgate.gate.core;

import static dev.swapgate.gate.core.Boxes.COMFYUI;
import static dev.swapgate.gate.core.Boxes.MUSIC;
import static dev.swapgate.gate.core.Boxes.NINFER;
import static dev.swapgate.gate.core.Boxes.NOON;
import static dev.swapgate.gate.core.Boxes.VLLM;
import static dev.swapgate.gate.core.Boxes.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.gate.core.Ownership.Why;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who should own the card: the rules of DESIGN 3, in their order. */
class OwnerPolicyTest {
  private static final Job IMAGE = Boxes.job("image", COMFYUI);
  private static final Job SONG = Boxes.job("song", MUSIC);

  private static Story queued(Story story, Job... jobs) {
    List.of(jobs).forEach(story.s.jobs()::add);
    return story;
  }

  private static List<Job> due(Story story) {
    return OwnerPolicy.due(story.s, story.now());
  }

  private static Ownership owns(Backend.Id id, Why why) {
    return new Ownership(Optional.of(id), why);
  }

  private static Ownership nobody(Why why) {
    return new Ownership(Optional.empty(), why);
  }

  @Test
  void theSelectedEngineOwnsTheCardWhenNobodyElseDoes() {
    Story story = Story.serving();
    assertThat(story.owner()).isEqualTo(owns(VLLM, Why.ENGINE));
    story.s.select(NINFER);
    assertThat(story.owner()).isEqualTo(owns(NINFER, Why.ENGINE));
    assertThat(story.owner().is(NINFER)).isTrue();
    assertThat(story.owner().is(VLLM)).isFalse();
  }

  @Test
  void theFallbackOwnsItWhileTheSelectedIsGivenUp() {
    Story story = Story.serving(Boxes.withFallback());
    for (int i = 0; i < 3; i++) {
      story.s.restores().failed(VLLM, "exited", true, story.now());
    }
    assertThat(story.owner()).isEqualTo(owns(NINFER, Why.ENGINE));
  }

  @Test
  void inMaintenanceNobodyDecides() {
    Story story = queued(Story.serving(), IMAGE).lease(Optional.of(MUSIC), 600);
    story.s.maintenance(Optional.of(new Situation.Maintenance("on request", false)));
    assertThat(story.owner()).isEqualTo(nobody(Why.MAINTENANCE));
    assertThat(story.owner().is(VLLM)).isFalse();
  }

  @Nested
  class RunningJob {
    @Test
    void leasesWaitForItsEnd() {
      Story story = Story.serving().runs(IMAGE).lease(Optional.empty(), 600);
      assertThat(story.owner()).isEqualTo(owns(COMFYUI, Why.RUNNING_JOB));
    }

    @ParameterizedTest(name = "{0} ms after its results are on disk: keeps the card {1}")
    @CsvSource({"4999, true", "5000, false"})
    void chatDoesNotWaitForAFinalStateThatCannotBeWritten(long millis, boolean keeps) {
      Story story = Story.serving().runs(IMAGE).shut();
      JobRun ending = JobRules.failing(story.s.jobs().run().orElseThrow(), "why", story.now());
      story.s.jobs().run(Optional.of(ending));
      story.after(Duration.ofMillis(millis));
      assertThat(story.owner())
          .isEqualTo(keeps ? owns(COMFYUI, Why.RUNNING_JOB) : owns(VLLM, Why.ENGINE));
    }
  }

  @Nested
  class Leases {
    @Test
    void beatJobs() {
      Story story = queued(Story.serving(), IMAGE).lease(Optional.of(MUSIC), 600);
      assertThat(story.owner()).isEqualTo(owns(MUSIC, Why.LEASE));
    }

    @Test
    void theOldestGoesFirst() {
      Story story = Story.serving().lease(Optional.of(MUSIC), 60).lease(Optional.of(COMFYUI), 9);
      assertThat(story.owner()).isEqualTo(owns(MUSIC, Why.LEASE));
    }

    @Test
    void aLeaseOfNobodyEmptiesTheCardBeforeAnyOther() {
      Story story = Story.serving().lease(Optional.of(MUSIC), 60).lease(Optional.empty(), 60);
      assertThat(story.owner()).isEqualTo(nobody(Why.LEASE));
    }

    @Test
    void aBackendThatIsSetAsideDoesNotGetItsLease() {
      Story story = Story.serving().lease(Optional.of(MUSIC), 60).lease(Optional.of(COMFYUI), 60);
      story.s.setAsides().failed(MUSIC, "not ready", story.now());
      assertThat(story.owner()).isEqualTo(owns(COMFYUI, Why.LEASE));
    }
  }

  @Nested
  class Due {
    @Test
    void theBackendOfTheFirstJobOwnsTheCard() {
      assertThat(queued(Story.serving(), IMAGE, SONG).owner())
          .isEqualTo(owns(COMFYUI, Why.DUE_JOB));
    }

    @Test
    void aJobOnTheBackendThatHasTheCardGoesFirst() {
      Story story = queued(Story.serving(), IMAGE, SONG).shut().down(VLLM).up(MUSIC).look();
      assertThat(story.owner()).isEqualTo(owns(MUSIC, Why.DUE_JOB));
    }

    @ParameterizedTest(name = "{0} s after noon: due {1}")
    @CsvSource({"299, false", "300, true"})
    void notBeforeItsTime(long seconds, boolean due) {
      Job later = Boxes.notBefore(NOON.plusSeconds(300), IMAGE);
      Story story = queued(Story.serving(), later);
      story.after(seconds(seconds).minus(story.now().steady()));
      assertThat(due(story)).hasSize(due ? 1 : 0);
    }

    @Test
    void notWhileItsBackendIsSetAside() {
      Story story = queued(Story.serving(), IMAGE, SONG);
      story.s.setAsides().failed(COMFYUI, "not ready", story.now());
      assertThat(due(story)).containsExactly(SONG);
    }

    @Test
    void notWhileNoEngineCouldBeBroughtBack() {
      Story story = queued(Story.serving(), IMAGE);
      for (int i = 0; i < 3; i++) {
        story.s.restores().failed(VLLM, "exited", true, story.now());
      }
      assertThat(due(story)).isEmpty();
      // And who keeps the card from that engine keeps the job waiting.
      assertThat(LeaseRules.waiting(story.s, Optional.of(COMFYUI), story.now())).contains(IMAGE);
    }

    @Test
    void notWhileTheStoreCannotBeWritten() {
      Story story = queued(Story.serving(), IMAGE);
      story.s.storeWritable(false);
      assertThat(due(story)).isEmpty();
      story.s.storeWritable(true);
      assertThat(due(story)).containsExactly(IMAGE);
    }

    @Test
    void notForABackendThatIsNoLongerThere() {
      assertThat(due(queued(Story.serving(), Boxes.job("x", new Backend.Id("gone"))))).isEmpty();
    }

    @Test
    void notTheOneThatRuns() {
      assertThat(due(queued(Story.serving().runs(IMAGE), SONG))).containsExactly(SONG);
    }
  }

  @Nested
  class Turn {
    @ParameterizedTest(name = "{0} s after the last opening: due {1}")
    @CsvSource({"59, false", "60, true"})
    void chatIsServedForMinChatBetweenTwoSwaps(long seconds, boolean due) {
      Story story = queued(new Story().up(VLLM).look().ready(VLLM).open(VLLM), IMAGE);
      assertThat(due(story.after(seconds))).hasSize(due ? 1 : 0);
    }

    @ParameterizedTest(name = "{0} s after the turnstile shut: due {1}")
    @CsvSource({"1199, true", "1200, false"})
    void noFurtherJobBeginsOnceChatHasBeenOutForMaxOutage(long seconds, boolean due) {
      Story story = queued(Story.serving().shut(), IMAGE);
      story.s.lastJobEnd(Optional.of(new Situation.JobEnd(COMFYUI, story.now().steady())));
      assertThat(due(story.after(seconds))).hasSize(due ? 1 : 0);
    }

    /** Else, where the way to it takes longer than that, every swap would be in vain. */
    @Test
    void theFirstJobOfASwapBeginsHoweverLongChatHasBeenOut() {
      Story story = queued(Story.serving().shut(), IMAGE);
      assertThat(due(story.after(9_000))).hasSize(1);
    }

    @Test
    void noJobBeginsInARememberedSwapOnceChatHasBeenOutForMaxOutage() {
      Story story = queued(Story.allDown(), IMAGE);
      story.s.swap(Optional.of(new Situation.Swap(seconds(-9_000), NOON)));
      assertThat(due(story)).isEmpty();
    }

    /** On the way home, an engine that loads within its budget of 900 s. */
    @ParameterizedTest(name = "{0} s after its start: due {1}")
    @CsvSource({"1, false", "899, false", "901, true"})
    void anEngineThatIsOnItsWayServesFirst(long seconds, boolean due) {
      Story story = queued(Story.allDown().shut(), IMAGE);
      story.sent(Note.Verb.START, VLLM, new CommandEnd.Done()).up(VLLM).look();
      assertThat(due(story.after(seconds))).hasSize(due ? 1 : 0);
    }

    @Test
    void anEngineThatIsReadyAgainServesFirst() {
      Story story = queued(Story.allDown().shut(), IMAGE);
      story.sent(Note.Verb.START, VLLM, new CommandEnd.Done()).up(VLLM).look().ready(VLLM);
      assertThat(due(story)).isEmpty();
      assertThat(story.owner().is(VLLM)).isTrue();
    }

    @Test
    void anEngineThatIsOrderedDownDoesNot() {
      Story story = queued(Story.allDown().shut(), IMAGE);
      story.sent(Note.Verb.START, VLLM, new CommandEnd.Done()).up(VLLM).look();
      story.send(Note.Verb.STOP, VLLM);
      assertThat(due(story)).hasSize(1);
    }

    @Test
    void atBootAVisitMayComeFirst() {
      assertThat(due(queued(Story.allDown(), IMAGE))).hasSize(1);
    }

    @Test
    void anOpenTurnstileEndsTheSwapThatWasRemembered() {
      Story story = queued(Story.serving(), IMAGE);
      story.s.swap(Optional.of(new Situation.Swap(seconds(-9_000), NOON)));
      assertThat(due(story)).hasSize(1);
    }
  }

  /** DESIGN 4: a swap whose engine could not come back is refused before anything is stopped. */
  @Nested
  class Preflight {
    private final Story story = queued(Story.serving(), IMAGE);

    private Optional<String> preflight() {
      return OwnerPolicy.preflight(story.look().s, COMFYUI);
    }

    @Test
    void passesWhenBothContainersCanComeBack() {
      assertThat(preflight()).isEmpty();
      assertThat(OwnerPolicy.preflight(new Story().s, COMFYUI)).as("not looked yet").isEmpty();
    }

    @Test
    void aMissingContainerIsNamed() {
      story.remove(COMFYUI);
      assertThat(preflight()).contains("no container is named comfyui; create it, do not start it");
      assertThat(due(story)).isEmpty();
    }

    @Test
    void anEngineThatWouldBeGoneOnceStoppedIsNotStopped() {
      story.is(VLLM, Boxes.withAutoRemove(story.container(VLLM)));
      assertThat(preflight())
          .contains("container vllm was created with --rm and would be gone once stopped");
      assertThat(due(story)).isEmpty();
    }

    @Test
    void whatAnotherContainerLacksDoesNotMatter() {
      story.remove(MUSIC);
      assertThat(preflight()).isEmpty();
    }
  }

  @Nested
  class Linger {
    private final Story story =
        new Story(Boxes.box(Optional.empty(), Boxes.policy(seconds(20))))
            .up(COMFYUI)
            .look()
            .ready(COMFYUI)
            .shut();

    private void jobEnded() {
      story.s.lastJobEnd(Optional.of(new Situation.JobEnd(COMFYUI, story.now().steady())));
    }

    @ParameterizedTest(name = "{0} s after its last job: stays {1}")
    @CsvSource({"19, true", "20, false"})
    void aReadyMediaBackendKeepsTheCardForAMoment(long seconds, boolean stays) {
      jobEnded();
      assertThat(story.after(seconds).owner())
          .isEqualTo(stays ? owns(COMFYUI, Why.LINGER) : owns(VLLM, Why.ENGINE));
    }

    @Test
    void notBeforeItHasDoneAJob() {
      assertThat(story.owner()).isEqualTo(owns(VLLM, Why.ENGINE));
    }

    @Test
    void notOnceItHasFailed() {
      jobEnded();
      story.s.condemned().put(COMFYUI, story.run(COMFYUI));
      assertThat(story.owner()).isEqualTo(owns(VLLM, Why.ENGINE));
    }

    @Test
    void notOnceItIsDown() {
      jobEnded();
      assertThat(story.down(COMFYUI).look().owner()).isEqualTo(owns(VLLM, Why.ENGINE));
    }

    @Test
    void notWhereTheFileDoesNotAskForIt() {
      Story plain = new Story().up(COMFYUI).look().ready(COMFYUI).shut();
      plain.s.lastJobEnd(Optional.of(new Situation.JobEnd(COMFYUI, plain.now().steady())));
      assertThat(plain.owner()).isEqualTo(owns(VLLM, Why.ENGINE));
    }
  }

  /** When waiting alone may change the answer. */
  @Nested
  class NextChange {
    private final Story story = Story.serving();

    private Optional<Duration> next() {
      return OwnerPolicy.nextChange(story.s, story.now());
    }

    private Duration in(long seconds) {
      return story.now().steady().plusSeconds(seconds);
    }

    @Test
    void neverWhenNothingIsWaitedFor() {
      assertThat(next()).isEmpty();
    }

    @Test
    void atTheEndOfTheFirstLease() {
      story.lease(Optional.of(MUSIC), 600).lease(Optional.of(COMFYUI), 60);
      assertThat(next()).contains(in(60));
    }

    @Test
    void whenTheFirstJobIsDue() {
      queued(
          story,
          Boxes.notBefore(story.now().wall().plusSeconds(900), IMAGE),
          Boxes.notBefore(story.now().wall().plusSeconds(500), SONG));
      assertThat(next()).contains(in(500));
    }

    @Test
    void whenItsBackendIsNoLongerSetAside() {
      queued(story, IMAGE);
      story.s.setAsides().failed(COMFYUI, "not ready", story.now());
      assertThat(next()).contains(in(60));
    }

    @Test
    void whenChatHasBeenServedForMinChat() {
      queued(story.open(VLLM), IMAGE);
      assertThat(next()).contains(in(60));
      assertThat(OwnerPolicy.nextChange(story.shut().s, story.now())).isEmpty();
    }

    @Test
    void whatIsOverIsNotWaitedFor() {
      queued(story, IMAGE);
      assertThat(next()).isEmpty();
    }

    @Test
    void whenTheLastServerHasLingered() {
      Story lingers = Story.serving(Boxes.box(Optional.empty(), Boxes.policy(seconds(20))));
      Duration now = lingers.now().steady();
      lingers.s.lastJobEnd(Optional.of(new Situation.JobEnd(COMFYUI, now)));
      assertThat(OwnerPolicy.nextChange(lingers.s, lingers.now())).contains(now.plusSeconds(20));
      lingers.lease(Optional.of(MUSIC), 10);
      assertThat(OwnerPolicy.nextChange(lingers.s, lingers.now())).contains(now.plusSeconds(10));
    }
  }
}

package dev.swapgate.gate.core;

import static dev.swapgate.gate.core.Boxes.COMFYUI;
import static dev.swapgate.gate.core.Boxes.NINFER;
import static dev.swapgate.gate.core.Boxes.VLLM;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** For which engine the turnstile is open, if for any (DESIGN 3). */
class TurnstileRuleTest {
  private static final CommandEnd DONE = new CommandEnd.Done();

  private static Optional<Backend.Id> openFor(Story story) {
    return TurnstileRule.openFor(story.s, story.owner());
  }

  private static Story ready(Backend.Id id) {
    return new Story().up(id).look().ready(id);
  }

  @Nested
  class AnEngineOwnsTheCard {
    @Test
    void opensOnceItIsReady() {
      Story story = new Story().up(VLLM).look();
      assertThat(openFor(story)).isEmpty();
      assertThat(openFor(story.ready(VLLM))).contains(VLLM);
    }

    @Test
    void readinessOfAnEarlierRunDoesNotCount() {
      assertThat(openFor(ready(VLLM).after(60).up(VLLM).look())).isEmpty();
    }

    @Test
    void isShutWhileItIsPausedOrDown() {
      assertThat(openFor(ready(VLLM).pause(VLLM).look())).isEmpty();
      assertThat(openFor(ready(VLLM).exits(VLLM, 1).look())).isEmpty();
      assertThat(openFor(new Story())).as("not looked yet").isEmpty();
    }

    @Test
    void isShutFromTheMomentAStopIsSent() {
      Story story = ready(VLLM);
      story.send(Note.Verb.STOP, VLLM);
      assertThat(openFor(story)).isEmpty();
    }

    @Test
    void isShutAfterAKillHoweverItEnded() {
      assertThat(openFor(ready(VLLM).sent(Note.Verb.KILL, VLLM, new CommandEnd.Failed("no"))))
          .isEmpty();
    }

    @Test
    void isShutWhileAnEndForItIsUnknown() {
      Story story = ready(VLLM).sent(Note.Verb.START, VLLM, new CommandEnd.Unknown("no answer"));
      assertThat(openFor(story)).isEmpty();
      assertThat(openFor(story.look().look())).contains(VLLM);
    }

    @Test
    void isShutForARunThatHasFailed() {
      Story story = ready(VLLM);
      story.s.condemned().put(VLLM, story.run(VLLM));
      assertThat(openFor(story)).isEmpty();
    }

    @Test
    void isShutForAnEngineThatIsNotTheOwner() {
      assertThat(openFor(ready(NINFER))).isEmpty();
    }
  }

  @Test
  void isShutWhileMediaOwnsTheCard() {
    assertThat(openFor(ready(COMFYUI).lease(Optional.of(COMFYUI), 600))).isEmpty();
    assertThat(openFor(ready(VLLM).lease(Optional.of(COMFYUI), 600))).isEmpty();
    assertThat(openFor(ready(VLLM).lease(Optional.empty(), 600))).isEmpty();
  }

  @Nested
  class InMaintenance {
    private Story maintenance(Story story) {
      story.s.maintenance(Optional.of(new Situation.Maintenance("on request", false)));
      return story;
    }

    @Test
    void anyEngineThatAnswersServes() {
      assertThat(openFor(maintenance(ready(NINFER)))).contains(NINFER);
      assertThat(openFor(maintenance(Story.allDown()))).isEmpty();
    }

    @Test
    void theSelectedOneGoesFirst() {
      Story both = ready(VLLM).up(NINFER).look().ready(NINFER);
      both.s.select(NINFER);
      assertThat(openFor(maintenance(both))).contains(NINFER);
    }

    @Test
    void oneThatWasSentAStopDoesNot() {
      assertThat(openFor(maintenance(ready(VLLM).sent(Note.Verb.STOP, VLLM, DONE)))).isEmpty();
    }

    @Test
    void mediaNeverServesChat() {
      assertThat(openFor(maintenance(ready(COMFYUI)))).isEmpty();
    }
  }

  /** While Docker cannot be asked it keeps its value. */
  @Nested
  class DockerCannotBeAsked {
    @Test
    void staysOpen() {
      Story story = Story.serving().blind();
      story.s.jobs().add(Boxes.job("j1", COMFYUI));
      assertThat(openFor(story)).contains(VLLM);
    }

    @Test
    void staysShut() {
      assertThat(openFor(ready(VLLM).blind())).isEmpty();
    }

    @Test
    void aDrainIsCalledOffOnceAProbePassedAfterTheOutageBegan() {
      Story story = Story.serving().shut().probe(VLLM, new ProbeResult.Passed()).blind();
      assertThat(openFor(story)).as("the pass is older than the outage").isEmpty();

      story.probe(VLLM, new ProbeResult.NotReady("connection refused"));
      assertThat(openFor(story)).isEmpty();
      assertThat(openFor(story.probe(VLLM, new ProbeResult.Passed()))).contains(VLLM);
    }

    @Test
    void aProbeAskedTogetherWithTheFirstLookOfTheOutageCounts() {
      Story story = Story.serving().shut().blind();
      Duration since = story.s.sightings().blindSince().orElseThrow();
      probed(story, since.minusMillis(1));
      assertThat(openFor(story)).isEmpty();
      probed(story, since);
      assertThat(openFor(story)).contains(VLLM);
    }

    private static void probed(Story story, Duration asked) {
      story
          .s
          .sightings()
          .probed(VLLM, story.run(VLLM), new ProbeResult.Passed(), 2, asked, story.now());
    }

    @Test
    void aDrainWhoseStopWasSentIsNot() {
      Story story = Story.serving().shut().sent(Note.Verb.STOP, VLLM, DONE).blind();
      assertThat(openFor(story.probe(VLLM, new ProbeResult.Passed()))).isEmpty();
    }
  }
}

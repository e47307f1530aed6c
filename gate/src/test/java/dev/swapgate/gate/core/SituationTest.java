package dev.swapgate.gate.core;

import static dev.swapgate.gate.core.Boxes.COMFYUI;
import static dev.swapgate.gate.core.Boxes.NINFER;
import static dev.swapgate.gate.core.Boxes.VLLM;
import static dev.swapgate.gate.core.Boxes.at;
import static dev.swapgate.gate.core.Boxes.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class SituationTest {
  private static final CommandEnd DONE = new CommandEnd.Done();

  private final Story story = new Story();
  private final Situation s = story.s;

  @Nested
  class Turnstile {
    @Test
    void remembersForWhomItWasOpenOnceItIsShut() {
      s.opened(VLLM, seconds(10));
      assertThat(s.openFor()).contains(VLLM);
      assertThat(s.shutSince()).isEmpty();

      s.shut(at(20));
      assertThat(s.openFor()).isEmpty();
      assertThat(s.lastOpenFor()).contains(VLLM);
      assertThat(s.openSince()).contains(seconds(10));
      assertThat(s.shutSince()).contains(seconds(20));
    }

    @Test
    void aNewOpeningEndsTheCutOfTheLast() {
      s.opened(VLLM, seconds(10));
      s.shut(at(20));
      s.cut(at(30));
      assertThat(s.cutSince()).contains(seconds(30));
      s.opened(NINFER, seconds(40));
      assertThat(s.cutSince()).isEmpty();
      assertThat(s.shutSince()).isEmpty();
      assertThat(s.lastOpenFor()).contains(NINFER);
    }

    @Test
    void nobodyInsideIsIdleSinceThen() {
      s.inside(0, at(10));
      s.inside(0, at(20));
      assertThat(s.idleSince()).contains(seconds(10));
      s.inside(1, at(30));
      assertThat(s.idleSince()).isEmpty();
      assertThat(s.inside()).isEqualTo(1);
      s.inside(0, at(40));
      assertThat(s.idleSince()).contains(seconds(40));
    }
  }

  @Test
  void onlyTheRunThatFailedIsCondemned() {
    story.up(VLLM).look();
    assertThat(s.isCondemned(VLLM)).isFalse();
    s.condemned().put(VLLM, story.run(VLLM));
    assertThat(s.isCondemned(VLLM)).isTrue();
    story.after(60).up(VLLM).look();
    assertThat(s.isCondemned(VLLM)).isFalse();
    story.down(VLLM).look();
    assertThat(s.isCondemned(VLLM)).isFalse();
  }

  @Test
  void allDownMeansEveryContainer() {
    assertThat(s.allDown()).as("not looked yet").isFalse();
    assertThat(story.look().s.allDown()).isTrue();
    assertThat(story.up(COMFYUI).look().s.allDown()).isFalse();
  }

  /** Samples of the card count once the last container was seen down and the last start ended. */
  @Nested
  class CardDirtySince {
    @Test
    void everySampleCountsBeforeAnythingIsKnown() {
      assertThat(s.cardDirtySince()).isNegative();
    }

    @Test
    void isWhenTheLastContainerWasSeenDown() {
      story.up(VLLM).up(COMFYUI).look().after(10).down(VLLM).look().after(10).down(COMFYUI).look();
      assertThat(s.cardDirtySince())
          .isEqualTo(s.sightings().downSince(COMFYUI).orElseThrow())
          .isGreaterThan(s.sightings().downSince(VLLM).orElseThrow());
    }

    @Test
    void orWhenTheLastStartEnded() {
      story.look().after(10);
      Duration ended = story.now().steady();
      story.sent(Note.Verb.START, VLLM, DONE).after(1).look();
      assertThat(s.cardDirtySince()).isEqualTo(ended);
      story.sent(Note.Verb.STOP, VLLM, DONE);
      assertThat(s.cardDirtySince()).as("a stop dirties nothing").isEqualTo(ended);
    }
  }
}

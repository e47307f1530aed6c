package dev.swapgate.gate.core;

import static dev.swapgate.gate.core.Boxes.COMFYUI;
import static dev.swapgate.gate.core.Boxes.at;
import static dev.swapgate.gate.core.Boxes.free;
import static dev.swapgate.gate.core.Boxes.heldBy;
import static dev.swapgate.gate.core.Boxes.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CardWatchTest {
  private static final OptionalLong NO_VRAM = OptionalLong.empty();

  /** The last container was seen down at 10 s. */
  private static final Duration DIRTY = seconds(10);

  private final Sightings sightings = new Sightings();
  private CardWatch card = new CardWatch(OptionalLong.empty());
  private long nextSample = 10_250;

  @BeforeEach
  void aContainerOfOursIsKnown() {
    sightings.looked(Map.of(COMFYUI, Boxes.down(COMFYUI)), seconds(9), at(10));
  }

  /** Samples asked 250 ms apart, the first right after the last container was seen down. */
  private void samples(long... freeMib) {
    for (long mib : freeMib) {
      card.measured(free(mib), Duration.ofMillis(nextSample));
      nextSample += 250;
    }
  }

  private boolean isProven(OptionalLong vram) {
    return card.isProven(vram, DIRTY, sightings, at(Duration.ofMillis(nextSample)));
  }

  @Nested
  class Flat {
    @Test
    void threeFlatSamplesProveItWhileNothingElseIsKnown() {
      samples(32_000, 32_000);
      assertThat(isProven(NO_VRAM)).as("two samples").isFalse();
      samples(32_000);
      assertThat(isProven(NO_VRAM)).isTrue();
    }

    @ParameterizedTest(name = "{0}, {1}, {2} MiB: flat {3}")
    @CsvSource({
      "32000, 32064, 32064, true",
      "32000, 32065, 32065, false",
      "32065, 32065, 32000, false",
      "32000, 32064, 32001, true"
    })
    void samplesWithin64MibAreFlat(long a, long b, long c, boolean flat) {
      samples(a, b, c);
      assertThat(isProven(NO_VRAM)).isEqualTo(flat);
    }

    @Test
    void onlyTheLastThreeSamplesCount() {
      samples(1_000, 20_000, 32_000, 32_000, 32_000);
      assertThat(isProven(NO_VRAM)).isTrue();
    }

    @Test
    void samplesAskedBeforeTheLastContainerWasSeenDownDoNotCount() {
      nextSample = 10_000;
      samples(32_000, 32_000, 32_000);
      assertThat(isProven(NO_VRAM)).as("the first was asked at that very moment").isFalse();
      samples(32_000);
      assertThat(isProven(NO_VRAM)).isTrue();
    }

    @Test
    void aProofOlderThanFiveSecondsIsSoughtAgain() {
      samples(32_000, 32_000, 32_000);
      Duration last = Duration.ofMillis(nextSample - 250);
      assertThat(card.isProven(NO_VRAM, DIRTY, sightings, at(last.plus(CardWatch.GOOD_FOR))))
          .isTrue();
      assertThat(
              card.isProven(
                  NO_VRAM, DIRTY, sightings, at(last.plus(CardWatch.GOOD_FOR).plusMillis(1))))
          .isFalse();
    }
  }

  @Nested
  class Enough {
    @Test
    void vramMustBeFreeWhereTheFileSaysIt() {
      samples(31_000, 31_000, 30_999);
      assertThat(isProven(OptionalLong.of(31_000))).isFalse();
      assertThat(isProven(OptionalLong.of(30_999))).isTrue();
    }

    @Test
    void withoutVramTheCardMustBeBackAtItsEmptyBaseline() {
      card = new CardWatch(OptionalLong.of(32_100));
      samples(32_036, 32_036, 32_035);
      assertThat(isProven(NO_VRAM)).isFalse();
      samples(32_036);
      assertThat(isProven(NO_VRAM)).isFalse();
      samples(32_036, 32_036);
      assertThat(isProven(NO_VRAM)).isTrue();
      assertThat(card.needed(NO_VRAM)).isEqualTo(32_036);
    }

    @Test
    void nothingIsNeededWhileNeitherIsKnown() {
      assertThat(card.needed(NO_VRAM)).isZero();
      assertThat(new CardWatch(OptionalLong.of(10)).needed(NO_VRAM)).isZero();
      assertThat(card.needed(OptionalLong.of(5))).isEqualTo(5);
    }

    @Test
    void aProcessOfAContainerOfOursSpoilsTheProof() {
      samples(32_000, 32_000);
      card.measured(free(32_000, heldBy("id-of-comfyui")), Duration.ofMillis(nextSample));
      assertThat(isProven(NO_VRAM)).isFalse();
      assertThat(card.isHeldByOurs(sightings)).isTrue();
    }

    @Test
    void aStrangersProcessDoesNot() {
      samples(32_000, 32_000);
      card.measured(free(32_000, heldBy("desktop")), Duration.ofMillis(nextSample));
      assertThat(isProven(NO_VRAM)).isTrue();
      assertThat(card.isHeldByOurs(sightings)).isFalse();
    }
  }

  /** DESIGN 2.3: the highest flat reading with all ours down. */
  @Nested
  class Baseline {
    private OptionalLong learn() {
      return card.learnBaseline(DIRTY, sightings);
    }

    @Test
    void isTheLowestOfThreeFlatSamples() {
      samples(32_010, 32_000, 32_020);
      assertThat(learn()).hasValue(32_000);
      assertThat(card.needed(NO_VRAM)).isEqualTo(32_000 - CardWatch.TOLERANCE_MIB);
    }

    @Test
    void onlyRises() {
      samples(32_000, 32_000, 32_000);
      assertThat(learn()).hasValue(32_000);
      assertThat(learn()).as("the same again").isEmpty();
      samples(31_000, 31_000, 31_000);
      assertThat(learn()).isEmpty();
      samples(32_500, 32_500, 32_500);
      assertThat(learn()).hasValue(32_500);
    }

    @Test
    void isNotLearnedFromTooFewMovingOrOldSamples() {
      samples(32_000, 32_000);
      assertThat(learn()).as("two samples").isEmpty();
      samples(20_000);
      assertThat(learn()).as("moving").isEmpty();
      samples(20_000, 20_000);
      assertThat(card.learnBaseline(Duration.ofMillis(nextSample), sightings))
          .as("asked before the last container was seen down")
          .isEmpty();
      assertThat(learn()).hasValue(20_000);
    }

    @Test
    void isNotLearnedWhileOneOfOursHolds() {
      samples(32_000, 32_000);
      card.measured(free(32_000, heldBy("id-of-comfyui")), Duration.ofMillis(nextSample));
      assertThat(learn()).isEmpty();
    }
  }

  /** DESIGN 2.3: no tool at start-up is its own state; a reading that fails later is not "free". */
  @Nested
  class Unreadable {
    private void noTool() {
      card.measured(new CardReading.NoTool("no nvidia-smi"), Duration.ofMillis(nextSample));
      nextSample += 250;
    }

    @Test
    void withoutAToolTheContainerProofAloneCounts() {
      nextSample = 10_000;
      noTool();
      assertThat(isProven(OptionalLong.of(31_000))).as("asked before they were down").isFalse();
      noTool();
      assertThat(isProven(OptionalLong.of(31_000))).isTrue();
    }

    @Test
    void aToolThatWasThereAndIsGoneIsNotFree() {
      samples(32_000, 32_000, 32_000);
      noTool();
      assertThat(isProven(NO_VRAM)).isFalse();
      assertThat(card.last()).isEmpty();
    }

    @Test
    void aToolThatComesLaterIsBelieved() {
      noTool();
      samples(10_000, 10_000, 10_000);
      assertThat(isProven(OptionalLong.of(31_000))).isFalse();
    }

    @Test
    void aFailedReadingBeginsTheProofAnew() {
      samples(32_000, 32_000);
      card.measured(new CardReading.Failed("time-out"), Duration.ofMillis(nextSample));
      nextSample += 250;
      samples(32_000, 32_000);
      assertThat(isProven(NO_VRAM)).isFalse();
      samples(32_000);
      assertThat(isProven(NO_VRAM)).isTrue();
    }

    @Test
    void remembersWhenItWasLastAsked() {
      assertThat(card.lastAsked()).isEmpty();
      card.measured(new CardReading.Failed("time-out"), seconds(11));
      assertThat(card.lastAsked()).contains(seconds(11));
    }
  }

  @Nested
  class Seeking {
    @Test
    void theBudgetRunsFromTheFirstMomentItIsSought() {
      assertThat(card.seekingSince()).isEmpty();
      card.seek(at(20));
      card.seek(at(25));
      assertThat(card.seekingSince()).contains(seconds(20));
      card.rest();
      assertThat(card.seekingSince()).isEmpty();
    }
  }

  /** DESIGN 2.3: the holder is named: pid, container, MiB. */
  @Nested
  class Holders {
    private String holders(CardReading.Sample sample) {
      card.measured(sample, seconds(11));
      return card.holders(sightings);
    }

    @Test
    void aContainerOfOursIsCalledByItsName() {
      assertThat(holders(free(100, heldBy("id-of-comfyui"))))
          .isEqualTo("pid 4711 (python3, container of comfyui) 500 MiB");
    }

    @Test
    void aStrangersContainerIsCalledByItsShortId() {
      assertThat(holders(free(100, heldBy("0123456789abcdef"))))
          .isEqualTo("pid 4711 (python3, container 0123456789ab) 500 MiB");
      assertThat(holders(free(100, heldBy("0123456789ab")))).contains("container 0123456789ab)");
    }

    @Test
    void eachProcessIsNamed() {
      assertThat(holders(free(100, heldBy(""), heldBy("id-of-comfyui"))))
          .isEqualTo(
              "pid 4711 (python3, no container) 500 MiB,"
                  + " pid 4711 (python3, container of comfyui) 500 MiB");
    }

    @Test
    void aLeftoverOfTheDriverIsToldWithWhatToDo() {
      assertThat(holders(free(100)))
          .contains("no process is listed", "100 MiB of 32607 MiB", "fuser -v /dev/nvidia*");
    }

    @Test
    void aCardThatCannotBeReadIsToldSo() {
      assertThat(card.holders(sightings)).isEqualTo("the card has not been read yet");
      card.measured(new CardReading.Failed("time-out"), seconds(11));
      assertThat(card.holders(sightings)).isEqualTo("the card: time-out");
      card.measured(new CardReading.NoTool("no nvidia-smi"), seconds(12));
      assertThat(card.holders(sightings)).isEqualTo("the card: no nvidia-smi");
    }
  }
}

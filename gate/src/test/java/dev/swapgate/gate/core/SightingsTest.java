package dev.swapgate.gate.core;

import static dev.swapgate.gate.core.Boxes.COMFYUI;
import static dev.swapgate.gate.core.Boxes.NOON;
import static dev.swapgate.gate.core.Boxes.VLLM;
import static dev.swapgate.gate.core.Boxes.at;
import static dev.swapgate.gate.core.Boxes.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.gate.core.ContainerSighting.Run;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SightingsTest {
  private static final ProbeResult PASSED = new ProbeResult.Passed();
  private static final ProbeResult REFUSED = new ProbeResult.NotReady("connection refused");
  private static final ContainerSighting RUNNING = Boxes.running(VLLM, NOON);

  private final Sightings sightings = new Sightings();

  private static Duration millis(long count) {
    return Duration.ofMillis(count);
  }

  private void looked(ContainerSighting seen, long asked, long answered) {
    sightings.looked(Map.of(VLLM, seen), millis(asked), at(millis(answered)));
  }

  private void looked(long asked, long answered) {
    looked(RUNNING, asked, answered);
  }

  private void probed(Run run, ProbeResult result, long answered) {
    sightings.probed(VLLM, run, result, 2, millis(answered - 10), at(millis(answered)));
  }

  private void probed(ProbeResult result, long answered) {
    probed(RUNNING.run().orElseThrow(), result, answered);
  }

  private void passed(long answered) {
    probed(PASSED, answered);
  }

  private Sightings.Running running() {
    return sightings.running(VLLM).orElseThrow();
  }

  @Nested
  class Seen {
    @Test
    void nothingIsKnownBeforeTheFirstLook() {
      assertThat(sightings.look(VLLM)).isEmpty();
      assertThat(sightings.running(VLLM)).isEmpty();
      assertThat(sightings.isDown(VLLM)).isFalse();
      assertThat(sightings.isPaused(VLLM)).isFalse();
      assertThat(sightings.isReady(VLLM)).isFalse();
      assertThat(sightings.lastAsked()).isEmpty();
      assertThat(sightings.lastAnswered()).isEmpty();
    }

    @Test
    void carriesWhenItWasAskedAndAnswered() {
      looked(100, 150);
      assertThat(sightings.look(VLLM))
          .contains(new Sightings.Look(RUNNING, millis(100), millis(150)));
      assertThat(sightings.lastAsked()).contains(millis(100));
      assertThat(sightings.lastAnswered()).contains(millis(150));
    }

    @Test
    void isCompleteOnceEveryContainerWasLookedAt() {
      looked(100, 150);
      assertThat(sightings.complete(Boxes.box())).isFalse();
      assertThat(new Story().look().s.sightings().complete(Boxes.box())).isTrue();
    }

    @Test
    void pausedIsRunning() {
      looked(Boxes.paused(VLLM, NOON), 100, 150);
      assertThat(sightings.isPaused(VLLM)).isTrue();
      assertThat(sightings.isDown(VLLM)).isFalse();
      assertThat(sightings.running(VLLM)).isPresent();
      looked(200, 250);
      assertThat(sightings.isPaused(VLLM)).isFalse();
    }

    @Test
    void aMissingContainerCountsAsDown() {
      looked(ContainerSighting.missing(), 100, 150);
      assertThat(sightings.isDown(VLLM)).isTrue();
      assertThat(sightings.running(VLLM)).isEmpty();
    }

    @Test
    void aContainerIsKnownByItsIdAlsoOnceItIsGone() {
      looked(100, 150);
      looked(ContainerSighting.missing(), 200, 250);
      assertThat(sightings.ownerOf("id-of-vllm")).contains(VLLM);
      assertThat(sightings.ownerOf("id-of-comfyui")).isEmpty();
      assertThat(sightings.ownerOf("")).as("a missing one has no id").isEmpty();
    }
  }

  @Nested
  class DownSince {
    @Test
    void isWhenTheFirstLookThatSawItDownWasAsked() {
      looked(100, 150);
      assertThat(sightings.downSince(VLLM)).isEmpty();
      looked(Boxes.down(VLLM), 200, 250);
      looked(Boxes.down(VLLM), 300, 350);
      assertThat(sightings.downSince(VLLM)).contains(millis(200));
      looked(400, 450);
      assertThat(sightings.downSince(VLLM)).isEmpty();
    }

    @Test
    void aContainerFoundDownIsDownSinceThen() {
      looked(Boxes.down(VLLM), 100, 150);
      assertThat(sightings.downSince(VLLM)).contains(millis(100));
    }

    @Test
    void missingSinceLastsWhileThereIsNone() {
      looked(Boxes.down(VLLM), 100, 150);
      assertThat(sightings.missingSince(VLLM)).isEmpty();
      looked(ContainerSighting.missing(), 200, 250);
      looked(ContainerSighting.missing(), 300, 350);
      assertThat(sightings.missingSince(VLLM)).contains(millis(200));
      assertThat(sightings.downSince(VLLM)).as("down all the time").contains(millis(100));

      looked(Boxes.down(VLLM), 400, 450);
      assertThat(sightings.missingSince(VLLM)).isEmpty();
      looked(ContainerSighting.missing(), 500, 550);
      looked(600, 650);
      assertThat(sightings.missingSince(VLLM)).isEmpty();
    }
  }

  /** The budget runs from the later of StartedAt and this process's first look (DESIGN 3, 7). */
  @Nested
  class LoadingSince {
    @ParameterizedTest(name = "started {0} s after noon, first look at 10 s: since {1} s")
    @CsvSource({"-100, 10", "10, 10", "15, 15", "20, 20", "99, 20"})
    void isItsStartKeptBetweenTheFirstLookAndThisOne(long started, long since) {
      sightings.looked(Map.of(VLLM, Boxes.down(VLLM)), seconds(10), at(11));
      Instant startedAt = NOON.plusSeconds(started);
      sightings.looked(Map.of(VLLM, Boxes.running(VLLM, startedAt)), seconds(19), at(20));
      assertThat(running().since()).isEqualTo(seconds(since));
    }

    @Test
    void aFurtherLookAtTheSameRunChangesNothing() {
      looked(100, 150);
      passed(200);
      Sightings.Running before = running();
      looked(300, 350);
      assertThat(running()).isEqualTo(before);
    }

    @Test
    void aNewRunBeginsAnew() {
      looked(100, 150);
      passed(200);
      looked(Boxes.running(VLLM, NOON.plusSeconds(1)), 1200, 1250);
      assertThat(running().passes()).isZero();
      assertThat(running().since()).isEqualTo(seconds(1));
    }
  }

  /** {@code passes} passes in a row, under one StartedAt (DESIGN 2). */
  @Nested
  class Ready {
    /** On a busy machine Docker's answer takes longer than the probes' interval. */
    @Test
    void aLookThatIsSlowerThanTheProbesStillConfirmsThem() {
      looked(0, 50);
      passed(100);
      passed(200);
      assertThat(sightings.confirmReady(VLLM, 2)).as("by the look before the passes").isFalse();

      passed(300);
      passed(400);
      looked(250, 450);

      assertThat(sightings.confirmReady(VLLM, 2)).isTrue();
      assertThat(sightings.isReady(VLLM)).isTrue();
      assertThat(sightings.confirmReady(VLLM, 2)).as("told once").isFalse();
    }

    @Test
    void onePassIsNotEnough() {
      looked(0, 50);
      passed(100);
      looked(200, 250);
      assertThat(sightings.confirmReady(VLLM, 2)).isFalse();
    }

    @Test
    void thePassesMustComeInARow() {
      looked(0, 50);
      passed(100);
      probed(REFUSED, 200);
      assertThat(running().lastReason()).isEqualTo("connection refused");
      passed(300);
      looked(400, 450);
      assertThat(sightings.confirmReady(VLLM, 2)).isFalse();

      passed(500);
      looked(500, 650);
      assertThat(sightings.confirmReady(VLLM, 2)).isTrue();
      assertThat(running().lastReason()).isEmpty();
    }

    @Test
    void thePassesOfAnotherRunDoNotCount() {
      looked(0, 50);
      Run other = new Run("id-of-vllm", NOON.minusSeconds(100));
      probed(other, PASSED, 100);
      probed(other, PASSED, 200);
      looked(300, 350);
      assertThat(sightings.confirmReady(VLLM, 2)).isFalse();
      assertThat(running().passes()).isZero();
    }

    @Test
    void aProbeOfWhatIsDownIsNoNews() {
      passed(100);
      assertThat(sightings.running(VLLM)).isEmpty();
      assertThat(sightings.confirmReady(VLLM, 2)).isFalse();
    }

    @Test
    void aPausedContainerIsNotReady() {
      looked(0, 50);
      passed(100);
      passed(200);
      looked(Boxes.paused(VLLM, NOON), 300, 350);
      assertThat(sightings.confirmReady(VLLM, 2)).isFalse();
    }

    @Test
    void staysReadyForItsRunWhateverLaterProbesSee() {
      looked(0, 50);
      passed(100);
      passed(200);
      looked(300, 350);
      sightings.confirmReady(VLLM, 2);
      probed(REFUSED, 400);
      assertThat(sightings.isReady(VLLM)).isTrue();
      assertThat(running().passes()).isZero();
      assertThat(running().lastProbe()).contains(millis(390));
      looked(Boxes.down(VLLM), 500, 550);
      assertThat(sightings.isReady(VLLM)).isFalse();
    }

    @Test
    void morePassesThanNeededCountAsThoseThatAre() {
      looked(0, 50);
      passed(100);
      passed(200);
      passed(300);
      assertThat(running().passes()).isEqualTo(2);
      assertThat(running().lastPassAnswered()).contains(millis(200));
    }
  }

  /** Three looks that fail in a row (DESIGN 3, rule 1). */
  @Nested
  class Blind {
    private void fails(long second) {
      sightings.failed("connection refused", seconds(second), at(second + 1));
    }

    @Test
    void afterThreeFailuresInARow() {
      fails(10);
      fails(12);
      assertThat(sightings.isBlind()).isFalse();
      assertThat(sightings.blindSince()).isEmpty();
      fails(14);
      assertThat(sightings.isBlind()).isTrue();
      assertThat(sightings.blindReason()).isEqualTo("connection refused");
      fails(16);
      assertThat(sightings.blindSince()).contains(seconds(14));
      assertThat(sightings.lastAsked()).contains(seconds(16));
    }

    @Test
    void oneAnswerEndsIt() {
      fails(10);
      fails(12);
      fails(14);
      looked(20_000, 20_100);
      assertThat(sightings.isBlind()).isFalse();
      assertThat(sightings.blindSince()).isEmpty();
      fails(30);
      fails(32);
      assertThat(sightings.isBlind()).isFalse();
    }

    @Test
    void theTimeIsCountedForTheRunThatIsLoading() {
      looked(0, 50);
      passed(100);
      fails(10);
      fails(12);
      assertThat(running().blind()).isZero();
      fails(14);
      fails(20);
      assertThat(running().blind()).as("from the second failure's end on").isEqualTo(seconds(8));
      assertThat(running().passes()).as("what was known stays").isEqualTo(1);
    }

    @Test
    void anotherOutageIsCountedFromItsOwnBeginning() {
      looked(0, 50);
      fails(10);
      looked(11_000, 11_100);
      fails(100);
      fails(102);
      fails(104);
      assertThat(running().blind()).isEqualTo(seconds(2));
    }
  }

  @Test
  void anotherContainersLookLeavesThisOneAsItWas() {
    looked(0, 50);
    sightings.looked(Map.of(COMFYUI, Boxes.down(COMFYUI)), millis(100), at(millis(150)));
    assertThat(sightings.running(VLLM)).isPresent();
    assertThat(sightings.isDown(COMFYUI)).isTrue();
  }
}

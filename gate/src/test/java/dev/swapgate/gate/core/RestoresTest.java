package dev.swapgate.gate.core;

import static dev.swapgate.gate.core.Boxes.NINFER;
import static dev.swapgate.gate.core.Boxes.NOON;
import static dev.swapgate.gate.core.Boxes.VLLM;
import static dev.swapgate.gate.core.Boxes.at;
import static dev.swapgate.gate.core.Boxes.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.gate.core.ContainerSighting.Run;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RestoresTest {
  private static final Engine ENGINE = Boxes.engine(VLLM);

  private final Restores restores = new Restores();

  private void fails(Backend.Id engine, int times) {
    for (int i = 0; i < times; i++) {
      restores.failed(engine, "exited with code 1", true, at(100));
    }
  }

  @ParameterizedTest(name = "after {0} failures in a row: {1} s")
  @CsvSource({"1, 10", "2, 20", "3, 40", "4, 80", "5, 160", "6, 300", "7, 300", "50, 300"})
  void theBackOffGrowsFromTenSecondsToFiveMinutes(int inARow, long wait) {
    fails(VLLM, inARow);
    assertThat(restores.notBefore(VLLM)).isEqualTo(seconds(100 + wait));
    assertThat(restores.failures(VLLM)).isEqualTo(inARow);
  }

  @Test
  void anEngineThatNeverFailedMayStartAtOnce() {
    assertThat(restores.notBefore(VLLM)).isEqualTo(seconds(0));
    assertThat(restores.failures(VLLM)).isZero();
    assertThat(restores.reason(VLLM)).isEmpty();
    assertThat(restores.isGivenUp(ENGINE)).isFalse();
  }

  @Test
  void isGivenUpAfterItsAttempts() {
    fails(VLLM, 2);
    assertThat(restores.isGivenUp(ENGINE)).isFalse();
    fails(VLLM, 1);
    assertThat(restores.isGivenUp(ENGINE)).isTrue();
    assertThat(restores.reason(VLLM)).contains("exited with code 1");
  }

  @Test
  void aMachineThatIsNotReadyIsNoAttemptButIsWaitedFor() {
    fails(VLLM, 2);
    restores.failed(VLLM, "no driver", false, at(200));
    assertThat(restores.isGivenUp(ENGINE)).isFalse();
    assertThat(restores.notBefore(VLLM)).isEqualTo(seconds(240));
    assertThat(restores.reason(VLLM)).contains("no driver");
  }

  @Test
  void readyForgivesAll() {
    fails(VLLM, 3);
    restores.succeeded(VLLM);
    assertThat(restores.isGivenUp(ENGINE)).isFalse();
    assertThat(restores.failures(VLLM)).isZero();
  }

  @Test
  void anEngineSomebodyAsksForStartsWithoutAPast() {
    fails(VLLM, 3);
    restores.forgive(VLLM);
    assertThat(restores.isGivenUp(ENGINE)).isFalse();
    assertThat(restores.notBefore(VLLM)).isEqualTo(seconds(0));
  }

  @Test
  void aGivenUpEngineGetsOneMoreAttemptAtOnce() {
    fails(VLLM, 5);
    restores.tryAgain(ENGINE, at(700));
    assertThat(restores.isGivenUp(ENGINE)).isFalse();
    assertThat(restores.notBefore(VLLM)).isEqualTo(seconds(700));

    fails(VLLM, 1);
    assertThat(restores.isGivenUp(ENGINE)).as("one attempt, not three").isTrue();
    assertThat(restores.failures(VLLM)).as("the back-off goes on").isEqualTo(6);
  }

  @Test
  void tryingAgainGivesNoFurtherAttemptToOneThatHasSome() {
    fails(VLLM, 1);
    restores.tryAgain(ENGINE, at(700));
    fails(VLLM, 1);
    assertThat(restores.isGivenUp(ENGINE)).isFalse();
    fails(VLLM, 1);
    assertThat(restores.isGivenUp(ENGINE)).isTrue();
  }

  @Test
  void tryingAgainWhatNeverFailedChangesNothing() {
    restores.tryAgain(ENGINE, at(700));
    assertThat(restores.notBefore(VLLM)).isEqualTo(seconds(0));
  }

  @Test
  void overdueIsToldOnceForEachRunUntilAnEngineIsReady() {
    Run run = new Run("id", NOON);
    assertThat(restores.overdue(run)).isTrue();
    assertThat(restores.overdue(run)).isFalse();
    assertThat(restores.overdue(new Run("id", NOON.plusSeconds(1)))).isTrue();
    restores.succeeded(VLLM);
    assertThat(restores.overdue(run)).isTrue();
  }

  @Test
  void theFallbackServesWhileTheSelectedIsGivenUp() {
    Box box = Boxes.withFallback();
    assertThat(restores.toServe(box, VLLM).id()).isEqualTo(VLLM);
    fails(VLLM, 3);
    assertThat(restores.toServe(box, VLLM).id()).isEqualTo(NINFER);
    assertThat(restores.degraded(box, VLLM)).isEmpty();
  }

  @Test
  void withoutAFallbackTheSelectedIsTriedOnAndTheGateIsDegraded() {
    fails(VLLM, 3);
    assertThat(restores.toServe(Boxes.box(), VLLM).id()).isEqualTo(VLLM);
    assertThat(restores.degraded(Boxes.box(), VLLM)).contains("exited with code 1");
  }

  @Test
  void aFallbackThatIsGivenUpTooLeavesTheGateDegraded() {
    fails(VLLM, 3);
    fails(NINFER, 3);
    assertThat(restores.toServe(Boxes.withFallback(), VLLM).id()).isEqualTo(VLLM);
    assertThat(restores.degraded(Boxes.withFallback(), VLLM)).contains("exited with code 1");
  }

  @Test
  void aSelectedFallbackHasNoOther() {
    fails(NINFER, 3);
    assertThat(restores.toServe(Boxes.withFallback(), NINFER).id()).isEqualTo(NINFER);
    assertThat(restores.degraded(Boxes.withFallback(), NINFER)).isPresent();
  }

  @Test
  void isNotDegradedWhileAttemptsAreLeft() {
    fails(VLLM, 2);
    assertThat(restores.degraded(Boxes.box(), VLLM)).isEmpty();
  }
}

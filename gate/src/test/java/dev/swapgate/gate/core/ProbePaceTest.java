package dev.swapgate.gate.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProbePaceTest {
  private static final Duration HALF_A_SECOND = Duration.ofMillis(500);

  @ParameterizedTest(name = "{0} ms after the start: {1} ms")
  @CsvSource({
    "0, 50",
    "4000, 50",
    "5000, 50",
    "5100, 51",
    "20000, 200",
    "50000, 500",
    "300000, 500"
  })
  void anUnknownLoadIsAskedAtAHundredthOfItsAge(long loading, long pause) {
    assertThat(pause(0, loading, Optional.empty())).isEqualTo(Duration.ofMillis(pause));
  }

  @ParameterizedTest(name = "{0} ms after the start: {1} ms")
  @CsvSource({"284999, 500", "285000, 50", "300000, 50", "315000, 50", "315001, 500"})
  void aroundItsUsualEndALoadIsAskedOften(long loading, long pause) {
    Optional<Duration> usual = Optional.of(Duration.ofMinutes(5));
    assertThat(pause(0, loading, usual)).isEqualTo(Duration.ofMillis(pause));
  }

  @ParameterizedTest(name = "{0} ms after the start: {1} ms")
  @CsvSource({"8999, 89", "9000, 50", "11000, 50", "11001, 110"})
  void aShortLoadHasASecondToEitherSide(long loading, long pause) {
    Optional<Duration> usual = Optional.of(Duration.ofSeconds(10));
    assertThat(pause(0, loading, usual).toMillis()).isEqualTo(pause);
  }

  @Test
  void aSecondPassIsAQuarterOfASecondAfterTheFirst() {
    assertThat(pause(1, 300_000, Optional.empty())).isEqualTo(Duration.ofMillis(250));
  }

  @Test
  void aShorterIntervalIsKept() {
    assertThat(ProbePace.pause(0, Duration.ZERO, Optional.empty(), Duration.ofMillis(20)))
        .isEqualTo(Duration.ofMillis(20));
  }

  private static Duration pause(int passes, long loading, Optional<Duration> learned) {
    return ProbePace.pause(passes, Duration.ofMillis(loading), learned, HALF_A_SECOND);
  }
}

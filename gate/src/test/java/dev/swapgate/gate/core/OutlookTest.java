package dev.swapgate.gate.core;

import static dev.swapgate.gate.core.Boxes.at;
import static dev.swapgate.gate.core.Boxes.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OutlookTest {
  /** 180 s from 100 s on, then 20 s. */
  private final Outlook outlook =
      new Outlook(seconds(180), seconds(100), seconds(20), seconds(30), seconds(150));

  @Test
  void thePresentStepFallsWithTimeAndTheLaterOnesDoNot() {
    assertThat(outlook.left(at(100))).isEqualTo(seconds(200));
    assertThat(outlook.left(at(150))).isEqualTo(seconds(150));
    assertThat(outlook.left(at(280))).isEqualTo(seconds(20));
    assertThat(outlook.left(at(500))).as("an overrun").isEqualTo(seconds(20));
  }

  @ParameterizedTest(name = "at {0} ms: Retry-After {1}")
  @CsvSource({
    "100000, 150", // 200 s, clamped
    "150000, 150",
    "150001, 150", // 149.999 s, rounded up
    "151000, 149",
    "269999, 31",
    "270000, 30",
    "900000, 30"
  })
  void retryAfterIsRoundedUpAndClampedLast(long millis, int seconds) {
    assertThat(outlook.retryAfterSeconds(at(Duration.ofMillis(millis)))).isEqualTo(seconds);
  }

  @ParameterizedTest(name = "at {0} s: Retry-After {1}")
  @CsvSource({"0, 140", "100, 40", "139, 30", "500, 30"})
  void aStepThatRunsOverUsesTheMarginUp(long second, int seconds) {
    Outlook restoring =
        new Outlook(
            seconds(100), Duration.ZERO, Duration.ZERO, seconds(40), seconds(30), seconds(900));
    assertThat(restoring.retryAfterSeconds(at(second))).isEqualTo(seconds);
    assertThat(restoring.left(at(0))).as("what is left knows no margin").isEqualTo(seconds(100));
  }
}

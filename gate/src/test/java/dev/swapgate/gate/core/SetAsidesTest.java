package dev.swapgate.gate.core;

import static dev.swapgate.gate.core.Boxes.COMFYUI;
import static dev.swapgate.gate.core.Boxes.MUSIC;
import static dev.swapgate.gate.core.Boxes.at;
import static dev.swapgate.gate.core.Boxes.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SetAsidesTest {
  private final SetAsides setAsides = new SetAsides();

  @ParameterizedTest(name = "after {0} failed visits in a row: {1} min")
  @CsvSource({"1, 1", "2, 5", "3, 15", "4, 15"})
  void waitsLongerWithEachFailedVisitInARow(int visits, long minutes) {
    int inARow = 0;
    for (int i = 0; i < visits; i++) {
      inARow = setAsides.failed(COMFYUI, "not ready", at(100));
    }
    assertThat(inARow).isEqualTo(visits);
    assertThat(setAsides.until(COMFYUI)).isEqualTo(seconds(100 + minutes * 60));
  }

  @Test
  void isAsideUntilItsTimeIsOver() {
    assertThat(setAsides.isAside(COMFYUI, at(100))).isFalse();
    setAsides.failed(COMFYUI, "not ready", at(100));
    assertThat(setAsides.isAside(COMFYUI, at(159))).isTrue();
    assertThat(setAsides.isAside(COMFYUI, at(160))).isFalse();
    assertThat(setAsides.isAside(MUSIC, at(159))).isFalse();
    assertThat(setAsides.reason(COMFYUI)).isEqualTo("not ready");
  }

  @Test
  void aVisitThatComesUpForgivesAll() {
    setAsides.failed(COMFYUI, "not ready", at(100));
    setAsides.failed(COMFYUI, "not ready", at(100));
    setAsides.succeeded(COMFYUI);
    assertThat(setAsides.isAside(COMFYUI, at(101))).isFalse();
    assertThat(setAsides.until(COMFYUI)).isEqualTo(seconds(0));
    assertThat(setAsides.reason(COMFYUI)).isEmpty();
    assertThat(setAsides.failed(COMFYUI, "not ready", at(100))).isEqualTo(1);
  }
}

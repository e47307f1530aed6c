package dev.swapgate.gate.core;

import static dev.swapgate.gate.core.Boxes.NOON;
import static dev.swapgate.gate.core.Boxes.VLLM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.gate.core.ContainerSighting.Run;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ContainerSightingTest {

  @ParameterizedTest
  @CsvSource({"MISSING, true", "DOWN, true", "RUNNING, false", "PAUSED, false"})
  void onlyWhatHoldsNoMemoryIsDown(ContainerSighting.State state, boolean down) {
    ContainerSighting seen = Boxes.sighting(state, VLLM, Optional.of(NOON), OptionalInt.empty());
    assertThat(seen.isDown()).isEqualTo(down);
    assertThat(seen.run())
        .isEqualTo(down ? Optional.empty() : Optional.of(new Run("id-of-vllm", NOON)));
  }

  @Test
  void aMissingContainerIsNothingAtAll() {
    ContainerSighting missing = ContainerSighting.missing();
    assertThat(missing.isDown()).isTrue();
    assertThat(missing.id()).isEmpty();
    assertThat(missing.stopTimeout()).isEqualTo(ContainerSighting.DEFAULT_STOP_TIMEOUT);
  }
}

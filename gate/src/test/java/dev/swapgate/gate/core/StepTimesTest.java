package dev.swapgate.gate.core;

import static dev.swapgate.gate.core.Boxes.COMFYUI;
import static dev.swapgate.gate.core.Boxes.MUSIC;
import static dev.swapgate.gate.core.Boxes.VLLM;
import static dev.swapgate.gate.core.Boxes.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.gate.core.StepTimes.Key;
import dev.swapgate.gate.core.StepTimes.Sample;
import dev.swapgate.gate.core.StepTimes.Step;
import java.util.List;
import org.junit.jupiter.api.Test;

class StepTimesTest {
  private static final Key RUN = new Key(Step.RUN, COMFYUI, "flux");

  private final StepTimes times = new StepTimes(List.of());

  private void took(long... seconds) {
    for (long one : seconds) {
      times.add(new Sample(RUN, seconds(one)));
    }
  }

  @Test
  void learnsFromTheFirstSampleOn() {
    assertThat(times.learned(RUN)).isEmpty();
    took(70);
    assertThat(times.learned(RUN)).contains(seconds(70));
  }

  @Test
  void tellsTheMedian() {
    took(90, 10, 50);
    assertThat(times.learned(RUN)).contains(seconds(50));
    took(60);
    assertThat(times.learned(RUN)).as("of 10, 50, 60, 90").contains(seconds(55));
  }

  @Test
  void forgetsAllButTheLastTwenty() {
    took(1, 1, 1, 1, 1, 1, 1, 1, 1);
    took(1, 1, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9);
    assertThat(times.learned(RUN)).as("21 samples, the first is gone").contains(seconds(5));
  }

  @Test
  void eachShapeIsLearnedByItself() {
    took(70);
    assertThat(times.learned(new Key(Step.RUN, COMFYUI, "wan"))).isEmpty();
  }

  @Test
  void takesUpWhatAnEarlierProcessLearned() {
    StepTimes remembered = new StepTimes(List.of(new Sample(RUN, seconds(70))));
    assertThat(remembered.learned(RUN)).contains(seconds(70));
  }

  @Test
  void knowsABackendByAnyShape() {
    took(70);
    assertThat(times.knows(Step.RUN, COMFYUI)).isTrue();
    assertThat(times.knows(Step.RUN, MUSIC)).isFalse();
    assertThat(times.knows(Step.COLLECT, COMFYUI)).isFalse();
    assertThat(times.knows(Step.STOP, VLLM)).isFalse();
  }
}

package dev.swapgate.proxy.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.gate.core.GateView;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.Now;
import dev.swapgate.gate.core.Phase;
import dev.swapgate.proxy.RecordedGate;
import dev.swapgate.proxy.Views;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** From views to a swap as its owner would tell it. */
class SwapLogTest {
  private static final ChatTally.Count NOBODY = new ChatTally.Count(0, 0, List.of());
  private final SwapLog log = new SwapLog();

  private Optional<SwapRecord> at(long second, GateView view) {
    return log.seen(view, NOBODY, now(second));
  }

  private static Now now(long second) {
    return new Now(Duration.ofSeconds(second), RecordedGate.THEN.plusSeconds(second));
  }

  @Test
  void tellsAWholeSwapWithItsStepsAndWhatBecameOfTheMemory() {
    at(0, Views.open());
    assertThat(at(10, Views.swap(Phase.DRAINING, "comfyui", 10, 200, 90))).isEmpty();
    at(12, Views.swap(Phase.STOPPING_ENGINE, "comfyui", 10, 200, 90));
    at(20, Views.swap(Phase.FREEING, "comfyui", 10, 200, 90));
    at(21, Views.swap(Phase.FREEING, "comfyui", 10, 200, 32500));
    at(22, Views.swap(Phase.RUNNING, "comfyui", 10, 200, 20000));
    log.ended(new JobEnds.End("j1", "comfyui", Job.State.DONE));
    at(100, Views.swap(Phase.RESTORING, "vllm", 10, 200, 32500));

    SwapRecord swap =
        log.seen(
                Views.open(),
                new ChatTally.Count(
                    5,
                    2,
                    List.of(
                        new ChatTally.Miss(Duration.ofSeconds(30), 3),
                        new ChatTally.Miss(Duration.ofSeconds(-8), 1))),
                now(160))
            .orElseThrow();

    assertThat(swap.since()).isEqualTo(RecordedGate.THEN.plusSeconds(10).toString());
    assertThat(swap.until()).isEqualTo(RecordedGate.THEN.plusSeconds(160).toString());
    assertThat(swap.seconds()).isEqualTo(150);
    assertThat(swap.expectedSeconds()).isEqualTo(200);
    assertThat(swap.errorSeconds()).isEqualTo(50);
    assertThat(swap.from()).isEqualTo("vllm");
    assertThat(swap.fromSince()).isEqualTo(RecordedGate.THEN.toString());
    assertThat(swap.to()).isEqualTo("vllm");
    assertThat(swap.whole()).isTrue();
    assertThat(swap.jobs()).containsExactly(new SwapRecord.JobLine("j1", "comfyui", "done"));
    assertThat(swap.steps())
        .containsExactly(
            new SwapRecord.Step("draining", "comfyui", 0, 2, null),
            new SwapRecord.Step("stopping_engine", "comfyui", 2, 8, null),
            new SwapRecord.Step("freeing", "comfyui", 10, 2, 32500L),
            new SwapRecord.Step("running", "comfyui", 12, 78, null),
            new SwapRecord.Step("restoring", "vllm", 90, 60, null));
    assertThat(swap.chat()).isEqualTo(new SwapRecord.Chat(5, 2, 4, 30.0, 8));
  }

  @Test
  void doesNotClaimToHaveForeseenASwapThatAnEarlierProcessBegan() {
    at(100, Views.swap(Phase.RUNNING, "comfyui", 10, 200, -1));

    SwapRecord swap = at(160, Views.open()).orElseThrow();

    assertThat(swap.whole()).isFalse();
    assertThat(swap.expectedSeconds()).isNull();
    assertThat(swap.errorSeconds()).isNull();
    assertThat(swap.seconds()).isEqualTo(150);
    assertThat(swap.steps())
        .containsExactly(new SwapRecord.Step("running", "comfyui", 90, 60, null));
  }

  @Test
  void showsASwapUnderWayWithoutAnEnd() {
    at(10, Views.swap(Phase.DRAINING, "comfyui", 10, 200, -1));
    at(15, Views.swap(Phase.FREEING, "comfyui", 10, 200, -1));

    SwapRecord swap = log.underWay(NOBODY, now(18)).orElseThrow();

    assertThat(swap.until()).isNull();
    assertThat(swap.errorSeconds()).isNull();
    assertThat(swap.seconds()).isEqualTo(8);
    assertThat(swap.steps())
        .extracting(SwapRecord.Step::phase)
        .containsExactly("draining", "freeing");
  }

  @Test
  void staysSmallInADayOfFailingRestores() {
    at(0, Views.swap(Phase.DRAINING, "comfyui", 0, 200, -1));
    for (int n = 1; n < 2000; n++) {
      at(n, n % 2 == 0 ? Views.degraded("x") : Views.swap(Phase.RESTORING, "vllm", 0, 200, -1));
    }

    assertThat(at(2000, Views.open()).orElseThrow().steps()).hasSizeLessThanOrEqualTo(300);
  }
}

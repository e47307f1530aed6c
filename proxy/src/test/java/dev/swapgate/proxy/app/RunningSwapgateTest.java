package dev.swapgate.proxy.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.proxy.RecordedGate;
import dev.swapgate.proxy.RecordedStore;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class RunningSwapgateTest {
  private final List<String> stopped = new ArrayList<>();
  private final Running running = new Running();
  private final CompletableFuture<Integer> end = new CompletableFuture<>();
  private final RunningSwapgate swapgate =
      new RunningSwapgate(
          new InetSocketAddress("127.0.0.1", 1),
          new InetSocketAddress("127.0.0.1", 2),
          new RecordedGate(new RecordedStore()),
          () -> {},
          running,
          end);

  @Test
  void aBreachOfOurOwnStopsAllAndEndsWithSeventy() {
    running.add("part", () -> stopped.add("part"));

    end.complete(RunningSwapgate.INTERNAL);

    assertThat(swapgate.awaitEnd()).isEqualTo(70);
    assertThat(stopped).containsExactly("part");
  }

  @Test
  void aPartThatWillNotStopHidesNothing() {
    running.add("good", () -> stopped.add("good"));
    running.add(
        "bad",
        () -> {
          throw new IllegalStateException("stuck");
        });

    swapgate.close();
    swapgate.close();

    assertThat(stopped).containsExactly("good");
    assertThat(end).isCompletedWithValue(0);
  }
}

package dev.swapgate.proxy.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunningTest {
  private final List<String> stopped = new ArrayList<>();
  private final Running running = new Running();

  @Test
  void stopsInReverseOrderAndTriesAll() {
    running.add("first", () -> stopped.add("first"));
    running.add(
        "second",
        () -> {
          stopped.add("second");
          throw new IOException("stuck");
        });
    running.add(
        "third",
        () -> {
          throw new IllegalStateException("stuck too");
        });

    assertThatThrownBy(running::close)
        .hasMessageContaining("third")
        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1))
        .satisfies(e -> assertThat(e.getSuppressed()[0]).hasMessageContaining("second"));
    assertThat(stopped).containsExactly("second", "first");
  }

  @Test
  void stopsNothingTwice() {
    running.add("only", () -> stopped.add("only"));

    running.close();
    running.close();

    assertThat(stopped).containsExactly("only");
  }
}

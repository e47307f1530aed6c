package dev.swapgate.proxy.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What chat was told is compared with what came. */
class ChatTallyTest {
  private final ChatTally tally = new ChatTally();

  @Test
  void comparesEachFigureWithTheTrueWait() {
    tally.refused(Duration.ofSeconds(10), 100);
    tally.refused(Duration.ofSeconds(10), 100);
    tally.refused(Duration.ofSeconds(40), 30);
    tally.refused();
    tally.held();

    ChatTally.Count count = tally.opened(Duration.ofSeconds(90));

    assertThat(count.refused()).isEqualTo(4);
    assertThat(count.held()).isEqualTo(1);
    assertThat(count.misses())
        .containsExactly(
            new ChatTally.Miss(Duration.ofSeconds(20), 2),
            new ChatTally.Miss(Duration.ofSeconds(-20), 1));
    assertThat(tally.opened(Duration.ofSeconds(95)).refused()).isZero();
  }

  @Test
  void countsAStormWithoutKeepingIt() {
    for (int n = 0; n < 100_000; n++) {
      tally.refused(Duration.ofSeconds(n / 10), 100);
    }

    ChatTally.Count count = tally.opened(Duration.ofSeconds(10_000));

    assertThat(count.refused()).isEqualTo(100_000);
    assertThat(count.misses()).hasSize(5_000).allMatch(miss -> miss.requests() == 10);
  }
}

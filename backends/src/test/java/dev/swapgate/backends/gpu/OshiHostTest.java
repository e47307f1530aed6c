package dev.swapgate.backends.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OshiHostTest {
  @Test
  void tellsTheHostsMemory() {
    assertThat(new OshiHost().memory())
        .hasValueSatisfying(
            memory -> {
              assertThat(memory.totalMib()).isGreaterThan(0);
              assertThat(memory.freeMib()).isBetween(0L, memory.totalMib());
            });
  }

  @Test
  void listsCardsOrNoneWithoutFailing() {
    assertThat(new OshiHost().cards()).allSatisfy(card -> assertThat(card.name()).isNotEmpty());
  }
}

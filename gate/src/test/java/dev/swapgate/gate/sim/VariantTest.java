package dev.swapgate.gate.sim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A gate that breaks its promises is caught. */
class VariantTest {

  private static final long WITHIN = 6_000;

  @ParameterizedTest
  @EnumSource
  void isCaught(Variant variant) throws Exception {
    long seed = new VariantLoader(variant).firstCaught(WITHIN);

    System.out.println("variant: " + variant + ", caught by seed " + seed);
    assertThat(seed).as("the seed by which %s is caught", variant).isPositive();
  }
}

package dev.swapgate.gate.sim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The promises of the gate hold in every seeded world. */
class SimulationTest {

  /** Schedules in each test run; more with {@code -Dswapgate.sim.seeds=N}. */
  private static final long SEEDS = Long.getLong("swapgate.sim.seeds", 21_500);

  @Test
  void keepsItsPromisesInEverySeededWorld() {
    Campaign campaign = Campaign.run(1, SEEDS);
    System.out.println("simulation: " + campaign.summary());
    System.out.println(campaign.coverage().table());

    assertThat(campaign.broken().stream().findFirst().map(Shrink::shrink)).isEmpty();
    assertThat(campaign.counted()).as("schedules with a whole swap").isGreaterThan(SEEDS * 9 / 10);
    assertThat(campaign.faults())
        .as("faults in those, three on average")
        .isGreaterThan(3 * campaign.counted());
  }
}

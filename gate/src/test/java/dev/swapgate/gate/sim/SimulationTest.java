package dev.swapgate.gate.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The promises of DESIGN 9 hold in every seeded world, and a gate that breaks them is caught. */
class SimulationTest {

  /** Schedules in each test run; more with {@code -Dswapgate.sim.seeds=N}. */
  private static final int SEEDS = Integer.getInteger("swapgate.sim.seeds", 1_000);

  /** Where a planted bug must have been caught by (DESIGN's figure is 2,000). */
  private static final int CAUGHT_WITHIN = 2_000;

  @Test
  void keepsItsPromisesInEverySeededWorld() {
    List<Schedule.Outcome> outcomes =
        LongStream.rangeClosed(1, SEEDS)
            .parallel()
            .mapToObj(seed -> Schedule.run(seed, Plant.NONE))
            .toList();
    long faults = outcomes.stream().mapToLong(Schedule.Outcome::faults).sum();
    long swaps = outcomes.stream().mapToLong(Schedule.Outcome::swaps).sum();
    long jobs = outcomes.stream().mapToLong(Schedule.Outcome::jobs).sum();
    System.out.println(
        "simulation: "
            + SEEDS
            + " schedules, "
            + faults
            + " faults, "
            + swaps
            + " openings, "
            + jobs
            + " jobs");
    assertThat(faults).as("faults a schedule on average").isGreaterThan(3L * SEEDS);
    assertThat(swaps).as("openings a schedule on average").isGreaterThan(SEEDS);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void catchesAPlantedBug(Plant plant) {
    assertThatThrownBy(
            () -> {
              for (long seed = 1; seed <= CAUGHT_WITHIN; seed++) {
                Schedule.run(seed, plant);
              }
            })
        .as("%s within %d seeds", plant, CAUGHT_WITHIN)
        .isInstanceOf(AssertionError.class);
  }
}

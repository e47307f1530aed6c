package dev.swapgate.gate.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Nothing is left to chance: faults enumerated over scripted stories. */
class SweepTest {

  /** The faults of which every pair is tried: those of calls that change something. */
  private static final Set<Fault> OF_COMMANDS =
      EnumSet.of(
          Fault.COMMAND_REFUSED,
          Fault.REPLY_LOST,
          Fault.COMMAND_HANGS,
          Fault.LATE_EFFECT,
          Fault.STOP_IGNORED,
          Fault.EXITS_AT_ONCE,
          Fault.NEVER_READY,
          Fault.STORE_DOWN,
          Fault.JOB_ERRORS,
          Fault.JOB_HANGS);

  /** Every call fails once in each of its ways, and everything else happens once at each moment. */
  @ParameterizedTest
  @EnumSource(Scenario.class)
  void everySingleFault(Scenario scenario) {
    List<Fault> opportunities = new ArrayList<>();
    Schedule.Outcome plain = Schedule.run(scenario, Strikes.exactly(new BitSet(), opportunities));

    IntStream.range(0, opportunities.size())
        .parallel()
        .forEach(one -> Schedule.run(scenario, Strikes.exactly(only(one))));

    System.out.println("sweep: " + scenario + ", " + opportunities.size() + " single faults");
    assertThat(plain.swaps()).as("whole swaps in the undisturbed story").isPositive();
    assertThat(opportunities).contains(Fault.values());
  }

  /**
   * The small world of one job: every two such faults together, and each with a death of swapgate.
   */
  @Test
  void everyPairOfCommandFaultsInOneSwap() {
    List<Fault> opportunities = new ArrayList<>();
    Schedule.run(Scenario.ONE_JOB, Strikes.exactly(new BitSet(), opportunities));
    int[] first =
        IntStream.range(0, opportunities.size())
            .filter(one -> OF_COMMANDS.contains(opportunities.get(one)))
            .toArray();

    long pairs = IntStream.of(first).parallel().mapToLong(SweepTest::withEverySecond).sum();

    System.out.println(
        "sweep: " + first.length + " command faults, " + pairs + " pairs of a fault and the next");
    assertThat(pairs).isGreaterThan(first.length);
  }

  /** The second fault is sought in the story as the first one changed it. */
  private static long withEverySecond(int first) {
    List<Fault> opportunities = new ArrayList<>();
    BitSet chosen = only(first);
    Schedule.run(Scenario.ONE_JOB, Strikes.exactly(chosen, opportunities));
    long pairs = 0;
    for (int second = first + 1; second < opportunities.size(); second++) {
      Fault fault = opportunities.get(second);
      if (OF_COMMANDS.contains(fault) || fault == Fault.CRASH) {
        BitSet both = only(first);
        both.set(second);
        Schedule.run(Scenario.ONE_JOB, Strikes.exactly(both));
        pairs++;
      }
    }
    return pairs;
  }

  private static BitSet only(int opportunity) {
    BitSet chosen = new BitSet();
    chosen.set(opportunity);
    return chosen;
  }
}

package dev.swapgate.gate.sim;

import dev.swapgate.gate.core.Phase;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Decides at each opportunity whether a fault strikes: by chance, or exactly at chosen
 * opportunities. Both count the opportunities alike and neither touches the world's own random
 * numbers, so that the faults of a seed can be replayed, left out one by one, and enumerated.
 */
final class Strikes {

  /**
   * One fault that struck.
   *
   * @param opportunity its number among all opportunities of the schedule
   * @param phase what the gate was doing; null while swapgate was not running
   */
  record Hit(int opportunity, Fault fault, @Nullable Phase phase, long at) {
    @Override
    public String toString() {
      return "#" + opportunity + " at " + at + " ms, " + phase + ": " + fault.words;
    }
  }

  private interface Decision {
    boolean strikes(int opportunity, Fault fault);
  }

  private final Decision decision;
  private final List<Hit> hits = new ArrayList<>();
  private int count;
  private boolean over;

  private Strikes(Decision decision) {
    this.decision = decision;
  }

  /** By chance; some worlds are bad in one way only and some in all. */
  static Strikes drawn(long seed, ToDoubleFunction<Fault> worst) {
    SplittableRandom random = new SplittableRandom(~seed);
    double badness = random.nextDouble(0.4, 1.2);
    double[] chances = new double[Fault.values().length];
    for (Fault fault : Fault.values()) {
      double most = worst.applyAsDouble(fault) * badness;
      boolean spared = random.nextInt(3) == 0;
      chances[fault.ordinal()] = spared ? 0 : random.nextDouble(most / 4, most);
    }
    return new Strikes(
        (opportunity, fault) -> {
          double chance = chances[fault.ordinal()];
          return chance > 0 && random.nextDouble() < chance;
        });
  }

  /** At these opportunities and no other. */
  static Strikes exactly(BitSet chosen) {
    return new Strikes((opportunity, fault) -> chosen.get(opportunity));
  }

  /**
   * At these opportunities and no other.
   *
   * @param opportunities is filled with every opportunity there was
   */
  static Strikes exactly(BitSet chosen, List<Fault> opportunities) {
    return new Strikes(
        (opportunity, fault) -> {
          opportunities.add(fault);
          return chosen.get(opportunity);
        });
  }

  /** Whether it strikes here and now. */
  boolean at(Fault fault, SimWorld world) {
    if (over || !decision.strikes(count++, fault)) {
      return false;
    }
    Phase phase = world.loop == null ? null : world.loop.view().phase();
    hits.add(new Hit(count - 1, fault, phase, world.now));
    return true;
  }

  /** The world behaves from now on. */
  void end() {
    over = true;
  }

  List<Hit> hits() {
    return hits;
  }
}

package dev.swapgate.gate.sim;

import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;

/** Many seeds, told on all processors, and what they amounted to. */
public final class Campaign {
  private final Coverage coverage = new Coverage();
  private final LongAdder schedules = new LongAdder();
  private final LongAdder counted = new LongAdder();
  private final LongAdder faults = new LongAdder();
  private final LongAdder swaps = new LongAdder();
  private final LongAdder jobs = new LongAdder();
  private final LongAdder checks = new LongAdder();
  private final ConcurrentLinkedQueue<Schedule.Broken> broken = new ConcurrentLinkedQueue<>();

  private Campaign() {}

  static Campaign run(long first, long seeds) {
    Campaign campaign = new Campaign();
    LongStream.range(first, first + seeds).parallel().forEach(campaign::run);
    return campaign;
  }

  /** The first of so many seeds by which a promise breaks; 0 when none does. */
  public static long firstBroken(long seeds) {
    for (long seed = 1; seed <= seeds; seed++) {
      if (breaks(seed)) {
        return seed;
      }
    }
    return 0;
  }

  private static boolean breaks(long seed) {
    try {
      Schedule.run(seed);
      return false;
    } catch (Schedule.Broken e) {
      return true;
    }
  }

  private void run(long seed) {
    schedules.increment();
    try {
      Schedule.Outcome outcome = Schedule.run(seed);
      coverage.add(outcome.hits());
      if (outcome.counts()) {
        counted.increment();
        faults.add(outcome.hits().size());
      }
      swaps.add(outcome.swaps());
      jobs.add(outcome.jobs());
      checks.add(outcome.checks());
    } catch (Schedule.Broken e) {
      broken.add(e);
    }
  }

  Coverage coverage() {
    return coverage;
  }

  List<Schedule.Broken> broken() {
    return List.copyOf(broken);
  }

  /** Schedules with a whole swap in them. */
  long counted() {
    return counted.sum();
  }

  /** Faults in those. */
  long faults() {
    return faults.sum();
  }

  String summary() {
    return String.format(
        "%,d schedules, %,d with a whole swap, in those %,d faults; %,d swaps, %,d jobs, %,d checks,"
            + " %,d violations",
        schedules.sum(),
        counted.sum(),
        faults.sum(),
        swaps.sum(),
        jobs.sum(),
        checks.sum(),
        broken.size());
  }
}

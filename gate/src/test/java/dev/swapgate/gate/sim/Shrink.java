package dev.swapgate.gate.sim;

import java.util.BitSet;
import java.util.List;
import java.util.stream.Collectors;

/** Leaves out the faults of a broken schedule one by one, as long as a promise still breaks. */
final class Shrink {

  private Shrink() {}

  /** The smallest schedule found, in words: its faults and its last events. */
  static String shrink(Schedule.Broken broken) {
    Schedule.Broken least = least(broken);
    return least.hits().size()
        + " of "
        + broken.hits().size()
        + " faults are enough:\n  "
        + least.hits().stream().map(Strikes.Hit::toString).collect(Collectors.joining("\n  "))
        + "\n"
        + least.getMessage();
  }

  /** The same story with as few faults as were found to do. */
  static Schedule.Broken least(Schedule.Broken broken) {
    Schedule.Broken least = broken;
    boolean smaller = true;
    while (smaller) {
      smaller = false;
      List<Strikes.Hit> hits = least.hits();
      for (int left = hits.size() - 1; left >= 0 && !smaller; left--) {
        BitSet chosen = new BitSet();
        hits.forEach(hit -> chosen.set(hit.opportunity()));
        chosen.clear(hits.get(left).opportunity());
        try {
          Schedule.run(broken.story(), Strikes.exactly(chosen));
        } catch (Schedule.Broken e) {
          smaller = e.hits().size() < least.hits().size();
          least = smaller ? e : least;
        }
      }
    }
    return least;
  }
}

package dev.swapgate.gate.sim;

import dev.swapgate.gate.core.Phase;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/** Which fault struck in which phase, and how often. Thread-safe. */
final class Coverage {
  private static final int COLUMNS = Phase.values().length + 1;

  private final AtomicLongArray counts = new AtomicLongArray(Fault.values().length * COLUMNS);

  void add(List<Strikes.Hit> hits) {
    for (Strikes.Hit hit : hits) {
      int column = hit.phase() == null ? COLUMNS - 1 : hit.phase().ordinal();
      counts.incrementAndGet(hit.fault().ordinal() * COLUMNS + column);
    }
  }

  /** A row for each fault, a column for each phase and one for the time swapgate is down. */
  String table() {
    StringBuilder text = new StringBuilder(String.format("%-16s", ""));
    for (Phase phase : Phase.values()) {
      text.append(String.format(" %10.10s", phase.word()));
    }
    text.append(String.format(" %10s%n", "no gate"));
    for (Fault fault : Fault.values()) {
      text.append(String.format("%-16s", fault.name().toLowerCase(java.util.Locale.ROOT)));
      for (int column = 0; column < COLUMNS; column++) {
        long count = counts.get(fault.ordinal() * COLUMNS + column);
        text.append(count == 0 ? String.format(" %10s", ".") : String.format(" %,10d", count));
      }
      text.append(System.lineSeparator());
    }
    return text.toString();
  }
}

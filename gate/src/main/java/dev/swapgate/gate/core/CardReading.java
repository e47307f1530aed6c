package dev.swapgate.gate.core;

import java.util.List;

/** What one reading of the card's memory gave. */
public sealed interface CardReading {

  /**
   * The tool answered.
   *
   * @param holders the processes that hold memory, as far as they can be named
   */
  record Sample(long totalMib, long freeMib, List<Holder> holders) implements CardReading {
    public Sample {
      holders = List.copyOf(holders);
    }
  }

  /** The tool is there but did not answer as it should: never "free". */
  record Failed(String reason) implements CardReading {}

  /** There is no tool on this machine: its own state, in which the container proof alone counts. */
  record NoTool(String reason) implements CardReading {}

  /**
   * One process that holds memory on the card.
   *
   * @param containerId the id of the container it runs in; empty when it runs in none
   */
  record Holder(int pid, long mib, String containerId, String name) {}
}

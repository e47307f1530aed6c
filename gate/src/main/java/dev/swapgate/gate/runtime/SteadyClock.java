package dev.swapgate.gate.runtime;

import dev.swapgate.gate.core.Now;

/** The only source of time in the house: both clocks in one reading. Thread-safe. */
@FunctionalInterface
public interface SteadyClock {
  Now now();

  /** The machine's clocks; steady time begins at this call. */
  static SteadyClock system() {
    return new SystemClock();
  }
}

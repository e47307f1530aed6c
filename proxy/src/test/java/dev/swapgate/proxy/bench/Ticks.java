package dev.swapgate.proxy.bench;

import dev.swapgate.gate.runtime.SteadyClock;

/** Nanoseconds of one steady clock for all who load and are loaded in this process. */
final class Ticks {
  private static final SteadyClock CLOCK = SteadyClock.system();

  private Ticks() {}

  static long now() {
    return CLOCK.now().steady().toNanos();
  }
}

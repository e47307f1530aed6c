package dev.swapgate.gate.runtime;

import dev.swapgate.gate.core.Now;
import java.time.Duration;
import java.time.Instant;

/** The machine's own clocks. */
final class SystemClock implements SteadyClock {
  private final long origin = System.nanoTime();

  @Override
  public Now now() {
    return new Now(Duration.ofNanos(System.nanoTime() - origin), Instant.now());
  }
}

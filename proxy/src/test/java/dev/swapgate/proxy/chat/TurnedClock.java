package dev.swapgate.proxy.chat;

import dev.swapgate.gate.core.Now;
import dev.swapgate.gate.runtime.SteadyClock;
import java.time.Duration;

/** The machine's clock, which a test can turn forward. */
final class TurnedClock implements SteadyClock {
  private final SteadyClock real = SteadyClock.system();
  private volatile Duration ahead = Duration.ZERO;

  void forward(Duration by) {
    ahead = ahead.plus(by);
  }

  @Override
  public Now now() {
    Now now = real.now();
    return new Now(now.steady().plus(ahead), now.wall().plus(ahead));
  }
}

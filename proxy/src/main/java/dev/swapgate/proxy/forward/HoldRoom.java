package dev.swapgate.proxy.forward;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the requests that are held silently, and lets them out one after the other. Thread-safe.
 * Their bytes are on the account of the bodies' own budget.
 */
public final class HoldRoom {

  /** An engine that has just woken gets 200 requests a second, not a thousand at once. */
  private static final Duration BETWEEN = Duration.ofMillis(5);

  private final int limit;
  private final AtomicInteger held = new AtomicInteger();
  private final AtomicLong nextTurnNanos = new AtomicLong();

  public HoldRoom(int limit) {
    this.limit = limit;
  }

  /** Takes a place, or none and {@code false}. */
  boolean enter() {
    while (true) {
      int seen = held.get();
      if (seen >= limit) {
        return false;
      }
      if (held.compareAndSet(seen, seen + 1)) {
        return true;
      }
    }
  }

  void leave() {
    held.decrementAndGet();
  }

  public int held() {
    return held.get();
  }

  /** How long the asker waits for its turn to go; each call is another turn. */
  Duration turn(Duration now) {
    long step = BETWEEN.toNanos();
    long turn = nextTurnNanos.updateAndGet(before -> Math.max(before + step, now.toNanos()));
    return Duration.ofNanos(turn - now.toNanos());
  }
}

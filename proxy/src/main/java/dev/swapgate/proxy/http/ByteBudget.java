package dev.swapgate.proxy.http;

import java.util.concurrent.atomic.AtomicLong;

/** How many bytes of request bodies may be in memory at once, over all requests. Thread-safe. */
public final class ByteBudget {

  private final long limit;
  private final AtomicLong used = new AtomicLong();

  /** Never more than half of the heap: the other half is for the work itself. */
  public ByteBudget(long limit) {
    this.limit = Math.min(limit, Runtime.getRuntime().maxMemory() / 2);
  }

  /** Takes that many bytes, or none and {@code false}. */
  boolean take(long bytes) {
    while (true) {
      long seen = used.get();
      if (seen + bytes > limit) {
        return false;
      }
      if (used.compareAndSet(seen, seen + bytes)) {
        return true;
      }
    }
  }

  void give(long bytes) {
    used.addAndGet(-bytes);
  }

  /** Bytes in memory now. */
  public long used() {
    return used.get();
  }
}

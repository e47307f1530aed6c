package dev.swapgate.proxy.e2e;

import dev.swapgate.gate.runtime.SteadyClock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Looks again until it is so, with a limit: other processes give no signal of their own. */
final class Await {
  private static final SteadyClock CLOCK = SteadyClock.system();
  private static final Duration BETWEEN = Duration.ofMillis(50);

  private Await() {}

  static void until(Supplier<String> what, Duration limit, BooleanSupplier isSo) {
    value(what, limit, () -> isSo.getAsBoolean() ? Optional.of(true) : Optional.empty());
  }

  /**
   * @param what is waited for and was seen instead, told when the limit is over
   */
  static <T> T value(Supplier<String> what, Duration limit, Supplier<Optional<T>> look) {
    Duration end = CLOCK.now().steady().plus(limit);
    for (Optional<T> seen = look.get(); ; seen = look.get()) {
      if (seen.isPresent()) {
        return seen.get();
      }
      if (CLOCK.now().steady().compareTo(end) > 0) {
        throw new AssertionError("not within " + limit + ": " + what.get());
      }
      pause();
    }
  }

  private static void pause() {
    try {
      if (new CountDownLatch(1).await(BETWEEN.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IllegalStateException("nobody counts this latch down");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting", e);
    }
  }
}

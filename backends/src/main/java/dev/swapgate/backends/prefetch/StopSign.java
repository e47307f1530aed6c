package dev.swapgate.backends.prefetch;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Says that a reading must end, and why; the first reason counts. Thread-safe. */
final class StopSign {
  private final CompletableFuture<String> why = new CompletableFuture<>();

  void raise(String reason) {
    why.complete(reason);
  }

  Optional<String> why() {
    return Optional.ofNullable(why.getNow(null));
  }

  /** Waits so long, or until it is raised. An interrupt raises it. */
  void await(Duration length) {
    try {
      why.get(length.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException rested) {
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      raise("swapgate stops");
    } catch (ExecutionException never) {
      throw new IllegalStateException(never);
    }
  }
}

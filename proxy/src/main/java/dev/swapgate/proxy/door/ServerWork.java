package dev.swapgate.proxy.door;

import dev.swapgate.gate.runtime.SteadyClock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Whether the server is at work, whoever asked for it: its own queue says so, never a connection
 * that is open. Work at which nothing changes for too long counts as standing still: a server whose
 * worker has died answers on, and would keep the card for ever. Thread-safe; the question itself is
 * asked elsewhere, so that nobody waits for the answer.
 */
final class ServerWork {

  private static final Duration EVERY = Duration.ofSeconds(5);

  private final Supplier<Optional<String>> underWay;
  private final Executor executor;
  private final SteadyClock clock;
  private final Duration longest;
  private boolean asking;
  private Duration asked = Duration.ZERO;
  private String last = "";
  private Duration lastSince = Duration.ZERO;

  /**
   * @param underWay asks the server; empty when it does not tell; may block
   * @param longest how long it may be at one and the same work
   */
  ServerWork(
      Supplier<Optional<String>> underWay, Executor executor, SteadyClock clock, Duration longest) {
    this.underWay = underWay;
    this.executor = executor;
    this.clock = clock;
    this.longest = longest;
  }

  /** By the last answer; asks again when that is old. */
  synchronized boolean goesOn() {
    Duration now = clock.now().steady();
    if (!asking && now.minus(asked).compareTo(EVERY) >= 0) {
      asking = true;
      asked = now;
      executor.execute(this::ask);
    }
    return !last.isEmpty() && now.minus(lastSince).compareTo(longest) < 0;
  }

  /** The server is down: what it said belongs to the past. */
  synchronized void forget() {
    last = "";
  }

  private void ask() {
    Optional<String> told = Optional.empty();
    try {
      told = underWay.get();
    } finally {
      heard(told);
    }
  }

  /** A server that does not answer is still at what it said last: rendering, it may be silent. */
  private synchronized void heard(Optional<String> told) {
    asking = false;
    if (told.isPresent() && !told.get().equals(last)) {
      last = told.get();
      lastSince = clock.now().steady();
    }
  }
}

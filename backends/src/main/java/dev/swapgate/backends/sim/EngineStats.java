package dev.swapgate.backends.sim;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** What an engine counts, for tests: {@code GET /sim/stats}. */
final class EngineStats {
  /** Every request but those for readiness and {@code /sim/…}. */
  final AtomicLong httpRequests = new AtomicLong();

  /** Requests that generate. */
  final AtomicLong requests = new AtomicLong();

  final AtomicInteger running = new AtomicInteger();
  final AtomicLong completed = new AtomicLong();

  /** Generations that stopped because the client had left. */
  final AtomicLong aborted = new AtomicLong();

  final AtomicLong tokens = new AtomicLong();

  Map<String, @Nullable Object> snapshot(String name, int openConnections) {
    return Json.object(
        "name", name,
        "http_requests", httpRequests.get(),
        "requests", requests.get(),
        "running", running.get(),
        "completed", completed.get(),
        "aborted", aborted.get(),
        "tokens", tokens.get(),
        "connections", openConnections);
  }
}

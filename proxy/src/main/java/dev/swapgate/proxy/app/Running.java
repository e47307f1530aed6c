package dev.swapgate.proxy.app;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What has been started, to be stopped in reverse order: every stop is attempted, and failures are
 * kept. Not thread-safe.
 */
final class Running implements AutoCloseable {
  private final Deque<Part> parts = new ArrayDeque<>();

  private record Part(String name, AutoCloseable stop) {}

  /** Notes a part that was started. */
  <T extends AutoCloseable> T add(String name, T part) {
    parts.push(new Part(name, part));
    return part;
  }

  /** Stops what was started, and keeps what went wrong with the reason for stopping. */
  void closeBecause(Exception reason) {
    try {
      close();
    } catch (StopException e) {
      reason.addSuppressed(e);
    }
  }

  /**
   * @throws StopException when a part would not stop; all others were stopped all the same
   */
  @Override
  public void close() {
    StopException failure = null;
    while (!parts.isEmpty()) {
      Part part = parts.pop();
      try {
        part.stop().close();
      } catch (Exception e) {
        if (e instanceof InterruptedException) {
          Thread.currentThread().interrupt();
        }
        StopException failed = new StopException(part.name(), e);
        if (failure == null) {
          failure = failed;
        } else {
          failure.addSuppressed(failed);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** A part that would not stop. */
  static final class StopException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StopException(String part, Exception cause) {
      super("could not stop " + part + ": " + cause, cause);
    }
  }
}

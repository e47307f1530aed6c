package dev.swapgate.backends.docker;

import java.time.Duration;

/** How one timed call ended. */
sealed interface CallEnd<T> {

  record Answered<T>(T answer) implements CallEnd<T> {}

  record Threw<T>(Throwable error) implements CallEnd<T> {}

  /** Nothing came within the deadline; the call was abandoned and its connection closed. */
  record Late<T>(Duration deadline) implements CallEnd<T> {}

  /** It was never begun. */
  record NotBegun<T>(String reason) implements CallEnd<T> {}
}

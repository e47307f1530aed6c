package dev.swapgate.proxy.cli;

import java.net.ConnectException;

/** A command cannot go on; its message is the one line that is printed. */
final class CliException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int exitCode;

  CliException(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  CliException(int exitCode, String message, Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  int exitCode() {
    return exitCode;
  }

  /** True when the other side was never reached, so that nothing can have come of it. */
  boolean neverSent() {
    return getCause() instanceof ConnectException;
  }
}

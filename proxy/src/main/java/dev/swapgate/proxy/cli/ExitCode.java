package dev.swapgate.proxy.cli;

/** How a command ends (DESIGN 8); scripts rely on it. */
final class ExitCode {
  static final int DONE = 0;

  /** A job failed or was cancelled; {@code check} found a problem. */
  static final int FAILED = 1;

  /** Wrong usage, or input that was refused. */
  static final int REFUSED = 2;

  static final int NOT_REACHABLE = 3;
  static final int TIMED_OUT = 4;
  static final int INTERNAL = 70;
  static final int BAD_CONFIGURATION = 78;

  private ExitCode() {}
}

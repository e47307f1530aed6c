package dev.swapgate.proxy.app;

/** Why swapgate did not start. The message says what was tried and what to do. */
public final class StartException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** A resource is taken or away: a port, the state folder, another swapgate. */
  public static final int UNAVAILABLE = 69;

  /** The configuration names what cannot be used. */
  public static final int BAD_CONFIGURATION = 78;

  private final int exitCode;

  public StartException(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  public StartException(int exitCode, String message, Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  /** With which the process should end. */
  public int exitCode() {
    return exitCode;
  }
}

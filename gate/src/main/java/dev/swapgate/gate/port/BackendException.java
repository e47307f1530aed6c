package dev.swapgate.gate.port;

/** The world could not be asked. The message says what was tried, on what, and what was seen. */
public final class BackendException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public BackendException(String message) {
    super(message);
  }

  public BackendException(String message, Throwable cause) {
    super(message, cause);
  }
}

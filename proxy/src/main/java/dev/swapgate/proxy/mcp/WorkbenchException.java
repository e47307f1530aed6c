package dev.swapgate.proxy.mcp;

/** What an agent asked for was not done; the message says why and what to do. */
public final class WorkbenchException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public WorkbenchException(String message, Throwable cause) {
    super(message, cause);
  }

  public WorkbenchException(String message) {
    super(message);
  }
}

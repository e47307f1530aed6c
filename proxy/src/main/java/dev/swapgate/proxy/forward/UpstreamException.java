package dev.swapgate.proxy.forward;

/** What an engine sent is not HTTP as it can be passed on. */
final class UpstreamException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UpstreamException(String message) {
    super(message);
  }
}

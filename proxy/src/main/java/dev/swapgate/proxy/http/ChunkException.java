package dev.swapgate.proxy.http;

/** What was sent in chunks is not framed as it must be. */
public final class ChunkException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ChunkException(String message) {
    super(message);
  }
}

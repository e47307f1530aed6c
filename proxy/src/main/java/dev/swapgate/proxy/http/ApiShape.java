package dev.swapgate.proxy.http;

/** The family of API a path belongs to, and with it the shape its clients expect of an error. */
public enum ApiShape {
  OPENAI,
  ANTHROPIC,
  OLLAMA;

  /**
   * @param path the path as the engine sees it, without a profile prefix and without the query
   */
  public static ApiShape of(String path) {
    if (path.equals("/v1/messages") || path.startsWith("/v1/messages/")) {
      return ANTHROPIC;
    }
    return path.startsWith("/api/") ? OLLAMA : OPENAI;
  }
}

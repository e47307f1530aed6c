package dev.swapgate.proxy.chat;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Bytes that a client may send, and what must become of them.
 *
 * @param passed what reaches the engine: method, target and body, one each request; empty: nothing
 * @param status what the client is told when nothing passes; 0: the connection just ends
 */
record Attack(String name, byte[] bytes, List<String> passed, int status) {

  /** It must not reach the engine, and neither must anything behind it. */
  static Attack refused(String name, String bytes, int status) {
    return new Attack(name, raw(bytes), List.of(), status);
  }

  /** It is one request to any reader, and what follows it is another. */
  static Attack passed(String name, String bytes, String request) {
    return new Attack(name, raw(bytes), List.of(request, "GET /second"), 0);
  }

  boolean passes() {
    return !passed.isEmpty();
  }

  static byte[] raw(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  @Override
  public String toString() {
    return name;
  }
}

package dev.swapgate.backends.recipe;

import java.util.Map;
import java.util.Optional;

/**
 * One request as it is put together from values.
 *
 * @param path path and query; values are put in encoded
 * @param headers header values may be secret and are not shown
 * @param body empty: none is sent with GET and DELETE; with the others all values but those that go
 *     into the path
 * @param upload under what name files go along: a form field, or with JSON a key that gets a list
 *     of them in base64; empty: no files
 */
public record Call(
    String method,
    TextTemplate path,
    Map<String, String> headers,
    Encoding send,
    Optional<BodyTemplate> body,
    Optional<String> upload) {
  public Call {
    headers = Map.copyOf(headers);
  }

  /** How a body is written. */
  public enum Encoding {
    JSON,
    MULTIPART
  }

  /** A plain question. */
  public static Call get(TextTemplate path) {
    return new Call("GET", path, Map.of(), Encoding.JSON, Optional.empty(), Optional.empty());
  }

  public boolean hasBody() {
    return body.isPresent() || !(method.equals("GET") || method.equals("DELETE"));
  }

  @Override
  public String toString() {
    return "Call[%s %s, headers=%s, send=%s, body=%s, upload=%s]"
        .formatted(method, path.text(), headers.keySet(), send, body, upload);
  }
}

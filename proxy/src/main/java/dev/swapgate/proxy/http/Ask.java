package dev.swapgate.proxy.http;

import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import io.undertow.util.PathTemplateMatch;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** One request of the admin side, read whole. */
public final class Ask {
  private final Map<String, String> parameters;
  private final Map<String, String> query;
  private final Optional<String> idempotencyKey;
  private final byte[] body;

  private Ask(
      Map<String, String> parameters,
      Map<String, String> query,
      Optional<String> idempotencyKey,
      byte[] body) {
    this.parameters = parameters;
    this.query = query;
    this.idempotencyKey = idempotencyKey;
    this.body = body;
  }

  /** The body as it came; not a copy. */
  public byte[] body() {
    return body;
  }

  /** The header {@code Idempotency-Key}. */
  public Optional<String> idempotencyKey() {
    return idempotencyKey;
  }

  /** The first value of a query parameter. */
  public Optional<String> query(String name) {
    return Optional.ofNullable(query.get(name));
  }

  /** A parameter of the route; asking for one that the route has not is a programming error. */
  public String parameter(String name) {
    String value = parameters.get(name);
    if (value == null) {
      throw new IllegalArgumentException("the route has no parameter " + name);
    }
    return value;
  }

  /** A whole number from the query, the default when it is not given. */
  public int count(String name, int byDefault, int most) {
    String text = query.get(name);
    if (text == null) {
      return byDefault;
    }
    try {
      int count = Integer.parseInt(text);
      if (count >= 1 && count <= most) {
        return count;
      }
    } catch (NumberFormatException ignored) {
      // Told below, together with the range.
    }
    throw new HttpProblem(
        400, "bad_parameter", name + " must be a whole number from 1 to " + most + ", was " + text);
  }

  /** What stands in the exchange, with this body. */
  public static Ask of(HttpServerExchange exchange, byte[] body) {
    Map<String, String> query = new HashMap<>();
    for (Map.Entry<String, Deque<String>> entry : exchange.getQueryParameters().entrySet()) {
      query.put(entry.getKey(), entry.getValue().getFirst());
    }
    PathTemplateMatch match = exchange.getAttachment(PathTemplateMatch.ATTACHMENT_KEY);
    Map<String, String> parameters = match == null ? Map.of() : match.getParameters();
    parameters.keySet().forEach(query::remove); // Undertow lists them among the query's.
    return new Ask(
        parameters,
        query,
        Optional.ofNullable(exchange.getRequestHeaders().getFirst("Idempotency-Key"))
            .filter(key -> !key.isBlank()),
        body);
  }

  /** True when the request's media type is this one, whatever its parameters. */
  public static boolean hasType(HttpServerExchange exchange, String type) {
    String sent = exchange.getRequestHeaders().getFirst(Headers.CONTENT_TYPE);
    if (sent == null) {
      return false;
    }
    int end = sent.indexOf(';');
    return (end < 0 ? sent : sent.substring(0, end)).strip().equalsIgnoreCase(type);
  }
}

package dev.swapgate.proxy.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The one place where errors become HTTP: a whole answer, or the last event of a stream that had
 * begun. Thread-safe; {@link #send} belongs to the exchange's I/O thread.
 */
public final class ErrorEnvelope {

  private static final ObjectMapper JSON = new ObjectMapper();

  private ErrorEnvelope() {}

  /** Answers and ends the exchange. The connection is kept if the request was read to its end. */
  public static void send(HttpServerExchange exchange, ApiShape shape, ErrorAnswer error) {
    byte[] body = json(shape, error).getBytes(StandardCharsets.UTF_8);
    exchange.setStatusCode(error.status());
    exchange.setReasonPhrase(null);
    exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "application/json");
    exchange.getResponseHeaders().put(Headers.CACHE_CONTROL, "no-store");
    exchange.getResponseHeaders().put(Headers.CONTENT_LENGTH, body.length);
    exchange.getResponseHeaders().put(AnsweredBy.HEADER, AnsweredBy.GATE);
    error
        .retryAfterSeconds()
        .ifPresent(n -> exchange.getResponseHeaders().put(Headers.RETRY_AFTER, n));
    exchange.getResponseSender().send(ByteBuffer.wrap(body));
  }

  /** The body of a whole answer. */
  public static String json(ApiShape shape, ErrorAnswer error) {
    return switch (shape) {
      case OPENAI -> write(openAi(error));
      case ANTHROPIC -> write(anthropic(error));
      case OLLAMA -> write(ollama(error));
    };
  }

  /**
   * The last event of a server-sent stream. With {@code event: error} every client that was
   * measured raises; with bare data one reported an empty success.
   */
  public static String lastEvent(ApiShape shape, ErrorAnswer error) {
    return "event: error\ndata: " + json(shape, error) + "\n\n";
  }

  /** The last line of a stream of JSON lines. */
  public static String lastLine(ErrorAnswer error) {
    return write(ollama(error)) + "\n";
  }

  private static Map<String, @Nullable Object> openAi(ErrorAnswer error) {
    Map<String, @Nullable Object> inner = new LinkedHashMap<>();
    inner.put("message", error.message());
    inner.put("type", error.type());
    inner.put("param", null);
    inner.put("code", error.code());
    error.retryAfterSeconds().ifPresent(n -> inner.put("retry_after", n));
    return outer("error", inner);
  }

  private static Map<String, @Nullable Object> anthropic(ErrorAnswer error) {
    Map<String, @Nullable Object> inner = new LinkedHashMap<>();
    inner.put("type", anthropicType(error));
    inner.put("message", error.message());
    inner.put("code", error.code());
    error.retryAfterSeconds().ifPresent(n -> inner.put("retry_after", n));
    Map<String, @Nullable Object> outer = outer("type", "error");
    outer.put("error", inner);
    return outer;
  }

  private static String anthropicType(ErrorAnswer error) {
    return switch (error.status()) {
      case 429 -> "rate_limit_error";
      case 404 -> "not_found_error";
      case 413 -> "request_too_large";
      default -> error.status() < 500 ? "invalid_request_error" : "api_error";
    };
  }

  private static Map<String, @Nullable Object> ollama(ErrorAnswer error) {
    Map<String, @Nullable Object> outer = outer("error", error.message());
    outer.put("code", error.code());
    error.retryAfterSeconds().ifPresent(n -> outer.put("retry_after", n));
    return outer;
  }

  private static Map<String, @Nullable Object> outer(String name, Object value) {
    Map<String, @Nullable Object> outer = new LinkedHashMap<>();
    outer.put(name, value);
    return outer;
  }

  private static String write(Map<String, @Nullable Object> value) {
    try {
      return JSON.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("strings and numbers always become JSON", e);
    }
  }
}

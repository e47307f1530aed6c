package dev.swapgate.proxy.http;

import java.util.OptionalInt;

/**
 * An error as swapgate means it, before it takes the shape of an API.
 *
 * @param type the class of error in OpenAI's words
 * @param code the machine's word for this very error
 * @param message for people; some clients classify by its words, see the wording test
 * @param retryAfterSeconds header and body number, always equal
 */
public record ErrorAnswer(
    int status, String type, String code, String message, OptionalInt retryAfterSeconds) {

  /** The same with another code. */
  public ErrorAnswer withCode(String other) {
    return new ErrorAnswer(status, type, other, message, retryAfterSeconds);
  }

  /** 429: comes back on its own. */
  public static ErrorAnswer rateLimited(String message, int retryAfterSeconds) {
    return new ErrorAnswer(
        429, "rate_limit_error", "rate_limit_exceeded", message, OptionalInt.of(retryAfterSeconds));
  }

  /** 503 with its own code. */
  public static ErrorAnswer unavailable(String code, String message, int retryAfterSeconds) {
    return new ErrorAnswer(
        503, "service_unavailable", code, message, OptionalInt.of(retryAfterSeconds));
  }

  /** The engine failed the request; swapgate did not refuse it. */
  public static ErrorAnswer engineFailed(String message) {
    return new ErrorAnswer(502, "server_error", "engine_failed", message, OptionalInt.empty());
  }

  /** A fallback provider began an answer and did not bring it to its end. */
  public static ErrorAnswer fallbackFailed(String message) {
    return new ErrorAnswer(502, "server_error", "fallback_failed", message, OptionalInt.empty());
  }

  /** The request itself is at fault; sending it again does not help. */
  public static ErrorAnswer invalid(int status, String code, String message) {
    return new ErrorAnswer(status, "invalid_request_error", code, message, OptionalInt.empty());
  }
}

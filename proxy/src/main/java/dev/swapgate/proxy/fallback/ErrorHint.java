package dev.swapgate.proxy.fallback;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a provider's error body says beyond its status. Some answer 200 and put the error into the
 * body, or into the first event of a stream; some say "a day's cap" only in words.
 *
 * @param isError whether there is an error in it at all
 * @param status what the body itself calls the error, in the words of HTTP
 * @param unpaid a cap or a bill, which waiting a minute does not mend
 * @param moderated the request was refused for what it says
 * @param retryAfter how long to wait, where only the words say so
 */
public record ErrorHint(
    boolean isError,
    OptionalInt status,
    boolean unpaid,
    boolean moderated,
    Optional<Duration> retryAfter) {

  /** Nothing is said. */
  public static final ErrorHint NONE =
      new ErrorHint(false, OptionalInt.empty(), false, false, Optional.empty());

  /** A success in name, with nothing in it, or with a page for people. */
  static final ErrorHint NO_ANSWER =
      new ErrorHint(true, OptionalInt.of(502), false, false, Optional.empty());

  /** More of a body is not looked at. */
  static final int MOST_BYTES = 16 * 1024;

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Words of OpenAI, Anthropic, Google and OpenRouter for a kind of error. */
  private static final Map<String, Integer> STATUS =
      Map.ofEntries(
          Map.entry("rate_limit_error", 429),
          Map.entry("rate_limit_exceeded", 429),
          Map.entry("too_many_requests", 429),
          Map.entry("resource_exhausted", 429),
          Map.entry("insufficient_quota", 402),
          Map.entry("insufficient_credits", 402),
          Map.entry("billing_error", 402),
          Map.entry("authentication_error", 401),
          Map.entry("invalid_api_key", 401),
          Map.entry("permission_error", 403),
          Map.entry("invalid_request_error", 400),
          Map.entry("not_found_error", 404),
          Map.entry("model_not_found", 404),
          Map.entry("overloaded_error", 529),
          Map.entry("overloaded", 529),
          Map.entry("server_is_overloaded", 529),
          Map.entry("service_unavailable", 503),
          Map.entry("unavailable", 503),
          Map.entry("timeout_error", 504),
          Map.entry("api_error", 500),
          Map.entry("server_error", 500),
          Map.entry("internal", 500));

  private static final Pattern BEGINS_AS_ERROR =
      Pattern.compile("\\s*(?:\\[\\s*)?\\{\\s*\"(?:error\"|(?:type|object)\"\\s*:\\s*\"error\")");

  /** Said with a 400. */
  private static final String ANTHROPIC_UNPAID = "credit balance is too low";

  private static final Pattern UNPAID =
      Pattern.compile(
          "insufficient_quota|insufficient[ _](credits|balance|funds)|per[-_ ]day|per[-_ ]month"
              + "|\\b(daily|monthly|weekly)\\b|perday|billing|usage limit");
  private static final Pattern MODERATED =
      Pattern.compile("moderation|flagged|content[-_ ](policy|filter|management)");
  private static final Pattern WAIT =
      Pattern.compile(
          "(?:try again in|retry after|retry in|retrydelay\"?\\s*:\\s*\"?)\\s*"
              + "(?:(\\d{1,6})h)?\\s*(?:(\\d{1,6})m(?!s))?\\s*"
              + "(?:(\\d{1,9}(?:\\.\\d{1,9})?)\\s*(ms|s))?");

  /** Reads the beginning of a body; of a stream, what its first event holds. */
  static ErrorHint of(String body) {
    String text = body.length() > MOST_BYTES ? body.substring(0, MOST_BYTES) : body;
    String lower = text.toLowerCase(Locale.ROOT);
    JsonNode error = error(text);
    return new ErrorHint(
        !error.isMissingNode(),
        lower.contains(ANTHROPIC_UNPAID) ? OptionalInt.of(402) : status(error),
        UNPAID.matcher(lower).find(),
        MODERATED.matcher(lower).find(),
        wait(lower));
  }

  /** A provider that wraps its errors into a list of one is read like the others. */
  private static JsonNode error(String text) {
    JsonNode none = JSON.missingNode();
    try {
      JsonNode top = JSON.readTree(text);
      JsonNode one = top.isArray() && top.size() == 1 ? top.get(0) : top;
      JsonNode error = one.path("error");
      boolean itself = isNamedError(one.path("type")) || isNamedError(one.path("object"));
      return error.isObject() || error.isTextual() ? error : itself ? one : none;
    } catch (JsonProcessingException e) {
      // Cut off, or no JSON after all: how it begins must do.
      return BEGINS_AS_ERROR.matcher(text).lookingAt() ? JSON.createObjectNode() : none;
    }
  }

  private static boolean isNamedError(JsonNode kind) {
    return kind.asText("").equals("error");
  }

  /** Whether a body begins as errors do. */
  static boolean beginsAsError(CharSequence body) {
    return BEGINS_AS_ERROR.matcher(body).lookingAt();
  }

  private static OptionalInt status(JsonNode error) {
    for (String field : new String[] {"code", "status", "type"}) {
      JsonNode value = error.path(field);
      if (value.canConvertToInt() && value.asInt() >= 400 && value.asInt() <= 599) {
        return OptionalInt.of(value.asInt());
      }
      Integer known = STATUS.get(value.asText("").toLowerCase(Locale.ROOT));
      if (known != null) {
        return OptionalInt.of(known);
      }
    }
    return OptionalInt.empty();
  }

  private static Optional<Duration> wait(String lower) {
    Matcher words = WAIT.matcher(lower);
    while (words.find()) {
      if (words.group(1) != null || words.group(2) != null || words.group(3) != null) {
        double seconds =
            number(words.group(1)) * 3600
                + number(words.group(2)) * 60
                + number(words.group(3)) * ("ms".equals(words.group(4)) ? 1e-3 : 1);
        return Optional.of(RetryAfter.seconds(seconds));
      }
    }
    return Optional.empty();
  }

  private static double number(@Nullable String digits) {
    return digits == null ? 0 : Double.parseDouble(digits);
  }
}

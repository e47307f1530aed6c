package dev.swapgate.backends.generic;

import com.fasterxml.jackson.databind.JsonNode;
import dev.swapgate.backends.media.Json;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What a status other than success says about a job that was handed in. */
final class Outcome {
  private static final int WORDS_LIMIT = 500;

  /** Asked again later, the server may well take it: it is busy, or not all of it is up. */
  private static final Set<Integer> LATER = Set.of(408, 425, 429, 502, 503, 504);

  private Outcome() {}

  static boolean isGood(int status) {
    return status / 100 == 2;
  }

  /** Whether asking the same again cannot help. */
  static boolean isRefusal(int status) {
    return status / 100 == 4 && !LATER.contains(status);
  }

  static boolean isForLater(int status) {
    return LATER.contains(status);
  }

  static String words(String question, int status, String body) {
    String told = told(body);
    return question + " was answered with status " + status + (told.isEmpty() ? "" : ": " + told);
  }

  /** The server's own words, where its answer is of a usual form; else the answer's beginning. */
  private static String told(String body) {
    Optional<JsonNode> json = Json.maybe(body);
    if (json.isEmpty() || !json.get().isObject()) {
      return Json.line(body, WORDS_LIMIT);
    }
    StringBuilder words = new StringBuilder();
    for (String field : List.of("error", "errors", "detail", "message")) {
      JsonNode value = json.get().path(field);
      String text = value.isValueNode() ? value.asText("") : value.toString();
      if (!value.isMissingNode() && !value.isNull() && !text.isEmpty()) {
        words.append(words.isEmpty() ? "" : ", ").append(text);
      }
    }
    return Json.line(words.isEmpty() ? body : words.toString(), WORDS_LIMIT);
  }
}

package dev.swapgate.backends.job;

import com.fasterxml.jackson.databind.JsonNode;
import dev.swapgate.backends.media.Json;
import dev.swapgate.backends.media.MediaServer;
import java.util.Set;

/**
 * ACE-Step's answer: {@code {data, code, error}}, in which a failure may travel with HTTP status
 * 200.
 *
 * @param code the HTTP status, or the envelope's own where that is not 200
 */
record AceEnvelope(String question, int code, JsonNode data, String error) {

  /** What will be refused again when asked again: the request, or our key. */
  private static final Set<Integer> STANDING = Set.of(400, 401, 403, 413, 415, 422);

  static AceEnvelope of(MediaServer.Reply reply) {
    if (reply.status() != 200) {
      String told = Json.maybe(reply.body()).map(AceEnvelope::told).orElse("");
      return new AceEnvelope(
          reply.question(),
          reply.status(),
          Json.MAPPER.nullNode(),
          told.isEmpty() ? Json.line(reply.body(), 300) : told);
    }
    JsonNode body = reply.json();
    int code = body.path("code").asInt(200);
    String error = told(body);
    boolean fine = code == 200 && error.isEmpty();
    return new AceEnvelope(
        reply.question(), fine ? 200 : code == 200 ? 500 : code, body.path("data"), error);
  }

  private static String told(JsonNode body) {
    for (String field : new String[] {"error", "detail", "message"}) {
      JsonNode told = body.path(field);
      if (!told.isMissingNode() && !told.isNull() && !told.asText(told.toString()).isEmpty()) {
        return Json.line(told.asText(told.toString()), 300);
      }
    }
    return "";
  }

  boolean isFine() {
    return code == 200;
  }

  /** Whether asking again cannot help. */
  boolean refusesForGood() {
    return STANDING.contains(code);
  }

  String words() {
    return question + " was answered with status " + code + (error.isEmpty() ? "" : ": " + error);
  }
}

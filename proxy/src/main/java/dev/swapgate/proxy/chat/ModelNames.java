package dev.swapgate.proxy.chat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.swapgate.proxy.http.Body;
import io.undertow.util.Headers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;

/**
 * Puts an engine's own name of a model in the place of the client's. Only the value of the topmost
 * {@code model} changes; every other byte stays as it was sent. Thread-safe.
 *
 * @param engineNames client's name to engine's
 */
record ModelNames(Map<String, String> engineNames) {

  private static final JsonFactory JSON = new JsonFactory();

  /** Whether the request could name a model. */
  boolean concerns(ChatRequest request) {
    String type = request.exchange().getRequestHeaders().getFirst(Headers.CONTENT_TYPE);
    return request.body().size() > 0
        && type != null
        && type.toLowerCase(Locale.ROOT).contains("json");
  }

  /** Renames in place; a body that is not JSON is the engine's to judge. */
  void rename(Body body) {
    byte[] before = body.bytes();
    byte[] after = renamed(before);
    if (after != before) {
      body.replace(after);
    }
  }

  /** The same array when there is nothing to rename. */
  byte[] renamed(byte[] json) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(json.length + 64);
    int copied = 0;
    try (JsonParser parser = JSON.createParser(json)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return json;
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        boolean isModel = parser.currentName().equals("model");
        JsonToken value = parser.nextToken();
        String name = isModel && value == JsonToken.VALUE_STRING ? parser.getText() : "";
        String other = engineNames.get(name);
        if (other != null) {
          int start = (int) parser.currentTokenLocation().getByteOffset();
          out.write(json, copied, start - copied);
          out.writeBytes(quoted(other));
          copied = (int) parser.currentLocation().getByteOffset();
        }
        parser.skipChildren();
      }
    } catch (IOException e) {
      return json;
    }
    if (copied == 0) {
      return json;
    }
    out.write(json, copied, json.length - copied);
    return out.toByteArray();
  }

  static byte[] quoted(String text) {
    char[] escaped = JsonStringEncoder.getInstance().quoteAsString(text);
    return ('"' + new String(escaped) + '"').getBytes(StandardCharsets.UTF_8);
  }
}

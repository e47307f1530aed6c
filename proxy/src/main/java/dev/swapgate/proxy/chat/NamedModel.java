package dev.swapgate.proxy.chat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * The model a request's JSON names, and where it stands. With another name in its place nothing
 * else of the body changes, and nothing of it is copied.
 *
 * @param name empty when it names none
 * @param from the first byte of its value; and {@code to} the first behind it
 */
record NamedModel(Optional<String> name, int from, int to) {

  private static final JsonFactory JSON = new JsonFactory();

  /** Empty when it is no JSON object, or when two readers could find different models in it. */
  static Optional<NamedModel> of(byte[] json) {
    NamedModel found = new NamedModel(Optional.empty(), 0, 0);
    try (JsonParser parser = JSON.createParser(json)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return Optional.empty();
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        boolean isModel = parser.currentName().equals("model");
        JsonToken value = parser.nextToken();
        if (isModel && (value != JsonToken.VALUE_STRING || found.name().isPresent())) {
          return Optional.empty();
        }
        if (isModel) {
          // The end is known only when the text was read.
          Optional<String> name = Optional.of(parser.getText());
          found =
              new NamedModel(
                  name,
                  (int) parser.currentTokenLocation().getByteOffset(),
                  (int) parser.currentLocation().getByteOffset());
        }
        parser.skipChildren();
      }
      return parser.nextToken() == null ? Optional.of(found) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** The body it was found in, with another name; the name must have been found. */
  List<ByteBuffer> renamed(byte[] json, String other) {
    if (name.isEmpty() || name.get().equals(other)) {
      return List.of(ByteBuffer.wrap(json));
    }
    return List.of(
        ByteBuffer.wrap(json, 0, from),
        ByteBuffer.wrap(ModelNames.quoted(other)),
        ByteBuffer.wrap(json, to, json.length - to));
  }
}

package dev.swapgate.backends.media;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/** JSON as it comes from people (read strictly) and from servers. */
public final class Json {
  public static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .build();

  private Json() {}

  /** The request as an object; Rejected when it is none. */
  public static ObjectNode request(String text, String what) {
    JsonNode read;
    try {
      read = MAPPER.readTree(text);
    } catch (JsonProcessingException broken) {
      throw AnswerException.rejected(
          "the " + what + " is not JSON: " + broken.getOriginalMessage() + at(broken));
    }
    if (read instanceof ObjectNode object) {
      return object;
    }
    throw AnswerException.rejected("the " + what + " must be a JSON object");
  }

  private static String at(JsonProcessingException broken) {
    return broken.getLocation() == null ? "" : " at line " + broken.getLocation().getLineNr();
  }

  /** The text read as JSON; empty when it is none. */
  public static Optional<JsonNode> maybe(String text) {
    try {
      JsonNode read = MAPPER.readTree(text);
      return read.isMissingNode() ? Optional.empty() : Optional.of(read);
    } catch (JsonProcessingException noJson) {
      return Optional.empty();
    }
  }

  public static byte[] bytes(JsonNode node) {
    try {
      return MAPPER.writeValueAsBytes(node);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("a JSON tree could not be written", impossible);
    }
  }

  /** One line of at most so many characters, of what a server wrote. */
  public static String line(String text, int limit) {
    String line = text.replaceAll("\\s+", " ").strip();
    return line.length() <= limit ? line : line.substring(0, limit) + "…";
  }
}

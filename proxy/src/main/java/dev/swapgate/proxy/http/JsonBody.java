package dev.swapgate.proxy.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A request's JSON object, read strictly: no duplicate, unknown or trailing anything. Numbers keep
 * their digits, since a workflow's seed may be larger than a double can hold.
 */
public final class JsonBody {
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private final ObjectNode node;

  private JsonBody(ObjectNode node) {
    this.node = node;
  }

  /**
   * @param known the fields it may have
   * @throws HttpProblem 400, with what is wrong with it
   */
  public static JsonBody parse(byte[] body, Set<String> known) {
    JsonNode read;
    try {
      read = MAPPER.readTree(body);
    } catch (JsonProcessingException e) {
      throw new HttpProblem(400, "bad_json", "the body is not JSON: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw new HttpProblem(400, "bad_json", "the body cannot be read as JSON");
    }
    if (!(read instanceof ObjectNode object)) {
      throw new HttpProblem(400, "bad_json", "the body must be one JSON object");
    }
    Set<String> unknown = new TreeSet<>();
    object.fieldNames().forEachRemaining(unknown::add);
    unknown.removeAll(known);
    if (!unknown.isEmpty()) {
      throw new HttpProblem(
          400,
          "unknown_field",
          "unknown: " + String.join(", ", unknown) + "; known are " + new TreeSet<>(known));
    }
    return new JsonBody(object);
  }

  /** A text that must be there. */
  public String text(String field) {
    return optionalText(field)
        .orElseThrow(
            () -> new HttpProblem(400, "missing_field", field + " is missing; it must be a text"));
  }

  public Optional<String> optionalText(String field) {
    JsonNode value = node.get(field);
    if (value == null || value.isNull()) {
      return Optional.empty();
    }
    if (!value.isTextual() || value.textValue().isBlank()) {
      throw new HttpProblem(400, "bad_field", field + " must be a text, and not blank");
    }
    return Optional.of(value.textValue());
  }

  public boolean flag(String field) {
    JsonNode value = node.get(field);
    if (value == null || !value.isBoolean()) {
      throw new HttpProblem(400, "bad_field", field + " must be true or false");
    }
    return value.booleanValue();
  }

  /** True when the field is there and not null. */
  public boolean has(String field) {
    return node.hasNonNull(field);
  }

  /** A whole number from {@code least} to {@code most}. */
  public Optional<Integer> optionalNumber(String field, int least, int most) {
    JsonNode value = node.get(field);
    if (value == null || value.isNull()) {
      return Optional.empty();
    }
    if (!value.canConvertToExactIntegral()
        || !value.canConvertToInt()
        || value.intValue() < least
        || value.intValue() > most) {
      throw new HttpProblem(
          400, "bad_field", field + " must be a whole number from " + least + " to " + most);
    }
    return Optional.of(value.intValue());
  }

  /** A list of JSON objects; empty when it is not there. */
  public List<ObjectNode> objects(String field) {
    JsonNode value = node.get(field);
    if (value == null || value.isNull()) {
      return List.of();
    }
    List<ObjectNode> objects = new ArrayList<>();
    for (JsonNode one : value) {
      if (one instanceof ObjectNode object) {
        objects.add(object);
      }
    }
    if (!value.isArray() || objects.size() != value.size()) {
      throw new HttpProblem(400, "bad_field", field + " must be a list of JSON objects");
    }
    return objects;
  }

  public Optional<ObjectNode> object(String field) {
    JsonNode value = node.get(field);
    if (value == null || value.isNull()) {
      return Optional.empty();
    }
    if (!(value instanceof ObjectNode object)) {
      throw new HttpProblem(400, "bad_field", field + " must be a JSON object");
    }
    return Optional.of(object);
  }
}

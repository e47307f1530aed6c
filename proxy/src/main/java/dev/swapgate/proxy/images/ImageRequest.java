package dev.swapgate.proxy.images;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.swapgate.proxy.workflows.Workflow;
import dev.swapgate.proxy.workflows.Workflows;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A request for pictures.
 *
 * @param count how many jobs it makes
 * @param values what was given, by the names of the workflow's inputs
 * @param digest the same for requests that say the same, however they are written
 */
record ImageRequest(Workflow workflow, int count, Map<String, String> values, String digest) {

  /** OpenAI's own bound. */
  private static final int MOST = 10;

  private static final Pattern SIZE = Pattern.compile("(\\d{1,5})x(\\d{1,5})");

  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
          .build();

  /** The workflow that a request names as its model; empty when it names none. */
  static Optional<Workflow> named(byte[] body, Workflows workflows) {
    try {
      return workflows.find(JSON.readTree(body).path("model").asText(""));
    } catch (IOException notJson) {
      return Optional.empty();
    }
  }

  /**
   * @throws Refused when it asks for what cannot be given
   */
  static ImageRequest of(byte[] body, Workflow workflow) {
    ObjectNode json = object(body);
    Map<String, String> values = new HashMap<>();
    for (Map.Entry<String, JsonNode> field : json.properties()) {
      // Clients send all sorts of fields; those count that the owner of the box named.
      if (workflow.input(field.getKey()).isPresent() && field.getValue().isValueNode()) {
        if (!field.getValue().isNull()) {
          values.put(field.getKey(), field.getValue().asText());
        }
      }
    }
    String prompt = json.path("prompt").asText("");
    if (!prompt.isEmpty() && workflow.input("prompt").isEmpty()) {
      throw Refused.invalid(
          400,
          "no_prompt_input",
          workflow.name() + " has no input prompt; " + workflow.inputNames());
    }
    String format = json.path("response_format").asText("b64_json");
    if (!format.equals("b64_json")) {
      throw Refused.invalid(
          400,
          "unsupported_response_format",
          "response_format must be b64_json: swapgate serves no addresses of pictures; was "
              + format);
    }
    if (json.path("stream").asBoolean(false)) {
      throw Refused.invalid(400, "unsupported_stream", "pictures come whole: leave stream out");
    }
    size(json.path("size").asText("auto"), workflow, values);
    return new ImageRequest(workflow, count(json.path("n")), values, digest(json));
  }

  private static ObjectNode object(byte[] body) {
    try {
      if (JSON.readTree(body) instanceof ObjectNode object) {
        return object;
      }
    } catch (IOException e) {
      // Told below; a body that named a model was JSON.
    }
    throw Refused.invalid(400, "bad_json", "the body must be one JSON object");
  }

  private static int count(JsonNode n) {
    if (n.isMissingNode() || n.isNull()) {
      return 1;
    }
    if (!n.canConvertToInt() || n.intValue() < 1 || n.intValue() > MOST) {
      throw Refused.invalid(400, "bad_n", "n must be a whole number from 1 to " + MOST);
    }
    return n.intValue();
  }

  /** A workflow without inputs for it has a size of its own, which then counts. */
  private static void size(String size, Workflow workflow, Map<String, String> values) {
    Matcher sides = SIZE.matcher(size);
    if (sides.matches()) {
      workflow.input("width").ifPresent(input -> values.putIfAbsent("width", sides.group(1)));
      workflow.input("height").ifPresent(input -> values.putIfAbsent("height", sides.group(2)));
    } else if (!size.equals("auto") && !size.isEmpty()) {
      throw Refused.invalid(400, "bad_size", "size must be like 1024x768, or auto; was " + size);
    }
  }

  private static String digest(ObjectNode json) {
    try {
      String canonical = JSON.writeValueAsString(JSON.treeToValue(json, Map.class));
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(canonical.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, 16);
    } catch (JsonProcessingException | NoSuchAlgorithmException never) {
      throw new IllegalStateException("a tree is always JSON, and every Java has SHA-256", never);
    }
  }
}

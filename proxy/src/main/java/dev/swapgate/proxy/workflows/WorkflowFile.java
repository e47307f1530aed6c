package dev.swapgate.proxy.workflows;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Reads the document of a job: JSON, or a picture of ComfyUI's with its graph inside. */
public final class WorkflowFile {

  /** Far above any workflow; the admin API takes less. */
  private static final int MAX_BYTES = 16 << 20;

  /** Numbers keep their digits: a seed may be larger than a double can hold. */
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private WorkflowFile() {}

  /**
   * @throws WorkflowException when it holds no JSON object
   * @throws IOException when it cannot be read
   */
  public static ObjectNode read(InputStream in) throws IOException {
    BufferedInputStream bytes = new BufferedInputStream(in);
    bytes.mark(PngGraph.SIGNATURE.length);
    boolean picture = PngGraph.begins(bytes.readNBytes(PngGraph.SIGNATURE.length));
    bytes.reset();
    return picture ? PngGraph.read(bytes) : json(bytes);
  }

  private static ObjectNode json(InputStream in) throws IOException {
    byte[] bytes = in.readNBytes(MAX_BYTES + 1);
    if (bytes.length > MAX_BYTES) {
      throw new WorkflowException("is larger than 16 MiB");
    }
    if (bytes.length > 0 && (bytes[0] == (byte) 0xff || bytes[0] == 'R' || bytes[0] == 'G')) {
      throw new WorkflowException(
          "is neither JSON nor a PNG; of pictures only the PNGs that ComfyUI makes can be read");
    }
    return object(new String(bytes, StandardCharsets.UTF_8));
  }

  static ObjectNode object(String text) {
    JsonNode node;
    try {
      node = JSON.readTree(text);
    } catch (JsonProcessingException e) {
      String at =
          e.getLocation() == null
              ? ""
              : " at line "
                  + e.getLocation().getLineNr()
                  + ", column "
                  + e.getLocation().getColumnNr();
      throw new WorkflowException("is not JSON" + at + ": " + e.getOriginalMessage());
    }
    if (node instanceof ObjectNode object) {
      return object;
    }
    throw new WorkflowException(
        "must hold one JSON object; it holds "
            + (node.isMissingNode()
                ? "nothing"
                : "one " + node.getNodeType().name().toLowerCase(Locale.ROOT)));
  }
}

package dev.swapgate.proxy.workflows;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.zip.InflaterInputStream;

/**
 * The graph that ComfyUI writes into its pictures: a text chunk {@code prompt}, as PNG has them
 * plain (tEXt), compressed (zTXt) or in UTF-8 (iTXt). Sums are not checked: JSON is.
 */
final class PngGraph {

  static final byte[] SIGNATURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

  /** Of one text, as it stands in the file and after it was unpacked. */
  private static final int MAX_TEXT = 16 << 20;

  /** A large picture has some thousand. */
  private static final int MAX_CHUNKS = 1_000_000;

  /** ComfyUI writes NaN where it looked whether a node had changed. */
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  private PngGraph() {}

  static boolean begins(byte[] bytes) {
    return Arrays.equals(bytes, SIGNATURE);
  }

  static ObjectNode read(InputStream picture) throws IOException {
    Set<String> others = new HashSet<>();
    DataInputStream in = new DataInputStream(picture);
    in.skipNBytes(SIGNATURE.length);
    try {
      for (int chunks = 0; chunks < MAX_CHUNKS; chunks++) {
        int length = in.readInt();
        String type = new String(in.readNBytes(4), StandardCharsets.ISO_8859_1);
        if (length < 0 || type.equals("IEND")) {
          break;
        }
        boolean text = type.equals("tEXt") || type.equals("zTXt") || type.equals("iTXt");
        if (text && length <= MAX_TEXT) {
          byte[] content = in.readNBytes(length);
          String keyword = keyword(content);
          if (keyword.equals("prompt")) {
            return graph(text(type, content));
          }
          others.add(keyword);
        } else {
          in.skipNBytes(length);
        }
        in.skipNBytes(4);
      }
    } catch (EOFException cutShort) {
      // What was looked for may stand behind the cut; that it was not found is told below.
    }
    throw new WorkflowException(
        others.contains("workflow")
            ? "holds only the editor's form of its workflow, which ComfyUI's server does not"
                + " accept: open it in ComfyUI, choose Workflow → Export (API) and take that file"
            : "is a picture without a workflow in it: not made by ComfyUI, or its metadata was"
                + " removed on the way");
  }

  private static String keyword(byte[] content) {
    return new String(content, 0, end(content, 0), StandardCharsets.ISO_8859_1);
  }

  /** Of what begins there and ends with a zero. */
  private static int end(byte[] content, int from) {
    int end = from;
    while (end < content.length && content[end] != 0) {
      end++;
    }
    return end;
  }

  private static String text(String type, byte[] content) throws IOException {
    int at = end(content, 0) + 1;
    return switch (type) {
      case "tEXt" -> plain(content, at, StandardCharsets.ISO_8859_1);
      case "zTXt" -> unpacked(content, at + 1, StandardCharsets.ISO_8859_1);
      default -> {
        boolean packed = at < content.length && content[at] == 1;
        int translated = end(content, at + 2) + 1;
        int begin = end(content, translated) + 1;
        yield packed
            ? unpacked(content, begin, StandardCharsets.UTF_8)
            : plain(content, begin, StandardCharsets.UTF_8);
      }
    };
  }

  private static String plain(byte[] content, int from, Charset charset) {
    int begin = Math.min(from, content.length);
    return new String(content, begin, content.length - begin, charset);
  }

  private static String unpacked(byte[] content, int from, Charset charset) throws IOException {
    int begin = Math.min(from, content.length);
    try (InflaterInputStream in =
        new InflaterInputStream(new ByteArrayInputStream(content, begin, content.length - begin))) {
      byte[] text = in.readNBytes(MAX_TEXT + 1);
      if (text.length > MAX_TEXT) {
        throw new WorkflowException("holds a workflow of more than 16 MiB");
      }
      return new String(text, charset);
    }
  }

  private static ObjectNode graph(String text) {
    try {
      if (JSON.readTree(text) instanceof ObjectNode graph) {
        graph.forEach(
            node -> {
              if (node instanceof ObjectNode one) {
                one.remove("is_changed");
              }
            });
        return graph;
      }
    } catch (JsonProcessingException notJson) {
      // Told below: whose bytes these are is not known.
    }
    throw new WorkflowException("is a picture whose text 'prompt' is no workflow of ComfyUI's");
  }
}

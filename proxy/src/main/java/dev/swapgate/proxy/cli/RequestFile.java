package dev.swapgate.proxy.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** The JSON file of a job. Mistakes that show here are told before anything is sent. */
final class RequestFile {

  /** Far above any workflow; the admin API takes less. */
  private static final int MAX_BYTES = 16 * 1024 * 1024;

  private RequestFile() {}

  /**
   * @param name a path, or {@code -} for standard input
   */
  static JsonNode read(Terminal terminal, String name) {
    String where = name.equals("-") ? "standard input" : name;
    String text = text(terminal, name, where);
    JsonNode node;
    try {
      node = Json.parse(text);
    } catch (JsonProcessingException e) {
      String at =
          e.getLocation() == null
              ? ""
              : " at line "
                  + e.getLocation().getLineNr()
                  + ", column "
                  + e.getLocation().getColumnNr();
      throw new CliException(
          ExitCode.REFUSED, where + " is not JSON" + at + ": " + e.getOriginalMessage(), e);
    }
    if (!node.isObject()) {
      throw new CliException(
          ExitCode.REFUSED, where + " must hold one JSON object; it holds " + kind(node));
    }
    return node;
  }

  /** True for a ComfyUI workflow, in either of its formats; the server tells the wrong one. */
  static boolean isWorkflow(JsonNode node) {
    if (node.path("nodes").isArray()) {
      return true;
    }
    return !node.isEmpty()
        && node.properties().stream().allMatch(entry -> entry.getValue().has("class_type"));
  }

  private static String text(Terminal terminal, String name, String where) {
    Path path = terminal.folder().resolve(name);
    try (InputStream in = name.equals("-") ? terminal.in() : Files.newInputStream(path)) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        throw new CliException(ExitCode.REFUSED, where + " is larger than 16 MiB");
      }
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new CliException(
          ExitCode.REFUSED,
          Files.exists(path)
              ? "cannot read " + path + " (" + e.getClass().getSimpleName() + "); check its rights"
              : "there is no file " + path + "; check the path",
          e);
    }
  }

  private static String kind(JsonNode node) {
    return node.isMissingNode()
        ? "nothing"
        : "one " + node.getNodeType().name().toLowerCase(Locale.ROOT);
  }
}

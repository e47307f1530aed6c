package dev.swapgate.proxy.clients;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The JavaScript libraries of {@code src/test/clients} in one process of Node, which ends at the
 * latest when this is closed. For one caller; the ends of its calls come from another thread.
 */
public final class NodeLibraries implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Path SOURCE = Path.of("src/test/clients");

  private final Process node;
  private final Writer asked;
  private final Path log;
  private final Map<String, CompletableFuture<String>> ends = new ConcurrentHashMap<>();

  /**
   * Whether {@code scripts/test} has installed those libraries, which it does where Node and npm
   * are or can be had.
   */
  public static boolean areInstalled() throws IOException {
    return Files.isDirectory(place().resolve("node_modules"));
  }

  /** A folder for each lock file, so that other versions are never mixed in. */
  private static Path place() throws IOException {
    try {
      byte[] lock = Files.readAllBytes(SOURCE.resolve("package-lock.json"));
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(lock);
      return Path.of("target/clients", HexFormat.of().formatHex(digest).substring(0, 16));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }

  /** Starts Node. */
  public NodeLibraries() throws IOException {
    Path script = place().resolve("calls.mjs");
    Files.copy(SOURCE.resolve("calls.mjs"), script, StandardCopyOption.REPLACE_EXISTING);
    this.log = place().resolve("node.log");
    this.node =
        new ProcessBuilder("node", script.toAbsolutePath().toString())
            .redirectError(log.toFile())
            .start();
    this.asked = node.outputWriter(StandardCharsets.UTF_8);
    Thread.ofVirtual().name("node-ends").start(this::read);
  }

  /**
   * Begins a call.
   *
   * @param library its name in {@code calls.mjs}
   * @return the text of the answer, or {@code threw: } and what the library threw
   */
  public CompletableFuture<String> call(String library, String base, boolean stream) {
    String id = Integer.toString(ends.size());
    CompletableFuture<String> end = new CompletableFuture<>();
    ends.put(id, end);
    try {
      asked.write(
          JSON.createObjectNode()
                  .put("id", id)
                  .put("library", library)
                  .put("stream", stream)
                  .put("base", base)
              + "\n");
      asked.flush();
      return end;
    } catch (IOException e) {
      throw new UncheckedIOException("Node takes no calls; it said " + said(), e);
    }
  }

  private void read() {
    try (BufferedReader lines = node.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        JsonNode end = JSON.readTree(line);
        ends.get(end.path("id").asText())
            .complete(
                end.has("text")
                    ? end.path("text").asText()
                    : "threw: " + end.path("error").asText());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("what Node said could not be read", e);
    } finally {
      String early = "threw: Node ended before the call did; it said " + said();
      ends.values().forEach(end -> end.complete(early));
    }
  }

  private String said() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return "what could not be read: " + e;
    }
  }

  @Override
  public void close() {
    node.destroyForcibly();
  }
}

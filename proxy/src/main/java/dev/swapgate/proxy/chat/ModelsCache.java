package dev.swapgate.proxy.chat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.swapgate.gate.core.Backend;
import dev.swapgate.proxy.forward.ResponseHead;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last good answers of the few GETs without which clients drop a model: Open WebUI answers 404
 * and others lose the context length. Given out while the card is away; kept in a file, so that a
 * restart in the middle of a swap does not forget them. Bounded in number and size. Thread-safe.
 */
final class ModelsCache {

  private static final Logger LOG = LoggerFactory.getLogger(ModelsCache.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Set<String> PATHS =
      Set.of("/v1/models", "/props", "/version", "/api/tags", "/api/version");
  private static final String ONE_MODEL = "/v1/models/";
  private static final int MAX_ENTRIES = 64;
  private static final int MAX_BYTES = 256 * 1024;
  private static final int LONGEST_PATH = 300;
  private static final int FILE_VERSION = 1;

  /**
   * One answer that was 200.
   *
   * @param body a character for each byte
   */
  record Remembered(String contentType, String body) {
    byte[] bytes() {
      return body.getBytes(StandardCharsets.ISO_8859_1);
    }
  }

  /** The file: version, then answers by engine and path. */
  record Stored(int version, Map<String, Remembered> answers) {}

  private final Path file;
  private final Map<String, Remembered> answers =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Remembered> eldest) {
          return size() > MAX_ENTRIES;
        }
      };

  private ModelsCache(Path file) {
    this.file = file;
  }

  /** Begins with what the file holds; an unreadable file is as good as none. */
  static ModelsCache open(Path stateDir) {
    ModelsCache cache = new ModelsCache(stateDir.resolve("models-cache.json"));
    cache.load();
    return cache;
  }

  static boolean concerns(ChatRequest request) {
    return request.method().equals("GET")
        && request.target().equals(request.path())
        && request.path().length() <= LONGEST_PATH
        && (PATHS.contains(request.path())
            || (request.path().startsWith(ONE_MODEL)
                && request.path().length() > ONE_MODEL.length()));
  }

  /** What the engine last said. */
  synchronized Optional<Remembered> find(Backend.Id engine, String path) {
    return Optional.ofNullable(answers.get(key(engine, path)));
  }

  /** Takes a copy of the answer if it is one of those. */
  AnswerCopy copyOf(ChatRequest request, Backend.Id engine, ResponseHead head) {
    boolean wanted = head.status() == 200 && head.isPlainText() && concerns(request);
    return wanted
        ? new Copy(
            key(engine, request.path()), head.first("Content-Type").orElse("application/json"))
        : AnswerCopy.NONE;
  }

  private static String key(Backend.Id engine, String path) {
    return engine.value() + " " + path;
  }

  private final class Copy implements AnswerCopy {
    private final String key;
    private final String contentType;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private boolean tooLarge;

    Copy(String key, String contentType) {
      this.key = key;
      this.contentType = contentType;
    }

    @Override
    public void add(ByteBuffer part) {
      tooLarge |= bytes.size() + part.remaining() > MAX_BYTES;
      if (!tooLarge) {
        byte[] piece = new byte[part.remaining()];
        part.get(piece);
        bytes.writeBytes(piece);
      }
    }

    @Override
    public void complete() {
      if (!tooLarge) {
        remember(key, new Remembered(contentType, bytes.toString(StandardCharsets.ISO_8859_1)));
      }
    }
  }

  private void remember(String key, Remembered entry) {
    synchronized (this) {
      Remembered before = answers.put(key, entry);
      if (entry.equals(before)) {
        return;
      }
    }
    Thread.ofVirtual().name("swapgate-models-cache").start(this::save);
  }

  private synchronized void save() {
    Path next = file.resolveSibling(file.getFileName() + ".new");
    try {
      JSON.writeValue(next.toFile(), new Stored(FILE_VERSION, answers));
      Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      LOG.warn("event=models_cache_not_saved file={} why=\"{}\"", file, e.getMessage());
    }
  }

  private synchronized void load() {
    if (!Files.exists(file)) {
      return;
    }
    try {
      Stored stored = JSON.readValue(file.toFile(), Stored.class);
      if (stored.version() == FILE_VERSION) {
        answers.putAll(stored.answers());
      }
    } catch (IOException e) {
      LOG.warn(
          "event=models_cache_not_read file={} why=\"{}\"", file, e.getClass().getSimpleName());
    }
  }
}

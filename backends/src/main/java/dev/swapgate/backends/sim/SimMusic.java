package dev.swapgate.backends.sim;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The API server of ACE-Step 1.5 without the model: submit, ask for the result, fetch the audio.
 * Memory as {@link SimComfyUi}. A prompt steers it: {@code sim:refuse} is refused inside an HTTP
 * 200, {@code sim:error} fails, {@code sim:hang} never gets on, {@code sim:crash} ends the process.
 */
public final class SimMusic implements AutoCloseable {
  private static final int IDLE_MIB = 500;
  private static final int JOB_MIB = 14_000;
  private static final int PORT = 8001;

  /** As the real one. */
  private static final int QUEUE = 200;

  private final SimServer server;
  private final String apiKey;
  private final int jobMib;
  private final Duration stepTime;
  private final Path folder;
  private final BlockingQueue<MusicTask> queue;
  private final Map<String, MusicTask> tasks = new ConcurrentHashMap<>();
  private final Thread worker;

  /**
   * Claims the idle memory.
   *
   * @throws CardException.Full when the card has not got it
   */
  public SimMusic(SimSettings settings) {
    this.server = new SimServer(settings, "music", PORT, settings.number("SIM_IDLE_MIB", IDLE_MIB));
    this.apiKey = settings.text("SIM_API_KEY", "");
    this.jobMib = settings.number("SIM_JOB_MIB", JOB_MIB);
    this.stepTime = settings.duration("SIM_STEP_TIME", Duration.ofMillis(50));
    this.queue = new ArrayBlockingQueue<>(settings.number("SIM_QUEUE", QUEUE));
    this.folder = SimComfyUi.folder(settings, server.name()).toAbsolutePath().normalize();
    this.worker = Thread.ofPlatform().daemon().name("sim-music-worker").start(this::work);
  }

  public static void main(String[] arguments) {
    SimServer.begin(
        () -> {
          SimMusic music = new SimMusic(SimSettings.ofThisProcess());
          music.server.onTerminate(() -> 0);
          music.open();
        });
  }

  /** Loads and serves; returns when ready. */
  public SimMusic open() {
    server.open(this::handle, false);
    return this;
  }

  public int port() {
    return server.port();
  }

  @Override
  public void close() {
    server.close();
    worker.interrupt();
    try {
      // Who closes it may remove its folder next, where a task would still save.
      worker.join(Duration.ofSeconds(5));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The bytes of the file that this request gives, the index counting from 0 within its batch. */
  public static byte[] expectedAudio(String prompt, String lyrics, long seed, int index) {
    return Sound.wav(prompt + "\n" + lyrics + "\n" + seed + "\n" + index);
  }

  private void work() {
    try {
      while (true) {
        run(queue.take());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run(MusicTask task) {
    try {
      server.claim().ifPresent(held -> held.resize(jobMib));
    } catch (CardException.Full e) {
      task.failed("CUDA out of memory. " + e.getMessage());
      return;
    }
    for (int step = 0; step < task.steps; step++) {
      if (task.prompt.contains("sim:crash")) {
        SimServer.exit(139);
      }
      if (task.prompt.contains("sim:hang")) {
        Pause.forEver();
      }
      if (task.prompt.contains("sim:error")) {
        task.failed("a failure was asked for by the prompt");
        return;
      }
      Pause.of(stepTime);
      if (Thread.currentThread().isInterrupted()) {
        return;
      }
      task.progress((step + 1.0) / task.steps);
    }
    List<String> links = new ArrayList<>();
    for (int i = 0; i < task.batch; i++) {
      links.add(save(task, i));
    }
    task.succeeded(links);
  }

  private String save(MusicTask task, int index) {
    Path file = folder.resolve(task.id + "-" + index + ".wav");
    try {
      Files.createDirectories(folder);
      Files.write(file, expectedAudio(task.prompt, task.lyrics, task.seed, index));
    } catch (IOException e) {
      throw new UncheckedIOException("could not save " + file, e);
    }
    return "/v1/audio?path=" + URLEncoder.encode(file.toString(), StandardCharsets.UTF_8);
  }

  private void handle(HttpExchange exchange) throws IOException {
    HttpRequest request = exchange.request();
    String route = request.method() + " " + request.path();
    if (route.equals("GET /health")) {
      ok(
          exchange,
          Json.object(
              "status", "ok",
              "service", "ACE-Step API",
              "version", "1.0",
              "models_initialized", true));
      return;
    }
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    if (request.method().equals("POST") && !readFields(request, fields)) {
      detail(exchange, 415, "Unsupported Content-Type");
    } else if (!keyFits(request, fields)) {
      detail(exchange, 401, "Missing or invalid API key");
    } else {
      switch (route) {
        case "POST /release_task" -> release(exchange, fields);
        case "POST /query_result" -> query(exchange, fields);
        case "GET /v1/audio" -> audio(exchange);
        case "GET /v1/stats" ->
            ok(
                exchange,
                Json.object("jobs", Json.object("total", tasks.size(), "queued", queue.size())));
        default -> detail(exchange, 404, "Not Found");
      }
    }
  }

  private static boolean readFields(HttpRequest request, Map<String, @Nullable Object> fields) {
    String type = request.header("Content-Type").orElse("");
    if (type.startsWith("application/json")) {
      fields.putAll(Json.asObject(Json.parse(request.bodyText())));
    } else if (type.startsWith("multipart/form-data")) {
      Multipart.of(request).parts().forEach(part -> fields.put(part.name(), part.text()));
    } else if (type.startsWith("application/x-www-form-urlencoded")) {
      for (String pair : request.bodyText().split("&")) {
        String name = pair.split("=", 2)[0];
        HttpRequest.formField(pair, name).ifPresent(value -> fields.put(name, value));
      }
    } else {
      return false;
    }
    return true;
  }

  private boolean keyFits(HttpRequest request, Map<String, @Nullable Object> fields) {
    return apiKey.isEmpty()
        || apiKey.equals(fields.get("ai_token"))
        || request.header("Authorization").orElse("").equals("Bearer " + apiKey);
  }

  private void release(HttpExchange exchange, Map<String, @Nullable Object> fields)
      throws IOException {
    MusicTask task = new MusicTask(UUID.randomUUID().toString(), fields);
    if (task.prompt.contains("sim:refuse")) {
      exchange.json(200, envelope(null, 500, "the request was refused as its prompt asked"));
      return;
    }
    tasks.put(task.id, task);
    if (!queue.offer(task)) {
      tasks.remove(task.id);
      detail(exchange, 429, "Server busy: queue is full");
      return;
    }
    ok(
        exchange,
        Json.object("task_id", task.id, "status", "queued", "queue_position", queue.size()));
  }

  private void query(HttpExchange exchange, Map<String, @Nullable Object> fields)
      throws IOException {
    Object asked = fields.get("task_id_list");
    List<@Nullable Object> ids =
        Json.asList(asked instanceof String text ? Json.parse(text) : asked);
    List<Map<String, @Nullable Object>> entries = new ArrayList<>();
    for (Object id : ids) {
      MusicTask task = tasks.get(String.valueOf(id));
      // A task it does not know, after a restart for one, looks as if it were still under way.
      entries.add(
          task == null
              ? Json.object("task_id", id, "status", MusicTask.UNDER_WAY, "result", "[]")
              : task.entry());
    }
    ok(exchange, entries);
  }

  private static final Pattern OWN_FILE = Pattern.compile("[0-9a-f-]{36}-\\d\\.wav");

  private void audio(HttpExchange exchange) throws IOException {
    Path file = Path.of(exchange.request().query("path").orElse("")).normalize();
    Optional<Path> name = Optional.ofNullable(file.getFileName());
    if (!file.startsWith(folder)) {
      detail(exchange, 403, "Access denied: path outside allowed directory");
    } else if (name.isEmpty()
        || !OWN_FILE.matcher(name.get().toString()).matches()
        || !Files.isRegularFile(file)) {
      detail(exchange, 404, "Audio file not found");
    } else {
      exchange.reply(200, "audio/wav", Files.readAllBytes(file));
    }
  }

  private static void ok(HttpExchange exchange, @Nullable Object data) throws IOException {
    exchange.json(200, envelope(data, 200, null));
  }

  private static void detail(HttpExchange exchange, int status, String text) throws IOException {
    exchange.json(status, Json.object("detail", text));
  }

  private static Map<String, @Nullable Object> envelope(
      @Nullable Object data, int code, @Nullable String error) {
    return Json.object(
        "data", data,
        "code", code,
        "error", error,
        "timestamp", System.currentTimeMillis(),
        "extra", null);
  }
}

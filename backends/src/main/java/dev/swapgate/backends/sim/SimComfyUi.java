package dev.swapgate.backends.sim;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * ComfyUI without torch: an idle context's memory at the first instruction, the rest at the first
 * job, and the idle context again after {@code /free}. It validates, queues, caches, interrupts and
 * forgets as the real server does; its pictures are small and follow from the graph alone.
 */
public final class SimComfyUi implements AutoCloseable {
  /** An idle PyTorch context (DESIGN.md, section 2.6). */
  private static final int IDLE_MIB = 500;

  private static final int JOB_MIB = 24_000;
  private static final int PORT = 8188;

  private final SimServer server;
  private final ComfyQueue queue = new ComfyQueue();
  private final ComfyFiles files;
  private final List<String> checkpoints;
  private final boolean old;
  private final AtomicLong numbers = new AtomicLong();
  private final ComfySockets sockets;

  /**
   * Claims the idle memory.
   *
   * @throws CardException.Full when the card has not got it
   */
  public SimComfyUi(SimSettings settings) {
    int idle = settings.number("SIM_IDLE_MIB", IDLE_MIB);
    this.server = new SimServer(settings, "comfyui", PORT, idle);
    this.files = new ComfyFiles(folder(settings, server.name()));
    this.old = settings.flag("SIM_COMFYUI_OLD", false);
    this.checkpoints =
        List.of(
            settings
                .text(
                    "SIM_CHECKPOINTS",
                    "dreamshaper_8.safetensors,sd_xl_base_1.0.safetensors,"
                        + "sd_xl_refiner_1.0.safetensors,v1-5-pruned-emaonly.safetensors")
                .split(",", -1));
    this.sockets =
        new ComfySockets(
            ComfySockets.Manner.valueOf(
                settings.text("SIM_COMFYUI_SOCKET", "honest").toUpperCase(Locale.ROOT)),
            old);
    new ComfyWorker(
            queue,
            sockets,
            files,
            server.claim(),
            idle,
            settings.number("SIM_JOB_MIB", JOB_MIB),
            settings.duration("SIM_STEP_TIME", Duration.ofMillis(20)))
        .start();
  }

  public static void main(String[] arguments) {
    SimServer.begin(
        () -> {
          SimComfyUi comfyUi = new SimComfyUi(SimSettings.ofThisProcess());
          comfyUi.server.onTerminate(() -> 0);
          comfyUi.open();
        });
  }

  /** Loads and serves; returns when ready. */
  public SimComfyUi open() {
    server.open(this::handle, false);
    return this;
  }

  public int port() {
    return server.port();
  }

  /** How many listen on its WebSocket. */
  public int listeners() {
    return sockets.open();
  }

  @Override
  public void close() {
    server.close();
  }

  static Path folder(SimSettings settings, String name) {
    String told = settings.text("SIM_DATA", "");
    try {
      return told.isEmpty() ? Files.createTempDirectory("swapgate-" + name) : Path.of(told);
    } catch (IOException e) {
      throw new UncheckedIOException("could not make a folder for results", e);
    }
  }

  private void handle(HttpExchange exchange) throws IOException {
    HttpRequest request = exchange.request();
    String path = request.path();
    if (crossSite(request)) {
      exchange.text(403, "");
      return;
    }
    if (path.startsWith("/api/jobs")) {
      new ComfyJobsApi(queue, old).handle(exchange, path.substring("/api/jobs".length()));
      return;
    }
    if (path.equals("/ws") || path.equals("/api/ws")) {
      sockets.serve(exchange, queue.remaining());
      return;
    }
    String plain = path.startsWith("/api/") ? path.substring("/api".length()) : path;
    if (request.method().equals("POST")) {
      post(exchange, plain);
    } else {
      read(exchange, plain);
    }
  }

  /** The guard of the real server: a page elsewhere must not post to a loopback address. */
  private static boolean crossSite(HttpRequest request) {
    String host = request.header("Host").orElse("");
    String name = host.replaceAll(":\\d+$", "");
    boolean loopback = name.equals("localhost") || name.startsWith("127.") || name.equals("[::1]");
    Optional<String> origin = request.header("Origin");
    if (!loopback || origin.isEmpty()) {
      return false;
    }
    try {
      return !host.equalsIgnoreCase(URI.create(origin.get()).getRawAuthority());
    } catch (IllegalArgumentException e) {
      return true;
    }
  }

  private void read(HttpExchange exchange, String path) throws IOException {
    switch (path) {
      case "/" -> exchange.reply(200, "text/html", ComfyPage.bytes());
      case "/system_stats" -> exchange.json(200, systemStats());
      case "/queue" ->
          exchange.json(
              200,
              Json.object(
                  "queue_running", queue.running().stream().map(ComfyPrompt::queueEntry).toList(),
                  "queue_pending", queue.pending().stream().map(ComfyPrompt::queueEntry).toList()));
      case "/prompt" ->
          exchange.json(
              200, Json.object("exec_info", Json.object("queue_remaining", queue.remaining())));
      case "/history" -> exchange.json(200, history(queue.finished()));
      case "/view" -> view(exchange);
      case "/features" -> exchange.json(200, Json.object("max_upload_size", 104_857_600));
      case "/object_info" -> exchange.json(200, ComfyObjectInfo.all(checkpoints));
      default -> {
        if (path.startsWith("/history/")) {
          String id = path.substring("/history/".length());
          exchange.json(200, history(queue.finished(id).stream().toList()));
        } else if (path.startsWith("/object_info/")) {
          exchange.json(
              200, ComfyObjectInfo.one(path.substring("/object_info/".length()), checkpoints));
        } else {
          exchange.text(404, "404: Not Found");
        }
      }
    }
  }

  private static Map<String, @Nullable Object> history(List<ComfyPrompt> prompts) {
    Map<String, @Nullable Object> entries = new LinkedHashMap<>();
    prompts.forEach(prompt -> entries.put(prompt.id, prompt.historyEntry()));
    return entries;
  }

  private Map<String, @Nullable Object> systemStats() {
    long mebi = 1024L * 1024;
    long held = server.claim().map(Claim::mib).orElse(0);
    long total = PretendCard.TOTAL_MIB * mebi;
    return Json.object(
        "system",
        Json.object(
            "os",
            "posix",
            "comfyui_version",
            old ? "0.3.64" : "0.38.1",
            "python_version",
            "3.13 (pretended)",
            "argv",
            List.of("main.py", "--listen")),
        "devices",
        List.of(
            Json.object(
                "name",
                "cuda:0 Pretend Card 32 GB",
                "type",
                "cuda",
                "index",
                0,
                "vram_total",
                total,
                "vram_free",
                total - held * mebi,
                "torch_vram_total",
                held * mebi,
                "torch_vram_free",
                0)));
  }

  private void view(HttpExchange exchange) throws IOException {
    HttpRequest request = exchange.request();
    String name = request.query("filename").orElse("");
    String kind = request.query("type").orElse("output");
    String subfolder = request.query("subfolder").orElse("");
    if (name.isEmpty()) {
      exchange.text(404, "");
    } else if (name.startsWith("/") || name.contains("..")) {
      exchange.text(400, "");
    } else if (!List.of("output", "temp", "input").contains(kind)) {
      exchange.text(400, "");
    } else if (files.inside(kind, subfolder).isEmpty()) {
      exchange.text(403, "");
    } else {
      Optional<byte[]> bytes = files.read(kind, subfolder, name);
      if (bytes.isEmpty()) {
        exchange.text(404, "");
      } else {
        exchange
            .with("Content-Disposition", "filename=\"" + Path.of(name).getFileName() + "\"")
            .reply(200, contentType(name), bytes.get());
      }
    }
  }

  static String contentType(String name) {
    return switch (name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT)) {
      case "png" -> "image/png";
      case "wav" -> "audio/wav";
      case "jpg", "jpeg" -> "image/jpeg";
      default -> "application/octet-stream";
    };
  }

  private void post(HttpExchange exchange, String path) throws IOException {
    switch (path) {
      case "/prompt" -> submit(exchange);
      case "/interrupt" -> {
        queue.interrupt(field(exchange, "prompt_id"));
        exchange.text(200, "");
      }
      case "/queue" -> {
        change(exchange, queue::clearPending, queue::deletePending);
        exchange.text(200, "");
      }
      case "/history" -> {
        change(exchange, queue::clearHistory, queue::deleteHistory);
        exchange.text(200, "");
      }
      case "/free" -> {
        queue.freeMemory();
        exchange.text(200, "");
      }
      case "/upload/image", "/upload/mask" -> upload(exchange);
      default -> exchange.text(404, "404: Not Found");
    }
  }

  private static @Nullable String field(HttpExchange exchange, String name) {
    String body = exchange.request().bodyText();
    return body.isBlank() ? null : (String) Json.asObject(Json.parse(body)).get(name);
  }

  private static void change(HttpExchange exchange, Runnable clear, Consumer<String> delete) {
    Map<String, @Nullable Object> body = Json.asObject(Json.parse(exchange.request().bodyText()));
    if (Boolean.TRUE.equals(body.get("clear"))) {
      clear.run();
    }
    Json.asList(body.get("delete")).forEach(id -> delete.accept(String.valueOf(id)));
  }

  private void submit(HttpExchange exchange) throws IOException {
    Map<String, @Nullable Object> body = Json.asObject(Json.parse(exchange.request().bodyText()));
    if (!(body.get("prompt") instanceof Map<?, ?>)) {
      exchange.json(400, simpleError("no_prompt", "No prompt provided"));
      return;
    }
    String id = Json.asText(body.get("prompt_id"), UUID.randomUUID().toString());
    if (!old && !canonical(id)) {
      exchange.json(400, simpleError("invalid_prompt_id", "prompt_id must be a canonical UUID"));
      return;
    }
    Map<String, @Nullable Object> posted = Json.asObject(body.get("prompt"));
    ComfyValidation validation =
        new ComfyValidation(
            ComfyGraph.of(posted), checkpoints, name -> files.input(name).isPresent(), old);
    Optional<Map<String, @Nullable Object>> refusal = validation.refusal(posted);
    if (refusal.isPresent()) {
      exchange.json(400, refusal.get());
      return;
    }
    long counted = numbers.incrementAndGet();
    boolean front = Boolean.TRUE.equals(body.get("front"));
    double number =
        body.get("number") instanceof Number told ? told.doubleValue() : front ? -counted : counted;
    Map<String, @Nullable Object> extra =
        new LinkedHashMap<>(Json.asObject(body.get("extra_data")));
    if (body.containsKey("client_id")) {
      extra.put("client_id", body.get("client_id"));
    }
    queue.add(new ComfyPrompt(id, number, posted, extra, validation.goodOutputs()));
    exchange.json(
        200,
        Json.object("prompt_id", id, "number", number, "node_errors", validation.nodeErrors()));
  }

  private static boolean canonical(String id) {
    try {
      return UUID.fromString(id).toString().equals(id);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static Map<String, @Nullable Object> simpleError(String type, String message) {
    return Json.object(
        "error",
        Json.object(
            "type", type, "message", message, "details", message, "extra_info", Json.object()),
        "node_errors",
        Json.object());
  }

  private void upload(HttpExchange exchange) throws IOException {
    Multipart form = Multipart.of(exchange.request());
    Optional<Multipart.Part> image = form.part("image");
    String kind = form.part("type").map(Multipart.Part::text).orElse("input");
    String subfolder = form.part("subfolder").map(Multipart.Part::text).orElse("");
    String overwrite = form.part("overwrite").map(Multipart.Part::text).orElse("");
    if (image.isEmpty() || image.get().fileName().isEmpty()) {
      exchange.text(400, "");
    } else if (files.inside(kind, subfolder).isEmpty()) {
      exchange.text(400, "");
    } else {
      exchange.json(
          200,
          files.upload(
              kind,
              subfolder,
              image.get().fileName(),
              overwrite.equals("true") || overwrite.equals("1"),
              image.get().bytes()));
    }
  }
}

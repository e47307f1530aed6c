package dev.swapgate.backends.sim;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A chat engine: fills the card at start, aborts when free memory moves while it loads, then speaks
 * the OpenAI, Anthropic and Ollama APIs. Also usable inside a test's own JVM, without a card.
 */
public final class SimEngine implements AutoCloseable {
  /** The design's engine, which leaves 107 MiB of the card: less than any idle context. */
  private static final int MIB = 32_500;

  private static final int PORT = 8000;

  private final SimSettings settings;
  private final SimServer server;
  private final EngineStats stats = new EngineStats();
  private final AtomicLong ids = new AtomicLong();
  private final Generation generation;
  private final String readyPath;
  private final String model;
  private final String apiKey;

  /**
   * Claims the memory.
   *
   * @throws SimServer.LoadFailure when the card has not got it
   */
  public SimEngine(SimSettings settings) {
    this.settings = settings;
    this.server = claimed(settings);
    this.generation = new Generation(settings, server.name(), stats);
    this.readyPath = settings.text("SIM_READY_PATH", "/health");
    this.model = settings.text("SIM_MODEL", server.name() + "-model");
    this.apiKey = settings.text("SIM_API_KEY", "");
  }

  public static void main(String[] arguments) {
    SimServer.begin(
        () -> {
          SimEngine engine = new SimEngine(SimSettings.ofThisProcess());
          engine.server.onTerminate(engine.stats.running::get);
          engine.open();
        });
  }

  /** Loads and serves; returns when ready. */
  public SimEngine open() {
    server.open(this::handle, true);
    return this;
  }

  public int port() {
    return server.port();
  }

  @Override
  public void close() {
    server.close();
  }

  private static SimServer claimed(SimSettings settings) {
    int mib = settings.number("SIM_MIB", MIB);
    try {
      return new SimServer(settings, "engine", PORT, mib);
    } catch (CardException.Full e) {
      throw new SimServer.LoadFailure(
          "ValueError: Free memory on device cuda:0 (%d/%d MiB) on startup is less than desired GPU"
                  .formatted(e.freeMib(), PretendCard.TOTAL_MIB)
              + " memory utilization (%d MiB).".formatted(mib),
          e);
    }
  }

  private void handle(HttpExchange exchange) throws IOException {
    HttpRequest request = exchange.request();
    String path = request.path();
    if (path.equals(readyPath)) {
      exchange.json(200, Json.parse(settings.text("SIM_READY_BODY", "{\"status\":\"ok\"}")));
      return;
    }
    if (path.startsWith("/sim/")) {
      control(exchange, path);
      return;
    }
    stats.httpRequests.incrementAndGet();
    if (path.startsWith("/v1") && !keyFits(request)) {
      exchange.json(401, Json.object("error", "Unauthorized"));
    } else if (path.equals("/echo") || path.startsWith("/echo/")) {
      exchange.json(200, echo(request));
    } else if (request.method().equals("POST")) {
      post(exchange, path);
    } else {
      read(exchange, path);
    }
  }

  private boolean keyFits(HttpRequest request) {
    return apiKey.isEmpty()
        || request.header("Authorization").orElse("").equals("Bearer " + apiKey)
        || request.header("x-api-key").orElse("").equals(apiKey);
  }

  private void control(HttpExchange exchange, String path) throws IOException {
    switch (path) {
      case "/sim/stats" ->
          exchange.json(200, stats.snapshot(server.name(), server.openConnections()));
      case "/sim/exit" -> {
        exchange.json(200, Json.object("exiting", true));
        SimServer.exit(exchange.request().query("code").map(Integer::parseInt).orElse(1));
      }
      default -> notFound(exchange);
    }
  }

  private void post(HttpExchange exchange, String path) throws IOException {
    try {
      String body = exchange.request().bodyText();
      String id = Long.toString(ids.incrementAndGet());
      ChatRequest request = ChatRequest.read(body, model, path.startsWith("/api/"));
      switch (path) {
        case "/v1/chat/completions" ->
            generate(exchange, request, new OpenAiShape(request, id, true));
        case "/v1/completions" -> generate(exchange, request, new OpenAiShape(request, id, false));
        case "/v1/messages" -> generate(exchange, request, new AnthropicShape(request, id));
        case "/api/chat" -> generate(exchange, request, new OllamaShape(request, true));
        case "/api/generate" -> generate(exchange, request, new OllamaShape(request, false));
        default -> notFound(exchange);
      }
    } catch (Json.Malformed e) {
      error(exchange, 400, "BadRequestError", e.getMessage());
    }
  }

  private void generate(HttpExchange exchange, ChatRequest request, ReplyShape shape)
      throws IOException {
    if (settings.flag("SIM_STRICT_MODEL", false) && !request.model().equals(model)) {
      error(exchange, 404, "NotFoundError", "The model `" + request.model() + "` does not exist.");
      return;
    }
    generation.answer(exchange, request, shape);
  }

  private void read(HttpExchange exchange, String path) throws IOException {
    switch (path) {
      case "/v1/models" ->
          exchange.json(200, Json.object("object", "list", "data", List.of(modelCard())));
      case "/api/tags", "/api/ps" ->
          exchange.json(200, Json.object("models", List.of(ollamaModel())));
      case "/api/version", "/version" -> exchange.json(200, Json.object("version", "0.1.0-sim"));
      case "/props" ->
          exchange.json(
              200,
              Json.object(
                  "default_generation_settings",
                  Json.object("n_ctx", 32_768),
                  "total_slots",
                  1,
                  "model_alias",
                  model));
      default -> {
        if (path.equals("/v1/models/" + model)) {
          exchange.json(200, modelCard());
        } else {
          notFound(exchange);
        }
      }
    }
  }

  private Map<String, @Nullable Object> modelCard() {
    return Json.object(
        "id",
        model,
        "object",
        "model",
        "created",
        1_700_000_000,
        "owned_by",
        server.name(),
        "max_model_len",
        32_768);
  }

  private Map<String, @Nullable Object> ollamaModel() {
    return Json.object(
        "name",
        model,
        "model",
        model,
        "modified_at",
        "2023-11-14T22:13:20Z",
        "size",
        1L,
        "digest",
        Digest.hex(model.getBytes(java.nio.charset.StandardCharsets.UTF_8)),
        "details",
        Json.object("family", "sim"));
  }

  private static Map<String, @Nullable Object> echo(HttpRequest request) {
    return Json.object(
        "method", request.method(),
        "target", request.target(),
        "version", request.version(),
        "headers",
            request.headers().stream()
                .map(header -> List.of(header.name(), header.value()))
                .toList(),
        "framing", request.framing(),
        "body_length", request.body().length,
        "body_sha256", Digest.hex(request.body()));
  }

  private static void notFound(HttpExchange exchange) throws IOException {
    exchange.json(404, Json.object("detail", "Not Found"));
  }

  private static void error(
      HttpExchange exchange, int status, String type, @Nullable String message) throws IOException {
    exchange.json(
        status,
        Json.object(
            "error", Json.object("message", message, "type", type, "param", null, "code", status)));
  }
}

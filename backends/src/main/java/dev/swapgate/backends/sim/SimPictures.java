package dev.swapgate.backends.sim;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The API of A1111 and Forge ({@code --api}) without the model: one call gives its pictures as
 * base64 inside JSON. One job at a time; a client that leaves changes nothing, {@code
 * /sdapi/v1/interrupt} does. A prompt steers it: {@code sim:oom} fails with the server's own 500,
 * {@code sim:hang} never gets on, {@code sim:crash} ends the process.
 */
public final class SimPictures implements AutoCloseable {
  private static final int IDLE_MIB = 500;
  private static final int JOB_MIB = 12_000;
  private static final int PORT = 7860;

  private final SimServer server;
  private final int jobMib;
  private final Duration stepTime;
  private volatile int jobs;
  private volatile double progress;
  private volatile boolean interrupted;

  /**
   * Claims the idle memory.
   *
   * @throws CardException.Full when the card has not got it
   */
  public SimPictures(SimSettings settings) {
    this.server =
        new SimServer(settings, "pictures", PORT, settings.number("SIM_IDLE_MIB", IDLE_MIB));
    this.jobMib = settings.number("SIM_JOB_MIB", JOB_MIB);
    this.stepTime = settings.duration("SIM_STEP_TIME", Duration.ofMillis(20));
  }

  public static void main(String[] arguments) {
    SimServer.begin(
        () -> {
          SimPictures pictures = new SimPictures(SimSettings.ofThisProcess());
          pictures.server.onTerminate(() -> 0);
          pictures.open();
        });
  }

  /** Loads and serves; returns when ready. */
  public SimPictures open() {
    server.open(this::handle, false);
    return this;
  }

  public int port() {
    return server.port();
  }

  @Override
  public void close() {
    interrupted = true;
    server.close();
  }

  /** The bytes of the picture that this request gives, the index counting from 0. */
  public static byte[] expectedPicture(String prompt, long seed, int index) {
    return Picture.png(prompt + "\n" + (seed + index));
  }

  private void handle(HttpExchange exchange) throws IOException {
    HttpRequest request = exchange.request();
    switch (request.method() + " " + request.path()) {
      case "GET /sdapi/v1/progress" -> exchange.json(200, state());
      case "POST /sdapi/v1/interrupt" -> {
        interrupted = true;
        exchange.json(200, Json.object());
      }
      case "POST /sdapi/v1/txt2img", "POST /sdapi/v1/img2img" -> paint(exchange);
      default -> exchange.json(404, Json.object("detail", "Not Found"));
    }
  }

  private Map<String, @Nullable Object> state() {
    Map<String, @Nullable Object> job =
        Json.object("job", jobs > 0 ? "task" : "", "job_count", jobs, "interrupted", interrupted);
    return Json.object("progress", progress, "eta_relative", 0.0, "state", job);
  }

  private void paint(HttpExchange exchange) throws IOException {
    Map<String, @Nullable Object> asked = Json.asObject(Json.parse(exchange.request().bodyText()));
    if (asked.get("steps") instanceof String text) {
      invalid(exchange, "steps", "value is not a valid integer: " + text);
    } else if (exchange.request().path().endsWith("img2img")
        && Json.asList(asked.get("init_images")).isEmpty()) {
      exchange.json(404, Json.object("detail", "Init image not found"));
    } else if (Json.asText(asked.get("sampler_name"), "Euler").equals("none")) {
      exchange.json(404, Json.object("detail", "Sampler not found"));
    } else {
      synchronized (this) {
        painted(exchange, asked);
      }
    }
  }

  private static void invalid(HttpExchange exchange, String field, String message)
      throws IOException {
    exchange.json(
        422,
        Json.object(
            "detail",
            List.of(
                Json.object("loc", List.of("body", field), "msg", message, "type", "type_error"))));
  }

  private void painted(HttpExchange exchange, Map<String, @Nullable Object> asked)
      throws IOException {
    String prompt = Json.asText(asked.get("prompt"), "");
    long steps = Json.asLong(asked.get("steps"), 20);
    long count = Json.asLong(asked.get("batch_size"), 1) * Json.asLong(asked.get("n_iter"), 1);
    jobs = 1;
    interrupted = false;
    try {
      server.claim().ifPresent(held -> held.resize(jobMib));
      if (prompt.contains("sim:oom")) {
        throw new CardException.Full(server.name(), 9_216, 0);
      }
      work(prompt, steps);
      exchange.json(200, answer(asked, prompt, count));
    } catch (CardException.Full e) {
      String words = "CUDA out of memory. " + e.getMessage();
      exchange.json(
          500, Json.object("error", "OutOfMemoryError", "detail", "", "body", "", "errors", words));
    } finally {
      jobs = 0;
      progress = 0;
    }
  }

  /** An interrupted job answers with what it has. */
  private void work(String prompt, long steps) {
    for (long step = 0; step < steps && !interrupted; step++) {
      if (prompt.contains("sim:crash")) {
        SimServer.exit(139);
      }
      do {
        Pause.of(stepTime);
      } while (prompt.contains("sim:hang") && !interrupted);
      progress = (step + 1.0) / steps;
    }
  }

  private static Map<String, @Nullable Object> answer(
      Map<String, @Nullable Object> asked, String prompt, long count) {
    long seed = Json.asLong(asked.get("seed"), -1);
    List<String> images = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      images.add(Base64.getEncoder().encodeToString(expectedPicture(prompt, seed, i)));
    }
    String info = Json.write(Json.object("prompt", prompt, "seed", seed));
    return Json.object("images", images, "parameters", asked, "info", info);
  }
}

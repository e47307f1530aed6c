package dev.swapgate.backends.sim;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * The API of HeartMuLa-Studio without the model: a job is handed in, asked about, and its track
 * downloaded. A job that is given up is told as failed. A prompt steers it: {@code sim:error}
 * fails, {@code sim:hang} never gets on, {@code sim:crash} ends the process.
 */
public final class SimStudio implements AutoCloseable {
  private static final int IDLE_MIB = 500;
  private static final int JOB_MIB = 12_000;
  private static final int PORT = 8000;
  private static final int STEPS = 8;

  private final SimServer server;
  private final int jobMib;
  private final Duration stepTime;
  private final BlockingQueue<Track> queue = new LinkedBlockingQueue<>();
  private final Map<String, Track> tracks = new ConcurrentHashMap<>();
  private final Thread worker;

  private static final class Track {
    final String id = UUID.randomUUID().toString();
    final String prompt;
    final String lyrics;
    volatile String status = "queued";
    volatile @Nullable String error;

    Track(Map<String, @Nullable Object> request) {
      this.prompt = Json.asText(request.get("prompt"), "");
      this.lyrics = Json.asText(request.get("lyrics"), "");
    }

    synchronized boolean end(String state, @Nullable String why) {
      if (!status.equals("queued") && !status.equals("processing")) {
        return false;
      }
      error = why;
      status = state;
      return true;
    }

    synchronized void begin() {
      if (status.equals("queued")) {
        status = "processing";
      }
    }

    Map<String, @Nullable Object> json() {
      return Json.object(
          "id", id,
          "status", status,
          "prompt", prompt,
          "lyrics", lyrics,
          "title", "My song",
          "audio_path", status.equals("completed") ? "/audio/" + id + ".mp3" : null,
          "error_msg", error);
    }
  }

  /**
   * Claims the idle memory.
   *
   * @throws CardException.Full when the card has not got it
   */
  public SimStudio(SimSettings settings) {
    this.server =
        new SimServer(settings, "studio", PORT, settings.number("SIM_IDLE_MIB", IDLE_MIB));
    this.jobMib = settings.number("SIM_JOB_MIB", JOB_MIB);
    this.stepTime = settings.duration("SIM_STEP_TIME", Duration.ofMillis(50));
    this.worker = Thread.ofPlatform().daemon().name("sim-studio-worker").start(this::work);
  }

  public static void main(String[] arguments) {
    SimServer.begin(
        () -> {
          SimStudio studio = new SimStudio(SimSettings.ofThisProcess());
          studio.server.onTerminate(() -> 0);
          studio.open();
        });
  }

  /** Loads and serves; returns when ready. */
  public SimStudio open() {
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
  }

  /** The bytes of the track that this request gives. */
  public static byte[] expectedTrack(String prompt, String lyrics) {
    return Sound.wav(prompt + "\n" + lyrics);
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

  private void run(Track track) {
    track.begin();
    try {
      server.claim().ifPresent(held -> held.resize(jobMib));
    } catch (CardException.Full e) {
      track.end("failed", "CUDA out of memory. " + e.getMessage());
      return;
    }
    for (int step = 0; step < STEPS && track.status.equals("processing"); step++) {
      if (track.prompt.contains("sim:crash")) {
        SimServer.exit(139);
      }
      if (track.prompt.contains("sim:error")) {
        track.end("failed", "a failure was asked for by the prompt");
      }
      do {
        Pause.of(stepTime);
      } while (track.prompt.contains("sim:hang")
          && track.status.equals("processing")
          && !Thread.currentThread().isInterrupted());
    }
    track.end("completed", null);
  }

  private void handle(HttpExchange exchange) throws IOException {
    HttpRequest request = exchange.request();
    String[] path = request.path().substring(1).split("/", -1);
    switch (request.method() + " " + path[0] + " " + path.length) {
      case "GET health 1" -> exchange.json(200, Json.object("status", "ok", "model_loaded", true));
      case "POST generate 2" -> generate(exchange);
      case "GET jobs 2" -> tell(exchange, path[1]);
      case "POST jobs 3" -> cancel(exchange, path[1]);
      case "GET download_track 2" -> download(exchange, path[1]);
      default -> detail(exchange, 404, "Not Found");
    }
  }

  private void generate(HttpExchange exchange) throws IOException {
    Map<String, @Nullable Object> asked = Json.asObject(Json.parse(exchange.request().bodyText()));
    if (!(asked.get("prompt") instanceof String)) {
      detail(exchange, 422, "prompt: Field required");
      return;
    }
    Track track = new Track(asked);
    tracks.put(track.id, track);
    queue.add(track);
    exchange.json(200, Json.object("job_id", track.id, "status", "queued"));
  }

  private void tell(HttpExchange exchange, String id) throws IOException {
    Track track = tracks.get(id);
    if (track == null) {
      detail(exchange, 404, "Job not found");
    } else {
      exchange.json(200, track.json());
    }
  }

  private void cancel(HttpExchange exchange, String id) throws IOException {
    Track track = tracks.get(id);
    if (track == null || !track.end("failed", "Cancelled by user")) {
      detail(exchange, 400, "Job not active or already completed");
    } else {
      exchange.json(200, Json.object("status", "cancelled", "id", id));
    }
  }

  private void download(HttpExchange exchange, String id) throws IOException {
    Track track = tracks.get(id);
    if (track == null || !track.status.equals("completed")) {
      detail(exchange, 404, "Track not found");
    } else {
      exchange.reply(200, "audio/mpeg", expectedTrack(track.prompt, track.lyrics));
    }
  }

  private static void detail(HttpExchange exchange, int status, String text) throws IOException {
    exchange.json(status, Json.object("detail", text));
  }
}

package dev.swapgate.backends.sim;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The two calls of OpenAI's audio API that speech servers offer, without the models: {@code
 * /v1/audio/speech} (as Kokoro-FastAPI) streams audio as it is made, {@code
 * /v1/audio/transcriptions} (as the Whisper servers) takes a file and gives text. The text to speak
 * steers it: {@code sim:cut} breaks the stream off, {@code sim:json} answers 200 with an error in
 * JSON, {@code sim:huge} sends {@value #HUGE_BYTES} bytes, {@code sim:busy} answers 503, {@code
 * sim:hang} never begins.
 */
public final class SimSpeech implements AutoCloseable {
  private static final int IDLE_MIB = 500;
  private static final int JOB_MIB = 3_000;
  private static final int PORT = 8880;

  /** The length of a huge answer. */
  public static final long HUGE_BYTES = 2_000_000_000;

  private static final int PIECE_BYTES = 4_000;
  private static final String VOICE = "af_heart";

  private final SimServer server;
  private final int jobMib;
  private final Duration stepTime;

  /**
   * Claims the idle memory.
   *
   * @throws CardException.Full when the card has not got it
   */
  public SimSpeech(SimSettings settings) {
    this.server =
        new SimServer(settings, "speech", PORT, settings.number("SIM_IDLE_MIB", IDLE_MIB));
    this.jobMib = settings.number("SIM_JOB_MIB", JOB_MIB);
    this.stepTime = settings.duration("SIM_STEP_TIME", Duration.ofMillis(20));
  }

  public static void main(String[] arguments) {
    SimServer.begin(
        () -> {
          SimSpeech speech = new SimSpeech(SimSettings.ofThisProcess());
          speech.server.onTerminate(() -> 0);
          speech.open();
        });
  }

  /** Loads and serves; returns when ready. */
  public SimSpeech open() {
    server.open(this::handle, false);
    return this;
  }

  public int port() {
    return server.port();
  }

  @Override
  public void close() {
    server.close();
  }

  /** The bytes that this text gives. */
  public static byte[] expectedAudio(String text) {
    return Sound.wav(text);
  }

  /** The text that a file of that name and length gives. */
  public static String expectedText(String name, int bytes) {
    return "heard " + bytes + " bytes of " + name;
  }

  private void handle(HttpExchange exchange) throws IOException {
    HttpRequest request = exchange.request();
    switch (request.method() + " " + request.path()) {
      case "GET /health" -> exchange.json(200, Json.object("status", "healthy"));
      case "POST /v1/audio/speech" -> speak(exchange);
      case "POST /v1/audio/transcriptions" -> transcribe(exchange);
      default -> exchange.json(404, Json.object("detail", "Not Found"));
    }
  }

  private void speak(HttpExchange exchange) throws IOException {
    Map<String, @Nullable Object> asked = Json.asObject(Json.parse(exchange.request().bodyText()));
    String text = Json.asText(asked.get("input"), "");
    String voice = Json.asText(asked.get("voice"), VOICE);
    if (text.isBlank()) {
      refuse(exchange, "Input text is empty");
    } else if (!voice.equals(VOICE)) {
      refuse(exchange, "Voice '" + voice + "' not found. Available voices: " + VOICE);
    } else if (text.contains("sim:busy")) {
      exchange.json(503, Json.object("detail", "Model is busy"));
    } else if (text.contains("sim:json")) {
      exchange.json(200, Json.object("error", Json.object("message", "no voice for that")));
    } else {
      server.claim().ifPresent(held -> held.resize(jobMib));
      while (text.contains("sim:hang") && exchange.pause(stepTime)) {
        Thread.onSpinWait();
      }
      stream(exchange, text, Json.asText(asked.get("response_format"), "mp3"));
    }
  }

  private void stream(HttpExchange exchange, String text, String format) throws IOException {
    byte[] audio = expectedAudio(text);
    exchange.stream(200, format.equals("mp3") ? "audio/mpeg" : "audio/" + format);
    if (text.contains("sim:huge")) {
      byte[] silence = new byte[1_000_000];
      for (long sent = 0; sent < HUGE_BYTES; sent += silence.length) {
        exchange.send(silence);
      }
      exchange.end();
      return;
    }
    for (int at = 0; at < audio.length; at += PIECE_BYTES) {
      if (!exchange.pause(stepTime)) {
        return;
      }
      exchange.send(Arrays.copyOfRange(audio, at, Math.min(audio.length, at + PIECE_BYTES)));
      if (text.contains("sim:cut")) {
        exchange.reset();
        return;
      }
    }
    exchange.end();
  }

  private static void refuse(HttpExchange exchange, String message) throws IOException {
    exchange.json(
        400,
        Json.object(
            "detail",
            Json.object(
                "error", "validation_error",
                "message", message,
                "type", "invalid_request_error")));
  }

  private void transcribe(HttpExchange exchange) throws IOException {
    Multipart form = Multipart.of(exchange.request());
    Optional<Multipart.Part> file = form.part("file");
    if (file.isEmpty() || file.get().fileName().isEmpty()) {
      exchange.json(
          422,
          Json.object(
              "detail",
              List.of(
                  Json.object(
                      "loc", List.of("body", "file"),
                      "msg", "Field required",
                      "type", "missing"))));
      return;
    }
    server.claim().ifPresent(held -> held.resize(jobMib));
    String text = expectedText(file.get().fileName(), file.get().bytes().length);
    String format = form.part("response_format").map(Multipart.Part::text).orElse("json");
    switch (format) {
      case "text" -> exchange.text(200, text);
      case "srt" -> exchange.text(200, "1\n00:00:00,000 --> 00:00:01,000\n" + text + "\n");
      default -> exchange.json(200, Json.object("text", text));
    }
  }
}

package dev.swapgate.backends.job;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.swapgate.backends.http.BoundedBody;
import dev.swapgate.backends.http.Chunks;
import dev.swapgate.backends.http.OneShot;
import dev.swapgate.backends.settings.MediaSettings;
import dev.swapgate.gate.port.BackendException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * One media server over HTTP. The base address comes from the configuration alone; callers give
 * paths. No {@code Origin} is sent: ComfyUI answers 403 to one that is not its own. Silence, a
 * broken connection and an answer that is no JSON end the call as Unanswered. Thread-safe.
 */
final class MediaServer {

  /** A question, in all; the gate gives a look at a job, which takes three of them, 30 s. */
  static final Duration ASK_LIMIT = Duration.ofSeconds(9);

  /** Handing in a job or a file: the server checks it, at times while its interpreter is busy. */
  static final Duration SEND_LIMIT = Duration.ofSeconds(60);

  /** How long a download may stand still. */
  static final Duration SILENCE_LIMIT = Duration.ofSeconds(60);

  /** How long one download may take in all; the gate gives a collection 10 min. */
  static final Duration DOWNLOAD_LIMIT = Duration.ofMinutes(9);

  /** The largest JSON answer read; a history entry holds the whole workflow. */
  private static final int ANSWER_LIMIT_BYTES = 32 << 20;

  private final URI base;
  private final String apiKey;

  MediaServer(MediaSettings settings) {
    this.base = settings.backend().url();
    this.apiKey = settings.apiKey();
  }

  /** A whole answer of any status. */
  record Reply(String question, int status, String body) {

    /** The body as JSON; Unanswered when it is none. */
    JsonNode json() {
      try {
        JsonNode read = Json.MAPPER.readTree(body);
        if (!read.isMissingNode()) {
          return read;
        }
      } catch (JsonProcessingException noJson) {
        throw AnswerException.unanswered(
            question + " was answered with status " + status + " and a body that is not JSON");
      }
      throw AnswerException.unanswered(
          question + " was answered with status " + status + " and an empty body");
    }

    /** The body as JSON when the status is 200; Unanswered otherwise. */
    JsonNode ok() {
      if (status != 200) {
        throw odd();
      }
      return json();
    }

    AnswerException odd() {
      return AnswerException.unanswered(
          question + " was answered with status " + status + ": " + Json.line(body, 300));
    }
  }

  Reply get(String path) {
    return ask("GET " + shown(path), request(path).GET(), ASK_LIMIT);
  }

  Reply post(String path, JsonNode body) {
    return post(path, body, ASK_LIMIT);
  }

  private Reply post(String path, JsonNode body, Duration limit) {
    return ask(
        "POST " + shown(path),
        request(path)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofByteArray(Json.bytes(body))),
        limit);
  }

  /** Hands in a job. */
  Reply send(String path, JsonNode body) {
    return post(path, body, SEND_LIMIT);
  }

  /** Hands in a file. */
  Reply send(String path, String contentType, HttpRequest.BodyPublisher body) {
    return ask(
        "POST " + shown(path),
        request(path).header("Content-Type", contentType).POST(body),
        SEND_LIMIT);
  }

  private Reply ask(String question, HttpRequest.Builder request, Duration limit) {
    try (var asked = OneShot.send(request.build(), BoundedBody.upTo(ANSWER_LIMIT_BYTES), limit)) {
      BoundedBody.Start body = asked.response().body();
      if (body.cut()) {
        throw AnswerException.unanswered(
            question + " was answered with more than " + ANSWER_LIMIT_BYTES + " bytes");
      }
      return new Reply(question, asked.response().statusCode(), body.text());
    } catch (BackendException unanswered) {
      throw AnswerException.unanswered(question + ": " + unanswered.getMessage());
    }
  }

  /** A file on its way; must be closed. */
  interface Download extends ResultFolder.Source, AutoCloseable {
    int status();

    /** Lower case; empty when it is not told. */
    String contentType();

    @Override
    void close();
  }

  Download download(String path) {
    String question = "GET " + shown(path);
    OneShot<Chunks> asked;
    try {
      asked = OneShot.send(request(path).GET().build(), Chunks.streamed(), ASK_LIMIT);
    } catch (BackendException unanswered) {
      throw AnswerException.unanswered(question + ": " + unanswered.getMessage());
    }
    return new OneDownload(question, asked);
  }

  private static final class OneDownload implements Download {
    private final String question;
    private final OneShot<Chunks> asked;
    private final CompletableFuture<Void> whole = new CompletableFuture<>();

    OneDownload(String question, OneShot<Chunks> asked) {
      this.question = question;
      this.asked = asked;
      // A sender that drips is never silent: the whole download has its own end.
      CompletableFuture<Void> unused =
          whole
              .orTimeout(DOWNLOAD_LIMIT.toSeconds(), TimeUnit.SECONDS)
              .whenComplete((done, late) -> asked.close());
    }

    @Override
    public int status() {
      return asked.response().statusCode();
    }

    @Override
    public String contentType() {
      return asked
          .response()
          .headers()
          .firstValue("content-type")
          .orElse("")
          .toLowerCase(Locale.ROOT);
    }

    @Override
    public List<ByteBuffer> next() {
      try {
        return asked.response().body().next(SILENCE_LIMIT);
      } catch (BackendException broken) {
        throw AnswerException.unanswered(question + ": " + broken.getMessage());
      }
    }

    @Override
    public void close() {
      whole.complete(null);
    }
  }

  private HttpRequest.Builder request(String path) {
    HttpRequest.Builder request;
    try {
      request = HttpRequest.newBuilder(URI.create(base + path));
    } catch (IllegalArgumentException odd) {
      throw AnswerException.unanswered("'" + Json.line(path, 200) + "' is no path of a URL");
    }
    if (!apiKey.isEmpty()) {
      request.header("Authorization", "Bearer " + apiKey);
    }
    return request;
  }

  private static String shown(String path) {
    return Json.line(path, 200);
  }

  /** Text as it may stand in a path or a query. */
  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}

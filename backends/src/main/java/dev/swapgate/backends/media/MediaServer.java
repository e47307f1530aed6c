package dev.swapgate.backends.media;

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
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;

/**
 * One media server over HTTP. The base address comes from the configuration alone; callers give
 * paths. No {@code Origin} is sent: ComfyUI answers 403 to one that is not its own. Silence, a
 * broken connection and an answer that is no JSON end the call as Unanswered. Thread-safe.
 */
public final class MediaServer {

  /** A question, in all; the gate gives a look at a job, which takes three of them, 30 s. */
  public static final Duration ASK_LIMIT = Duration.ofSeconds(9);

  /** Handing in a job or a file: the server checks it, at times while its interpreter is busy. */
  public static final Duration SEND_LIMIT = Duration.ofSeconds(60);

  /** The largest JSON answer read; a history entry holds the whole workflow. */
  private static final int ANSWER_LIMIT_BYTES = 32 << 20;

  private final URI base;
  private final String apiKey;

  public MediaServer(MediaSettings settings) {
    this.base = settings.backend().url();
    this.apiKey = settings.apiKey();
  }

  /** A whole answer of any status. */
  public record Reply(String question, int status, String body) {

    /** The body as JSON; Unanswered when it is none. */
    public JsonNode json() {
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
    public JsonNode ok() {
      if (status != 200) {
        throw odd();
      }
      return json();
    }

    public AnswerException odd() {
      return AnswerException.unanswered(
          question + " was answered with status " + status + ": " + Json.line(body, 300));
    }
  }

  /**
   * One request.
   *
   * @param path path and query
   * @param contentType of the body; empty when there is none
   */
  public record Question(
      String method,
      String path,
      Map<String, String> headers,
      String contentType,
      HttpRequest.BodyPublisher body) {
    public Question {
      headers = Map.copyOf(headers);
    }

    public static Question of(String method, String path, Map<String, String> headers) {
      return new Question(method, path, headers, "", HttpRequest.BodyPublishers.noBody());
    }

    /** With a body. */
    public Question with(String type, HttpRequest.BodyPublisher content) {
      return new Question(method, path, headers, type, content);
    }

    /** What was asked, for people: header values may be secret and a body is the user's. */
    @Override
    public String toString() {
      return method + " " + Json.line(path, 200);
    }
  }

  public Reply get(String path) {
    return ask(Question.of("GET", path, Map.of()), ASK_LIMIT);
  }

  public Reply post(String path, JsonNode body) {
    return ask(json(path, body), ASK_LIMIT);
  }

  private static Question json(String path, JsonNode body) {
    return Question.of("POST", path, Map.of())
        .with("application/json", HttpRequest.BodyPublishers.ofByteArray(Json.bytes(body)));
  }

  /** Hands in a job. */
  public Reply send(String path, JsonNode body) {
    return ask(json(path, body), SEND_LIMIT);
  }

  /** Hands in a file. */
  public Reply send(String path, String contentType, HttpRequest.BodyPublisher body) {
    return ask(Question.of("POST", path, Map.of()).with(contentType, body), SEND_LIMIT);
  }

  /**
   * Asks anything.
   *
   * @param limit in all
   */
  public Reply ask(Question question, Duration limit) {
    try (var asked = OneShot.send(request(question), BoundedBody.upTo(ANSWER_LIMIT_BYTES), limit)) {
      BoundedBody.Start body = asked.response().body();
      if (body.cut()) {
        throw AnswerException.unanswered(
            question + " was answered with more than " + ANSWER_LIMIT_BYTES + " bytes");
      }
      return new Reply(question.toString(), asked.response().statusCode(), body.text());
    } catch (BackendException unanswered) {
      throw AnswerException.unanswered(question + ": " + unanswered.getMessage());
    }
  }

  /**
   * Begins to listen on its WebSocket.
   *
   * @param texts is given each text, by one thread at a time
   */
  public TextSocket listen(String path, Consumer<String> texts) {
    // http becomes ws, https wss.
    URI address = URI.create("ws" + (base + path).substring("http".length()));
    return TextSocket.open(
        address, apiKey.isEmpty() ? Map.of() : Map.of("Authorization", "Bearer " + apiKey), texts);
  }

  public Download download(String path) {
    return open(
        Question.of("GET", path, Map.of()), ASK_LIMIT, Download.SILENCE_LIMIT, Download.LIMIT);
  }

  /**
   * Asks for something that may be large.
   *
   * @param head until the answer begins
   * @param silence how long it may stand still
   * @param whole how long it may take in all, once it began
   */
  public Download open(Question question, Duration head, Duration silence, Duration whole) {
    try {
      return new Download(
          question.toString(),
          OneShot.send(request(question), Chunks.streamed(), head),
          silence,
          whole);
    } catch (BackendException unanswered) {
      throw AnswerException.unanswered(question + ": " + unanswered.getMessage());
    }
  }

  private HttpRequest request(Question question) {
    HttpRequest.Builder request;
    try {
      request = HttpRequest.newBuilder(URI.create(base + question.path()));
    } catch (IllegalArgumentException odd) {
      throw AnswerException.unanswered(
          "'" + Json.line(question.path(), 200) + "' is no path of a URL");
    }
    if (!apiKey.isEmpty()) {
      request.header("Authorization", "Bearer " + apiKey);
    }
    question.headers().forEach(request::setHeader);
    if (!question.contentType().isEmpty()) {
      request.setHeader("Content-Type", question.contentType());
    }
    return request.method(question.method(), question.body()).build();
  }

  /** Text as it may stand in a path or a query. */
  public static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}

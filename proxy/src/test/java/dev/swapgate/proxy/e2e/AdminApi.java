package dev.swapgate.proxy.e2e;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** The admin side, as a script would use it; questions by path work on other servers too. */
final class AdminApi implements AutoCloseable {
  static final ObjectMapper JSON = new ObjectMapper();

  /** The longest that any one step of these tests may take on a busy machine. */
  static final Duration PATIENCE = Duration.ofSeconds(120);

  private final HttpClient client = HttpClient.newHttpClient();
  private final URI base;
  private final Supplier<String> said;

  AdminApi(URI base) {
    this(base, () -> "nothing that is kept");
  }

  /**
   * @param said what its process printed, told when it does not answer
   */
  AdminApi(URI base, Supplier<String> said) {
    this.base = base;
    this.said = said;
  }

  JsonNode status() {
    return get("/api/v1/status");
  }

  JsonNode job(String id) {
    return get("/api/v1/jobs/" + id);
  }

  JsonNode get(String path) {
    HttpResponse<String> answer = send(HttpRequest.newBuilder(base.resolve(path)));
    if (answer.statusCode() != 200) {
      throw new AssertionError(path + " answered " + answer.statusCode() + " " + answer.body());
    }
    return parse(answer.body());
  }

  /** A page that is no JSON. */
  String text(String path) {
    return send(HttpRequest.newBuilder(base.resolve(path))).body();
  }

  /** A chat request, on the listener of chat; whatever it is answered. */
  HttpResponse<String> ask(String path, String json) {
    return send(
        HttpRequest.newBuilder(base.resolve(path))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(json)));
  }

  /** The status code alone; -1 when nobody answers. */
  int code(String path) {
    try {
      return send(HttpRequest.newBuilder(base.resolve(path))).statusCode();
    } catch (UncheckedIOException nobody) {
      return -1;
    }
  }

  /**
   * @param json the body, as text
   * @return the answer, which must be one of success
   */
  JsonNode post(String path, String json) {
    HttpResponse<String> answer =
        send(
            HttpRequest.newBuilder(base.resolve("/api/v1/" + path))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json)));
    if (answer.statusCode() / 100 != 2) {
      throw new AssertionError(path + " answered " + answer.statusCode() + " " + answer.body());
    }
    return parse(answer.body());
  }

  /**
   * @param path below {@code /api/v1/}
   */
  void delete(String path) {
    HttpResponse<String> answer =
        send(HttpRequest.newBuilder(base.resolve("/api/v1/" + path)).DELETE());
    if (answer.statusCode() / 100 != 2) {
      throw new AssertionError(path + " answered " + answer.statusCode() + " " + answer.body());
    }
  }

  /** Hands a job in; its id. */
  String submit(Place media, String field, String json) {
    return post("jobs", "{\"backend\":\"%s\",\"%s\":%s}".formatted(media, field, json))
        .path("id")
        .asText();
  }

  JsonNode awaitStatus(String what, Predicate<JsonNode> isSo) {
    return Await.value(
        () -> what + "; status is " + status() + ", jobs are " + get("/api/v1/jobs"),
        PATIENCE,
        () -> Optional.of(status()).filter(isSo));
  }

  /** Waits until chat goes to that engine. */
  JsonNode awaitChat(Place engine) {
    return awaitStatus(
        "chat goes to " + engine,
        status ->
            status.path("chat_open").asBoolean()
                && status.path("owner").asText().equals(engine.toString()));
  }

  /** Waits for the job's end, whatever it is. */
  JsonNode awaitEnd(String job) {
    return Await.value(
        () -> "the end of " + job(job) + "; status is " + status(),
        PATIENCE,
        () -> Optional.of(job(job)).filter(one -> one.hasNonNull("ended")));
  }

  /**
   * A body as it comes.
   *
   * @param path below {@code /api/v1/}
   */
  InputStream open(String path) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(base.resolve("/api/v1/" + path)).build();
    return client.send(request, HttpResponse.BodyHandlers.ofInputStream()).body();
  }

  private HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return client.send(
          request.timeout(Duration.ofSeconds(20)).build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(base + " did not answer; it said " + said.get(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while asking " + base, e);
    }
  }

  static JsonNode parse(String json) {
    try {
      return JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw new AssertionError("no JSON: " + json, e);
    }
  }

  @Override
  public void close() {
    client.close();
  }
}

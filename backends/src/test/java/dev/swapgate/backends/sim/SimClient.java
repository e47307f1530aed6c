package dev.swapgate.backends.sim;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** What a client sees of a simulator. */
final class SimClient {
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final int LOOKS = 1000;

  final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(LIMIT).build();
  private final int port;

  SimClient(int port) {
    this.port = port;
  }

  record Reply(int status, byte[] bytes, HttpResponse<byte[]> response) {
    String text() {
      return new String(bytes, StandardCharsets.UTF_8);
    }

    /** A value inside the JSON, {@code a.b.0.c}. */
    Object at(String path) {
      Object value = Json.parse(text());
      for (String step : path.split("\\.")) {
        value =
            step.matches("\\d+") && !(value instanceof Map)
                ? Json.asList(value).get(Integer.parseInt(step))
                : Json.asObject(value).get(step);
      }
      return value;
    }
  }

  HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).timeout(LIMIT);
  }

  Reply get(String path) throws Exception {
    return send(request(path).build());
  }

  Reply post(String path, String json, String... headers) throws Exception {
    HttpRequest.Builder builder =
        request(path)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(json));
    if (headers.length > 0) {
      builder.headers(headers);
    }
    return send(builder.build());
  }

  Reply send(HttpRequest request) throws IOException, InterruptedException {
    HttpResponse<byte[]> response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
    return new Reply(response.statusCode(), response.body(), response);
  }

  /** Asks again until the answer is as wanted. */
  Reply until(String path, Predicate<Reply> wanted) throws Exception {
    Reply reply = get(path);
    for (int look = 0; look < LOOKS && !wanted.test(reply); look++) {
      new CompletableFuture<Void>().completeOnTimeout(null, 20, TimeUnit.MILLISECONDS).join();
      reply = get(path);
    }
    if (!wanted.test(reply)) {
      throw new AssertionError(path + " still answers " + reply.status() + " " + reply.text());
    }
    return reply;
  }
}

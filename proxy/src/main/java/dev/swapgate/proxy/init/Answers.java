package dev.swapgate.proxy.init;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/** What a server that runs says when it is asked, once and with a short limit. */
public interface Answers {

  /** One answer, its body cut to what a recognition needs. */
  record Answer(int status, String body) {}

  /** Empty when nobody answers HTTP there in time. */
  Optional<Answer> get(String url);

  /** Asks over HTTP: two seconds to connect, three for the answer. */
  static Answers overHttp() {
    HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
    return url -> ask(client, url);
  }

  private static Optional<Answer> ask(HttpClient client, String url) {
    int enough = 64 * 1024;
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(3)).build();
    try {
      HttpResponse<InputStream> answer =
          client.send(request, HttpResponse.BodyHandlers.ofInputStream());
      try (InputStream body = answer.body()) {
        return Optional.of(
            new Answer(
                answer.statusCode(), new String(body.readNBytes(enough), StandardCharsets.UTF_8)));
      }
    } catch (IOException nobody) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }
}

package dev.swapgate.proxy.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/**
 * Asks the admin API. Each call asks once; what does not come back as asked is a {@link
 * CliException} with the exit code it deserves.
 */
final class AdminClient {

  private static final String PREFIX = "/api/v1/";
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(5);

  /** The gate gives a write 10 s before it is called failed; some way beyond that. */
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(30);

  private static final Duration UPLOAD_LIMIT = Duration.ofMinutes(10);

  private final HttpClient http;
  private final URI base;
  private final Optional<String> token;
  private final String tokenAdvice;

  /**
   * @param tokenAdvice where a token is looked for, told when it is refused
   */
  AdminClient(HttpClient http, URI base, Optional<String> token, String tokenAdvice) {
    this.http = http;
    this.base = base;
    this.token = token;
    this.tokenAdvice = tokenAdvice;
  }

  /**
   * A client as it suits the admin API; to be shut down by the caller.
   *
   * @param encrypted whether it may be asked for https: to read whom Java trusts takes as long as a
   *     question without it
   */
  static HttpClient http(boolean encrypted) {
    HttpClient.Builder client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .proxy(HttpClient.Builder.NO_PROXY)
            .connectTimeout(CONNECT_LIMIT);
    return encrypted ? client.build() : client.sslContext(trustingNobody()).build();
  }

  private static SSLContext trustingNobody() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(new KeyManager[0], new TrustManager[0], null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no TLS", e);
    }
  }

  URI base() {
    return base;
  }

  /** One part of a path, made safe. */
  static String part(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  JsonNode get(String path) {
    return json(request(path, ANSWER_LIMIT).GET());
  }

  JsonNode post(String path, JsonNode body) {
    return json(
        request(path, ANSWER_LIMIT)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body.toString())));
  }

  /** Posts a job with the files that go along, each under the name the job uses for it. */
  JsonNode post(String path, JsonNode job, Map<String, Path> files) {
    Multipart body = new Multipart();
    body.json("job", job.toString());
    files.forEach(body::file);
    return json(
        request(path, UPLOAD_LIMIT)
            .header("Content-Type", body.contentType())
            .POST(body.publisher()));
  }

  /** Changes what lies there; empty when nothing does. */
  Optional<JsonNode> put(String path, JsonNode body) {
    HttpRequest request =
        request(path, ANSWER_LIMIT)
            .header("Content-Type", "application/json")
            .PUT(BodyPublishers.ofString(body.toString()))
            .build();
    HttpResponse<String> response = send(request, HttpResponse.BodyHandlers.ofString());
    return response.statusCode() == 404 ? Optional.empty() : Optional.of(json(response));
  }

  JsonNode delete(String path) {
    return json(request(path, ANSWER_LIMIT).DELETE());
  }

  /** A body that is no JSON; the caller closes it. */
  InputStream open(String path) {
    HttpRequest request = request(path, ANSWER_LIMIT).GET().build();
    HttpResponse<InputStream> response = send(request, HttpResponse.BodyHandlers.ofInputStream());
    if (response.statusCode() != 200) {
      try (InputStream body = response.body()) {
        throw refused(
            response.statusCode(), new String(body.readNBytes(64 * 1024), StandardCharsets.UTF_8));
      } catch (IOException e) {
        throw refused(response.statusCode(), "");
      }
    }
    return response.body();
  }

  private HttpRequest.Builder request(String path, Duration limit) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(base + PREFIX + path))
            .timeout(limit)
            .header("Accept", "application/json")
            .header("User-Agent", "swapgate-cli");
    token.ifPresent(secret -> request.header("Authorization", "Bearer " + secret));
    return request;
  }

  private JsonNode json(HttpRequest.Builder request) {
    return json(send(request.build(), HttpResponse.BodyHandlers.ofString()));
  }

  private JsonNode json(HttpResponse<String> response) {
    if (response.statusCode() / 100 != 2) {
      throw refused(response.statusCode(), response.body());
    }
    try {
      return Json.parse(response.body().isBlank() ? "{}" : response.body());
    } catch (JsonProcessingException e) {
      throw new CliException(
          ExitCode.NOT_REACHABLE, base + " answers, but not as swapgate does; check --admin", e);
    }
  }

  private <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler) {
    try {
      return http.send(request, handler);
    } catch (ConnectException e) {
      throw new CliException(
          ExitCode.NOT_REACHABLE,
          "swapgate does not answer at "
              + base
              + "; start it with swapgate serve, or name its address with --admin",
          e);
    } catch (HttpTimeoutException e) {
      throw new CliException(
          ExitCode.NOT_REACHABLE,
          "swapgate at " + base + " did not answer in time; see its log, and try again",
          e);
    } catch (IOException e) {
      throw new CliException(
          ExitCode.NOT_REACHABLE,
          "the connection to swapgate at " + base + " broke (" + e.getMessage() + "); try again",
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CliException(ExitCode.NOT_REACHABLE, "interrupted while asking " + base, e);
    }
  }

  private CliException refused(int status, String body) {
    String said = message(body);
    String reason = said.isEmpty() ? base + " answered with status " + status : said;
    if (status == 401 || status == 403) {
      reason += "; " + tokenAdvice;
    }
    // 503 and 507 are answers to what was asked; other 5xx are swapgate's own faults.
    boolean internal = status >= 500 && status != 503 && status != 507;
    return new CliException(internal ? ExitCode.INTERNAL : ExitCode.REFUSED, reason);
  }

  private static String message(String body) {
    try {
      JsonNode error = Json.parse(body).path("error");
      return error.isTextual() ? error.asText() : Json.text(error, "message");
    } catch (JsonProcessingException e) {
      return "";
    }
  }
}

package dev.swapgate.backends.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.swapgate.backends.media.Json;
import dev.swapgate.backends.settings.BackendSettings;
import dev.swapgate.backends.settings.MediaSettings;
import dev.swapgate.backends.settings.ReadinessSettings;
import dev.swapgate.gate.core.Backend;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A media server that says what it was told to say. Routes are {@code "POST /prompt"}, without a
 * query; several answers of one route are given in turn, the last one for ever; other routes answer
 * 404.
 */
final class ScriptedServer implements AutoCloseable {
  private final HttpServer server;
  private final Map<String, Deque<Answer>> answers = new ConcurrentHashMap<>();
  private final List<Asked> asked = new CopyOnWriteArrayList<>();

  /** One request as it came. */
  record Asked(String route, String query, Headers headers, String body) {
    JsonNode json() {
      return Json.maybe(body).orElseThrow();
    }
  }

  private record Answer(int status, String type, byte[] body, int announcedBytes) {}

  ScriptedServer() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException refused) {
      throw new IllegalStateException("no port to listen on", refused);
    }
    server.createContext("/", this::handle);
    server.start();
  }

  ScriptedServer on(String route, int status, String body) {
    return on(route, status, "application/json", body.getBytes(StandardCharsets.UTF_8));
  }

  ScriptedServer on(String route, int status, String type, byte[] body) {
    answers.remove(route);
    return add(route, new Answer(status, type, body, body.length));
  }

  ScriptedServer then(String route, int status, String body) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    return add(route, new Answer(status, "application/json", bytes, bytes.length));
  }

  /** Then announces more than it sends, and hangs up. */
  ScriptedServer thenBreakingOff(String route, byte[] body) {
    return add(route, new Answer(200, "image/png", body, body.length + 1000));
  }

  private ScriptedServer add(String route, Answer answer) {
    answers.computeIfAbsent(route, key -> new ArrayDeque<>()).add(answer);
    return this;
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String route = exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath();
      String query = exchange.getRequestURI().getRawQuery();
      String body =
          new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1);
      asked.add(new Asked(route, query == null ? "" : query, exchange.getRequestHeaders(), body));
      Answer answer = next(route);
      exchange.getResponseHeaders().add("Content-Type", answer.type());
      exchange.sendResponseHeaders(
          answer.status(), answer.announcedBytes() == 0 ? -1 : answer.announcedBytes());
      exchange.getResponseBody().write(answer.body());
    }
  }

  private synchronized Answer next(String route) {
    Deque<Answer> left = answers.getOrDefault(route, new ArrayDeque<>());
    if (left.isEmpty()) {
      return new Answer(404, "text/plain", "not scripted".getBytes(StandardCharsets.UTF_8), 12);
    }
    return left.size() > 1 ? left.remove() : left.element();
  }

  List<Asked> asked(String route) {
    return asked.stream().filter(one -> one.route().equals(route)).toList();
  }

  List<Asked> asked() {
    return List.copyOf(asked);
  }

  MediaSettings settings(MediaSettings.Type type) {
    return settings(type, server.getAddress().getPort(), 1 << 20);
  }

  MediaSettings settings(MediaSettings.Type type, long maxFileBytes) {
    return settings(type, server.getAddress().getPort(), maxFileBytes);
  }

  static MediaSettings settings(MediaSettings.Type type, int port, long maxFileBytes) {
    ReadinessSettings readiness =
        new ReadinessSettings("/", Set.of(200), "", Map.of(), Duration.ofSeconds(5));
    URI url = URI.create("http://127.0.0.1:" + port);
    return new MediaSettings(
        new BackendSettings(new Backend.Id("media"), "media", url, readiness),
        type,
        "s3cret",
        maxFileBytes);
  }

  int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}

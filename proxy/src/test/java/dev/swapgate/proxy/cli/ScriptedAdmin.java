package dev.swapgate.proxy.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** An admin API that answers as it was told, in order, the last answer again and again. */
final class ScriptedAdmin implements AutoCloseable {

  /** What was asked. */
  record Asked(
      String method, String path, @Nullable String authorization, String contentType, String body) {
    @Override
    public String toString() {
      return method + " " + path;
    }
  }

  private record Answer(int status, byte[] body) {}

  private final HttpServer server;
  private final Map<String, Deque<Answer>> script = new ConcurrentHashMap<>();
  private final List<Asked> asked = new CopyOnWriteArrayList<>();

  ScriptedAdmin() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /**
   * Adds an answer for {@code GET status} and the like; quotes are written as {@code '}. Status 0:
   * the connection breaks.
   */
  ScriptedAdmin on(String methodAndPath, int status, String body) {
    script
        .computeIfAbsent(methodAndPath, key -> new ArrayDeque<>())
        .add(new Answer(status, body.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
    return this;
  }

  List<Asked> asked() {
    return List.copyOf(asked);
  }

  Asked lastAsked() {
    return asked.getLast();
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().toString().replaceFirst("^/api/v1/", "");
    String type = exchange.getRequestHeaders().getFirst("Content-Type");
    asked.add(
        new Asked(
            exchange.getRequestMethod(),
            path,
            exchange.getRequestHeaders().getFirst("Authorization"),
            type == null ? "" : type,
            new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
    Deque<Answer> answers = script.get(exchange.getRequestMethod() + " " + path);
    Answer answer =
        answers == null
            ? new Answer(500, "{\"error\":{\"message\":\"not in the script\"}}".getBytes())
            : answers.size() > 1 ? answers.poll() : answers.peek();
    if (answer.status() == 0) {
      exchange.close();
      return;
    }
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(
        answer.status(), answer.body().length == 0 ? -1 : answer.body().length);
    exchange.getResponseBody().write(answer.body());
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}

package dev.swapgate.proxy.chat;

import dev.swapgate.proxy.fallback.Provider;
import dev.swapgate.proxy.fallback.ProviderRules;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** A provider of raw bytes: it keeps each request it gets, and answers as the test says. */
public final class ProviderServer implements AutoCloseable {

  /** What it does with a request. */
  interface Behaviour {
    void serve(Wire.Message request, Wire wire) throws Exception;
  }

  private final ServerSocket server;
  private final List<Wire.Message> requests = new CopyOnWriteArrayList<>();
  private volatile Behaviour behaviour = (request, wire) -> wire.send(whole("hello"));

  /** Says hello. */
  public ProviderServer() throws IOException {
    server = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
    Wire.accept(server, wire -> Thread.ofVirtual().start(() -> serve(wire)));
  }

  void does(Behaviour next) {
    behaviour = next;
  }

  public void says(String answer) {
    behaviour = (request, wire) -> wire.send(answer);
  }

  /** Answers as an OpenAI server does, streamed or whole as it is asked. */
  public void answers(String text) {
    behaviour =
        (request, wire) ->
            wire.send(request.text().contains("\"stream\":true") ? stream(text) : whole(text));
  }

  /** Streams a text and no end before it may. */
  public void streams(String text, CompletableFuture<Void> mayEnd) {
    behaviour =
        (request, wire) -> {
          String stream = stream(text);
          int end = stream.indexOf(chunk("data: [DONE]\n\n"));
          wire.send(stream.substring(0, end));
          mayEnd.get(60, TimeUnit.SECONDS);
          wire.send(stream.substring(end));
        };
  }

  static String whole(String text) {
    return status(
        200,
        "{\"id\":\"chatcmpl-1\",\"object\":\"chat.completion\",\"created\":1,\"model\":\"x\","
            + "\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\""
            + text
            + "\"},\"finish_reason\":\"stop\"}]}");
  }

  static String stream(String text) {
    return "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
        + "Transfer-Encoding: chunked\r\n\r\n"
        + chunk("data: " + delta(text) + "\n\n")
        + chunk("data: [DONE]\n\n")
        + "0\r\n\r\n";
  }

  static String delta(String text) {
    return "{\"id\":\"1\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"x\","
        + "\"choices\":[{\"index\":0,\"delta\":{\"content\":\""
        + text
        + "\"}}]}";
  }

  static String chunk(String text) {
    return Integer.toHexString(text.length()) + "\r\n" + text + "\r\n";
  }

  public static String status(int status, String body, String... headers) {
    StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " Said\r\n");
    Arrays.stream(headers).forEach(line -> head.append(line).append("\r\n"));
    return head
        + "Content-Type: application/json\r\nContent-Length: "
        + body.length()
        + "\r\n\r\n"
        + body;
  }

  /** How many requests it got. */
  public int asked() {
    return requests.size();
  }

  /** The body of the last request. */
  public String lastBody() {
    return last().text();
  }

  Wire.Message last() {
    return requests.get(requests.size() - 1);
  }

  /** Its base address. */
  public URI url() {
    return URI.create("http://127.0.0.1:" + server.getLocalPort() + "/api/v1");
  }

  Provider as(String name, Map<String, String> models, ProviderRules rules, String... keys) {
    return new Provider(
        name,
        url(),
        Provider.Api.OPENAI,
        Arrays.stream(keys).map(key -> new Provider.Key(key, "sk-secret-of-" + key)).toList(),
        models,
        Provider.Api.OPENAI.paths(),
        Map.of(),
        1,
        new Provider.Timeouts(Duration.ofSeconds(5), Duration.ofMinutes(5), Duration.ofMinutes(2)),
        rules);
  }

  Provider as(String name, String... keys) {
    return as(name, Map.of(), ProviderRules.standard(), keys);
  }

  private void serve(Wire wire) {
    try (wire) {
      while (true) {
        Wire.Message request = wire.request();
        requests.add(request);
        behaviour.serve(request, wire);
      }
    } catch (Exception e) {
      // The other side has had enough of this connection.
      return;
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}

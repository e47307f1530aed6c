package dev.swapgate.proxy.chat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * One request and its answer, byte by byte, to be said to an engine or to whoever stands before it.
 *
 * @param sent if there is a second piece, it waits for {@code 100 Continue}
 * @param answer each piece but the first waits until the client has the one before; each of them is
 *     one chunk
 * @param closes whether the engine ends the connection after its answer
 */
record Talk(String name, List<byte[]> sent, List<byte[]> answer, boolean closes) {

  private static final byte[] OK = bytes("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");

  static Talk of(String name, String sent, String answer) {
    return new Talk(name, List.of(bytes(sent)), List.of(bytes(answer)), false);
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  Talk thenCloses() {
    return new Talk(name, sent, answer, true);
  }

  /** The same with the answer in these pieces. */
  Talk answeredIn(String... pieces) {
    List<byte[]> all = new ArrayList<>();
    for (String piece : pieces) {
      all.add(bytes(piece));
    }
    return new Talk(name, sent, all, closes);
  }

  /** Has it; then asks once more on the same connection, if it is to last. */
  Seen with(InetSocketAddress where, RecordingEngine engine) throws Exception {
    engine.says(answer, closes);
    try (Wire client = Wire.to(where)) {
      CompletableFuture<Void> sending =
          CompletableFuture.runAsync(() -> say(client, sent.get(0)), run -> start(run));
      List<Wire.Message> early = new ArrayList<>();
      if (sent.size() > 1) {
        early.add(client.head());
        say(client, sent.get(1));
      }
      Wire.Message head = client.head();
      while (head.status() < 200 && head.status() != 101) {
        early.add(head);
        head = client.head();
      }
      Wire.Message answered = answer.size() > 1 ? paced(client, head, engine) : rest(client, head);
      sending.get(10, TimeUnit.SECONDS);
      Wire.Message request =
          engine
              .request()
              .orElseThrow(() -> new IOException("the engine was not asked: " + head(answered)));
      if (!closes && !isOld() && head.status() != 101) {
        askAgain(client, engine);
      }
      return new Seen(request, early, answered);
    }
  }

  private static String head(Wire.Message answer) {
    return answer.start() + " " + answer.text();
  }

  private static void start(Runnable run) {
    Thread.ofVirtual().start(run);
  }

  private static void say(Wire client, byte[] bytes) {
    try {
      client.send(bytes);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private boolean isOld() {
    return new String(sent.get(0), StandardCharsets.ISO_8859_1)
        .lines()
        .findFirst()
        .orElse("")
        .endsWith("/1.0");
  }

  private Wire.Message rest(Wire client, Wire.Message head) throws IOException {
    if (head.status() == 101) {
      return new Wire.Message(
          head.start(), head.fields(), bytes(client.line()), List.of(), List.of());
    }
    boolean bodyless = new String(sent.get(0), 0, 5, StandardCharsets.ISO_8859_1).equals("HEAD ");
    return client.rest(head, bodyless);
  }

  /** A chunk for a piece: whoever joins or splits them fails here. */
  private Wire.Message paced(Wire client, Wire.Message head, RecordingEngine engine)
      throws IOException {
    StringBuilder body = new StringBuilder();
    List<String> chunks = new ArrayList<>();
    for (int i = 1; i < answer.size(); i++) {
      engine.goOn();
      String chunk = client.chunk();
      chunks.add(chunk);
      body.append(chunk);
    }
    client.lines();
    return new Wire.Message(head.start(), head.fields(), bytes(body.toString()), chunks, List.of());
  }

  private static void askAgain(Wire client, RecordingEngine engine) throws Exception {
    engine.says(List.of(OK), false);
    client.send("GET /again HTTP/1.1\r\nHost: a\r\n\r\n");
    Wire.Message again = client.message();
    if (!again.text().equals("ok") || engine.request().isEmpty()) {
      throw new AssertionError("the connection was not good for a second request: " + again);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}

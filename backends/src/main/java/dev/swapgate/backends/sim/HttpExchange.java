package dev.swapgate.backends.sim;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One request and its answer. While a handler works the connection is watched: a client that leaves
 * is noticed at once, before the first byte of the answer too.
 */
final class HttpExchange {
  private static final Map<Integer, String> REASONS =
      Map.ofEntries(
          Map.entry(101, "Switching Protocols"),
          Map.entry(200, "OK"),
          Map.entry(400, "Bad Request"),
          Map.entry(401, "Unauthorized"),
          Map.entry(403, "Forbidden"),
          Map.entry(404, "Not Found"),
          Map.entry(422, "Unprocessable Entity"),
          Map.entry(429, "Too Many Requests"),
          Map.entry(500, "Internal Server Error"),
          Map.entry(503, "Service Unavailable"));

  private final HttpRequest request;
  private final Socket socket;
  private final OutputStream out;
  private final Map<String, String> headers = new LinkedHashMap<>();
  private final CompletableFuture<Boolean> arrived = new CompletableFuture<>();
  private final CountDownLatch gone = new CountDownLatch(1);
  private boolean begun;
  private boolean chunked;
  private boolean keep;
  private @Nullable HttpInput input;

  HttpExchange(HttpRequest request, Socket socket, OutputStream out) {
    this.request = request;
    this.socket = socket;
    this.out = out;
    this.keep = request.keepAlive();
  }

  HttpRequest request() {
    return request;
  }

  /** Waits, and says whether the client is still there afterwards. */
  boolean pause(Duration time) {
    try {
      return !gone.await(time.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  boolean clientIsGone() {
    return gone.getCount() == 0;
  }

  void markGone() {
    gone.countDown();
  }

  /** A header of the answer, to be named before it begins. */
  HttpExchange with(String name, String value) {
    headers.put(name, value);
    return this;
  }

  void json(int status, @Nullable Object value) throws IOException {
    reply(status, "application/json", Json.write(value).getBytes(StandardCharsets.UTF_8));
  }

  void text(int status, String text) throws IOException {
    reply(status, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
  }

  /** The whole answer at once. */
  void reply(int status, String contentType, byte[] body) throws IOException {
    headers.put("Content-Type", contentType);
    headers.put("Content-Length", Integer.toString(body.length));
    head(status);
    if (!request.method().equals("HEAD")) {
      out.write(body);
    }
    out.flush();
  }

  /** Begins an answer whose length is not known; {@link #send} and {@link #end} follow. */
  void stream(int status, String contentType) throws IOException {
    headers.put("Content-Type", contentType);
    chunked = request.version().equals("HTTP/1.1");
    if (chunked) {
      headers.put("Transfer-Encoding", "chunked");
    } else {
      keep = false;
    }
    head(status);
    out.flush();
  }

  void send(String part) throws IOException {
    send(part.getBytes(StandardCharsets.UTF_8));
  }

  void send(byte[] bytes) throws IOException {
    try {
      if (chunked) {
        out.write((Integer.toHexString(bytes.length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
      }
      out.write(bytes);
      if (chunked) {
        out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
      }
      out.flush();
    } catch (IOException e) {
      markGone();
      throw e;
    }
  }

  void end() throws IOException {
    if (chunked) {
      out.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      out.flush();
    }
  }

  /** Ends HTTP on this connection: from now on it belongs to another protocol. */
  void upgrade(String protocol) throws IOException {
    headers.put("Upgrade", protocol);
    headers.put("Connection", "Upgrade");
    head(101);
    keep = false;
    out.flush();
  }

  void raw(byte[] bytes, int length) throws IOException {
    out.write(bytes, 0, length);
    out.flush();
  }

  /**
   * What comes in after the head; null when the client has left. Waits until something has come.
   */
  @Nullable HttpInput input() {
    return arrived.join() ? input : null;
  }

  /** Waits until the client leaves, without an answer. */
  void awaitGone() throws IOException {
    if (pause(Duration.ofMinutes(10))) {
      throw new IOException("nobody left");
    }
  }

  /** Whoever watches the connection has seen more, or its end. */
  void arrived(HttpInput in, boolean more) {
    input = in;
    if (!more) {
      markGone();
    }
    arrived.complete(more);
  }

  /** Breaks the connection off with a reset. */
  void reset() throws IOException {
    keep = false;
    begun = true;
    socket.setOption(StandardSocketOptions.SO_LINGER, 0);
    socket.close();
  }

  /** Ends the connection without having finished the answer. */
  void drop() throws IOException {
    keep = false;
    begun = true;
    socket.shutdownOutput();
  }

  boolean begun() {
    return begun;
  }

  boolean keepsConnection() {
    return keep && !clientIsGone();
  }

  private void head(int status) throws IOException {
    begun = true;
    StringBuilder head = new StringBuilder("HTTP/1.1 ").append(status).append(' ');
    head.append(REASONS.getOrDefault(status, "Status")).append("\r\n");
    headers.putIfAbsent("Server", "swapgate-sim");
    if (!keep && status != 101) {
      headers.put("Connection", "close");
    }
    headers.forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
    head.append("\r\n");
    out.write(head.toString().getBytes(StandardCharsets.ISO_8859_1));
  }
}

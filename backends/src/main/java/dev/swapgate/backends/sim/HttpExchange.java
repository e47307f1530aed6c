package dev.swapgate.backends.sim;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One request and its answer. While a handler works the connection is watched: a client that leaves
 * is noticed at once, before the first byte of the answer too.
 */
final class HttpExchange {
  private static final Map<Integer, String> REASONS =
      Map.of(
          200,
          "OK",
          400,
          "Bad Request",
          401,
          "Unauthorized",
          403,
          "Forbidden",
          404,
          "Not Found",
          422,
          "Unprocessable Entity",
          429,
          "Too Many Requests",
          500,
          "Internal Server Error",
          503,
          "Service Unavailable");

  private final HttpRequest request;
  private final Socket socket;
  private final OutputStream out;
  private final Map<String, String> headers = new LinkedHashMap<>();
  private final CountDownLatch gone = new CountDownLatch(1);
  private boolean begun;
  private boolean chunked;
  private boolean keep;

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
    if (!keep) {
      headers.put("Connection", "close");
    }
    headers.forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
    head.append("\r\n");
    out.write(head.toString().getBytes(StandardCharsets.ISO_8859_1));
  }
}

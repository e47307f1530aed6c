package dev.swapgate.proxy.e2e;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * One connection of one chat client, kept for all its requests; a client of the JDK would open
 * another where this one was closed.
 */
final class KeptConnection implements AutoCloseable {
  private static final int PATIENCE_MS = 60_000;

  private final Socket socket;
  private final InputStream in;

  KeptConnection(URI to) throws IOException {
    this.socket = new Socket(to.getHost(), to.getPort());
    socket.setSoTimeout(PATIENCE_MS);
    socket.setTcpNoDelay(true);
    this.in = new BufferedInputStream(socket.getInputStream());
  }

  /**
   * @param headers by their names in lower case
   * @param body empty as long as it was not read
   */
  record Answer(int status, Map<String, String> headers, String body) {
    String header(String name) {
      return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
    }

    int retryAfter() {
      return Integer.parseInt(header("Retry-After"));
    }
  }

  Answer post(String path, String json, String... headers) throws IOException {
    send(path, json, headers);
    Answer head = head();
    String body =
        head.header("Transfer-Encoding").isEmpty()
            ? text(in.readNBytes(Integer.parseInt(head.header("Content-Length"))))
            : rest();
    return new Answer(head.status(), head.headers(), body);
  }

  /** Sends a request whose answer is read piece by piece. */
  void send(String path, String json, String... headers) throws IOException {
    byte[] body = json.getBytes(StandardCharsets.UTF_8);
    String more = headers.length == 0 ? "" : String.join("\r\n", headers) + "\r\n";
    String head =
        "POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n%sAuthorization:"
                .formatted(path, more)
            + " Bearer %s\r\nContent-Length: %d\r\n\r\n".formatted(PretendBox.KEY, body.length);
    socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
    socket.getOutputStream().write(body);
    socket.getOutputStream().flush();
  }

  Answer head() throws IOException {
    int status = Integer.parseInt(line().split(" ", -1)[1]);
    Map<String, String> headers = new TreeMap<>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    return new Answer(status, headers, "");
  }

  /** The next piece of a chunked body; empty at its proper end. */
  String chunk() throws IOException {
    int length = Integer.parseInt(line().split(";", -1)[0].strip(), 16);
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException("the connection ended within a chunk");
    }
    line();
    return text(bytes);
  }

  /** What is left of a chunked body; fails when it has no proper end. */
  String rest() throws IOException {
    StringBuilder all = new StringBuilder();
    for (String chunk = chunk(); !chunk.isEmpty(); chunk = chunk()) {
      all.append(chunk);
    }
    return all.toString();
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("the connection ended after '" + line + "'");
      }
      line.write(next);
    }
    return line.toString(StandardCharsets.ISO_8859_1).stripTrailing();
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}

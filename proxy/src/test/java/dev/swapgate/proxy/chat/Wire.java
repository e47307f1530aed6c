package dev.swapgate.proxy.chat;

import dev.swapgate.proxy.http.Field;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** One end of a connection, byte by byte; a read that takes 10 s fails the test. */
final class Wire implements AutoCloseable {
  private static final int PATIENCE_MS = 10_000;

  final Socket socket;
  final InputStream in;

  Wire(Socket socket) throws IOException {
    this.socket = socket;
    socket.setSoTimeout(PATIENCE_MS);
    socket.setTcpNoDelay(true);
    this.in = new BufferedInputStream(socket.getInputStream());
  }

  static Wire to(InetSocketAddress address) throws IOException {
    Socket socket = new Socket();
    socket.connect(new InetSocketAddress("127.0.0.1", address.getPort()), PATIENCE_MS);
    return new Wire(socket);
  }

  /** Hands every connection on, until the server is closed. */
  static void accept(ServerSocket server, Consumer<Wire> taker) {
    Thread.ofVirtual()
        .name("accept")
        .start(
            () -> {
              while (true) {
                try {
                  taker.accept(new Wire(server.accept()));
                } catch (IOException closed) {
                  return;
                }
              }
            });
  }

  /** A head as it came, and a body with its transfer coding undone. */
  record Message(
      String start, List<Field> fields, byte[] body, List<String> chunks, List<Field> trailers) {
    String text() {
      return new String(body, StandardCharsets.UTF_8);
    }

    List<String> values(String name) {
      return fields.stream().filter(f -> f.is(name)).map(Field::value).toList();
    }

    String value(String name) {
      List<String> values = values(name);
      if (values.size() != 1) {
        throw new AssertionError(name + " is there " + values.size() + " times in " + fields);
      }
      return values.get(0);
    }

    int status() {
      return Integer.parseInt(start.split(" ")[1]);
    }
  }

  Wire send(String text) throws IOException {
    return send(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  Wire send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
    return this;
  }

  String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    while (true) {
      int next = in.read();
      if (next < 0) {
        throw new IOException("the connection ended within a line: " + line);
      }
      if (next == '\n') {
        String text = line.toString(StandardCharsets.ISO_8859_1);
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
      }
      line.write(next);
    }
  }

  List<String> lines() throws IOException {
    List<String> lines = new ArrayList<>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      lines.add(line);
    }
    return lines;
  }

  /** A head only; what follows is the caller's to read. */
  Message head() throws IOException {
    List<String> lines = lines();
    return new Message(
        lines.get(0), fields(lines.subList(1, lines.size())), new byte[0], List.of(), List.of());
  }

  /** A whole message; {@code bodyless} for the answer to a HEAD. */
  Message message(boolean bodyless) throws IOException {
    return rest(head(), bodyless);
  }

  /** A whole request; {@code 100 Continue} is said to whoever waits for it. */
  Message request() throws IOException {
    Message head = head();
    if (!head.values("Expect").isEmpty()) {
      send("HTTP/1.1 100 Continue\r\n\r\n");
    }
    return rest(head, false);
  }

  /** What follows a head. */
  Message rest(Message head, boolean bodyless) throws IOException {
    boolean answer = head.start().startsWith("HTTP/");
    if (bodyless || (answer && (head.status() == 204 || head.status() == 304))) {
      return head;
    }
    List<String> length = head.values("Content-Length");
    if (!head.values("Transfer-Encoding").isEmpty()) {
      return chunked(head);
    }
    if (!length.isEmpty()) {
      return with(head, in.readNBytes(Integer.parseInt(length.get(0))));
    }
    return answer ? with(head, in.readAllBytes()) : head;
  }

  Message message() throws IOException {
    return message(false);
  }

  private Message chunked(Message head) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    List<String> chunks = new ArrayList<>();
    for (String chunk = chunk(); !chunk.isEmpty(); chunk = chunk()) {
      chunks.add(chunk);
      body.writeBytes(chunk.getBytes(StandardCharsets.ISO_8859_1));
    }
    return new Message(head.start(), head.fields(), body.toByteArray(), chunks, fields(lines()));
  }

  /** One chunk; empty for the last, after which the trailers follow. */
  String chunk() throws IOException {
    int size = Integer.parseInt(line().split(";")[0].strip().toLowerCase(Locale.ROOT), 16);
    if (size == 0) {
      return "";
    }
    byte[] data = in.readNBytes(size);
    if (data.length < size || !line().isEmpty()) {
      throw new IOException("a chunk that is not whole");
    }
    return new String(data, StandardCharsets.ISO_8859_1);
  }

  private static Message with(Message head, byte[] body) {
    return new Message(head.start(), head.fields(), body, List.of(), List.of());
  }

  private static List<Field> fields(List<String> lines) {
    return lines.stream()
        .map(
            l -> new Field(l.substring(0, l.indexOf(':')), l.substring(l.indexOf(':') + 1).strip()))
        .toList();
  }

  /** Waits for the end of the connection; true for an orderly one, false for a reset. */
  boolean ended() {
    try {
      while (in.read() >= 0) {
        continue;
      }
      return true;
    } catch (java.net.SocketTimeoutException e) {
      throw new AssertionError("the connection is still there after 10 s", e);
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  /** Ends it as a crash does. */
  void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }
}

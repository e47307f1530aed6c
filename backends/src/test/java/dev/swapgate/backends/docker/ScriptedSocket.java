package dev.swapgate.backends.docker;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;

/** A daemon's socket that answers each request with the bytes it is told to, or not at all. */
final class ScriptedSocket implements AutoCloseable {
  /** Reads the request and never answers. */
  static final String SILENCE = "silence";

  /** Reads the request and closes the connection. */
  static final String HANG_UP = "";

  private final Path path;
  private final ServerSocketChannel server;
  private final Function<String, String> script;
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final CountDownLatch closed = new CountDownLatch(1);

  /**
   * @param script from the request line to the answer
   */
  ScriptedSocket(Path path, Function<String, String> script) throws IOException {
    this.path = path;
    this.script = script;
    this.server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(path), 200);
    Thread.ofVirtual().name("scripted-socket").start(this::accept);
  }

  URI address() {
    return URI.create("unix://" + path);
  }

  /** The request lines that came, in order. */
  List<String> requests() {
    return List.copyOf(requests);
  }

  private void accept() {
    try {
      while (true) {
        SocketChannel connection = server.accept();
        Thread.ofVirtual().name("scripted-connection").start(() -> serve(connection));
      }
    } catch (IOException isClosed) {
      closed.countDown();
    }
  }

  private void serve(SocketChannel connection) {
    try (connection) {
      ByteBuffer bytes = ByteBuffer.allocate(1 << 16);
      for (int n = connection.read(bytes); n > 0; n = connection.read(bytes.clear())) {
        String text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.US_ASCII);
        String line = text.lines().findFirst().orElse("");
        requests.add(line);
        String answer = script.apply(line);
        if (answer.equals(HANG_UP)) {
          return;
        }
        if (answer.equals(SILENCE)) {
          closed.await();
        }
        connection.write(ByteBuffer.wrap(answer.getBytes(StandardCharsets.UTF_8)));
        if (!answer.contains("\r\n\r\n") || answer.startsWith("HTTP/1.1 200 cut")) {
          return;
        }
      }
    } catch (IOException | InterruptedException gone) {
      // The caller left, or the test is over.
    }
  }

  /** A whole answer. */
  static String answer(String status, String json) {
    int length = json.getBytes(StandardCharsets.UTF_8).length;
    return "HTTP/1.1 "
        + status
        + "\r\nContent-Type: application/json\r\nContent-Length: "
        + length
        + "\r\n\r\n"
        + json;
  }

  /** An answer that promises more than it holds, after which the connection ends. */
  static String cut(String json) {
    return answer("200 cut", json + "x".repeat(100)).replace("x".repeat(100), "");
  }

  @Override
  public void close() throws IOException {
    server.close();
    closed.countDown();
  }
}

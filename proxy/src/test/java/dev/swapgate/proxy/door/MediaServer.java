package dev.swapgate.proxy.door;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server that answers with what it heard: the head of the request, and how long its body was. It
 * gives back each byte of what becomes a WebSocket.
 */
final class MediaServer implements AutoCloseable {
  private static final Pattern LENGTH = Pattern.compile("\r\nContent-Length: (\\d+)\r\n");

  private final ServerSocket door;

  /** The heads of all requests. */
  final List<String> heads = new CopyOnWriteArrayList<>();

  /** How many requests came to their end. */
  final AtomicInteger whole = new AtomicInteger();

  /** When answers are given. */
  volatile CompletableFuture<Void> answers = CompletableFuture.completedFuture(null);

  /** Completed with the first byte of a body. */
  final CompletableFuture<Void> firstBytes = new CompletableFuture<>();

  MediaServer() throws IOException {
    door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + door.getLocalPort());
  }

  private void accept() {
    try {
      while (true) {
        Socket client = door.accept();
        Thread.ofVirtual().start(() -> serve(client));
      }
    } catch (IOException closed) {
      // The test is over.
    }
  }

  private void serve(Socket client) {
    try (client) {
      InputStream in = client.getInputStream();
      for (String head = head(in); !head.isEmpty(); head = head(in)) {
        heads.add(head);
        OutputStream out = client.getOutputStream();
        if (head.contains("\r\nUpgrade: websocket\r\n")) {
          write(
              out,
              "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n"
                  + "Upgrade: websocket\r\n\r\n");
          in.transferTo(out);
          return;
        }
        long length = skip(in, head);
        whole.incrementAndGet();
        answers.join();
        String body = head + "body=" + length;
        write(
            out,
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: "
                + body.length()
                + "\r\n\r\n"
                + body);
      }
    } catch (IOException gone) {
      // The door has closed it.
    }
  }

  private long skip(InputStream in, String head) throws IOException {
    Matcher length = LENGTH.matcher(head);
    long left = length.find() ? Long.parseLong(length.group(1)) : 0;
    long all = left;
    byte[] buffer = new byte[8192];
    while (left > 0) {
      int read = in.read(buffer, 0, (int) Math.min(left, buffer.length));
      if (read < 0) {
        throw new IOException("the body ended early");
      }
      firstBytes.complete(null);
      left -= read;
    }
    return all;
  }

  private static String head(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    for (int next = in.read(); next >= 0; next = in.read()) {
      head.write(next);
      String text = next == '\n' ? head.toString(StandardCharsets.ISO_8859_1) : "";
      if (text.endsWith("\r\n\r\n")) {
        return text;
      }
    }
    return "";
  }

  private static void write(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.ISO_8859_1));
    out.flush();
  }

  @Override
  public void close() throws IOException {
    door.close();
  }
}

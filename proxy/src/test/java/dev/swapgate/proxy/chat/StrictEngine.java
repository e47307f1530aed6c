package dev.swapgate.proxy.chat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;

/**
 * An engine that takes nothing but the plainest form of a request, and keeps both: what it read and
 * what it could not. Each request is answered with an empty 200.
 */
final class StrictEngine implements AutoCloseable {
  private static final Pattern REQUEST_LINE =
      Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+ (/[!-~]*|\\*) HTTP/1\\.1");
  private static final Pattern FIELD =
      Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+: ([!-~\u0080-\u00ff]([\t -~\u0080-\u00ff]*)?)?");

  private static final Set<String> OF_ONE_CONNECTION =
      Set.of(
          "connection",
          "keep-alive",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade",
          "http2-settings",
          "expect");

  private final ServerSocket server;
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final List<String> faults = new CopyOnWriteArrayList<>();

  StrictEngine() throws IOException {
    server = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().name("strict-engine").start(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  /** Method, target and body of each request so far. */
  List<String> requests() {
    return requests;
  }

  /** What came that has not one clear meaning. */
  List<String> faults() {
    return faults;
  }

  private void accept() {
    while (true) {
      try {
        Socket socket = server.accept();
        Thread.ofVirtual().start(() -> serve(socket));
      } catch (IOException e) {
        return;
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      InputStream in = new java.io.BufferedInputStream(socket.getInputStream());
      while (request(in)) {
        socket
            .getOutputStream()
            .write(
                "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      }
    } catch (IOException e) {
      // A connection that ends between requests is nobody's fault.
      return;
    }
  }

  private boolean request(InputStream in) throws IOException {
    String first = line(in);
    if (first.isEmpty()) {
      return false;
    }
    int hosts = 0;
    int lengths = 0;
    int length = 0;
    boolean clear = REQUEST_LINE.matcher(first).matches();
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      String name = line.split(":", 2)[0].toLowerCase(Locale.ROOT);
      clear &= FIELD.matcher(line).matches() && !OF_ONE_CONNECTION.contains(name);
      hosts += name.equals("host") ? 1 : 0;
      if (name.equals("content-length")) {
        lengths++;
        length = Integer.parseInt(line.substring(line.indexOf(':') + 2));
      }
    }
    String body = new String(in.readNBytes(length), StandardCharsets.ISO_8859_1);
    if (!clear || hosts != 1 || lengths > 1) {
      faults.add(first);
    }
    String[] words = first.split(" ");
    requests.add(words[0] + " " + words[1] + (body.isEmpty() ? "" : " " + body));
    return true;
  }

  /** Up to CRLF; a lone CR or LF is a fault of its own. Empty at the end of the connection. */
  private String line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = in.read(); next >= 0; next = in.read()) {
      if (next == '\r') {
        if (in.read() != '\n') {
          faults.add("a bare CR after " + line);
        }
        return line.toString(StandardCharsets.ISO_8859_1);
      }
      if (next == '\n') {
        faults.add("a bare LF after " + line);
      }
      line.write(next);
    }
    if (line.size() > 0) {
      faults.add("cut short: " + line);
    }
    return "";
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}

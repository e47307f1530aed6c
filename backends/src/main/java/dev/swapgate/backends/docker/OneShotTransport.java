package dev.swapgate.backends.docker;

import com.github.dockerjava.transport.DockerHttpClient;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/**
 * One connection, one request without a body, one answer; then the connection is closed.
 *
 * <p>docker-java's own transports send a command again, after one second, when the answer is 503 or
 * 429 (seen on the wire with 3.7.1: the HTTP client inside repeats any request whose body it can
 * repeat, and this cannot be switched off). A second stop is a second SIGTERM, which kills an
 * engine's clean-up. This one never repeats, and it knows whether anything was sent.
 */
final class OneShotTransport implements DockerHttpClient {
  private static final int DEFAULT_TCP_PORT = 2375;

  private final URI address;

  OneShotTransport(URI address) {
    this.address = address;
  }

  @Override
  public Response execute(Request request) {
    try (SocketChannel connection = connect()) {
      OutputStream out = Channels.newOutputStream(connection);
      out.write(head(request).getBytes(StandardCharsets.US_ASCII));
      return HttpAnswer.read(new BufferedInputStream(Channels.newInputStream(connection)));
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private SocketChannel connect() {
    try {
      return SocketChannel.open(socketAddress());
    } catch (IOException refused) {
      throw new NotSentException("cannot reach Docker at " + address, refused);
    }
  }

  private SocketAddress socketAddress() {
    if ("unix".equals(address.getScheme())) {
      return UnixDomainSocketAddress.of(address.getPath());
    }
    int port = address.getPort() < 0 ? DEFAULT_TCP_PORT : address.getPort();
    return new InetSocketAddress(address.getHost(), port);
  }

  private static String head(Request request) {
    if (request.body() != null || request.bodyBytes() != null) {
      throw new IllegalArgumentException("a command with a body is not sent here: " + request);
    }
    StringBuilder head = new StringBuilder();
    head.append(request.method()).append(' ').append(request.path()).append(" HTTP/1.1\r\n");
    head.append("Host: docker\r\n");
    request.headers().forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
    return head.append("Content-Length: 0\r\nConnection: close\r\n\r\n").toString();
  }

  @Override
  public void close() {
    // Nothing outlives a request.
  }

  /** There was no connection, so nothing was sent. */
  static final class NotSentException extends UncheckedIOException {
    private static final long serialVersionUID = 1L;

    NotSentException(String message, IOException cause) {
      super(message, cause);
    }
  }
}

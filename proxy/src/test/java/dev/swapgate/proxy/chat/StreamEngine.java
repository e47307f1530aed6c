package dev.swapgate.proxy.chat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Answers each request with a stream of events that name its target. */
final class StreamEngine implements AutoCloseable {
  static final int EVENTS = 20;

  private final ServerSocket server;
  private volatile CountDownLatch begun = new CountDownLatch(0);

  StreamEngine() throws IOException {
    server = new ServerSocket(0, 1000, InetAddress.getLoopbackAddress());
    Wire.accept(server, wire -> Thread.ofVirtual().start(() -> serve(wire)));
  }

  int port() {
    return server.getLocalPort();
  }

  /** From now on no stream goes on before so many have begun. */
  CountDownLatch together(int streams) {
    begun = new CountDownLatch(streams);
    return begun;
  }

  /** One event of the stream for this target. */
  static String event(String target, int number) {
    return "data: {\"target\":\"" + target + "\",\"n\":" + number + "}\n\n";
  }

  private void serve(Wire wire) {
    try (wire) {
      wire.socket.setSoTimeout(0);
      while (true) {
        String target = wire.request().start().split(" ")[1];
        wire.send(
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n");
        CountDownLatch others = begun;
        others.countDown();
        others.await(60, TimeUnit.SECONDS);
        for (int i = 0; i < EVENTS; i++) {
          String event = event(target, i);
          wire.send(Integer.toHexString(event.length()) + "\r\n" + event + "\r\n");
        }
        wire.send("0\r\n\r\n");
      }
    } catch (IOException e) {
      // The connection was not wanted any more.
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}

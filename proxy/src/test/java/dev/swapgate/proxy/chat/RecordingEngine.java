package dev.swapgate.proxy.chat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** A server of raw bytes: it reads a request to its end, keeps it, and says what it was told to. */
final class RecordingEngine implements AutoCloseable {
  private final ServerSocket server;
  private final BlockingQueue<Wire.Message> requests = new LinkedBlockingQueue<>();
  private final Semaphore mayGoOn = new Semaphore(0);
  private volatile List<byte[]> answer = List.of();
  private volatile boolean closes;

  RecordingEngine() throws IOException {
    server = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
    Wire.accept(server, wire -> Thread.ofVirtual().start(() -> serve(wire)));
  }

  /**
   * Tells what to say to the requests from now on.
   *
   * @param pieces each but the first waits for {@link #goOn}
   * @param thenCloses whether the connection ends after it
   */
  void says(List<byte[]> pieces, boolean thenCloses) {
    answer = pieces;
    closes = thenCloses;
  }

  /** The next piece of the answer may be sent. */
  void goOn() {
    mayGoOn.release();
  }

  /** The request that was answered; none if somebody else answered it. */
  Optional<Wire.Message> request() {
    return Optional.ofNullable(requests.poll());
  }

  InetSocketAddress address() {
    return new InetSocketAddress("127.0.0.1", server.getLocalPort());
  }

  private void serve(Wire wire) {
    try (wire) {
      do {
        requests.add(wire.request());
        boolean first = true;
        for (byte[] piece : answer) {
          if (!first && !mayGoOn.tryAcquire(10, TimeUnit.SECONDS)) {
            throw new IOException("nobody took the piece before");
          }
          first = false;
          wire.send(piece);
        }
      } while (!closes);
    } catch (IOException e) {
      // The other side has had enough of this connection.
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

package dev.swapgate.proxy.chat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** An engine that does exactly what the test says: it hands out its connections. */
final class ScriptedEngine implements AutoCloseable {
  private final ServerSocket server;
  private final BlockingQueue<Wire> accepted = new LinkedBlockingQueue<>();

  ScriptedEngine() throws IOException {
    server = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
    Wire.accept(server, accepted::add);
  }

  int port() {
    return server.getLocalPort();
  }

  /** The next connection. */
  Wire next() throws InterruptedException {
    Wire wire = accepted.poll(10, TimeUnit.SECONDS);
    if (wire == null) {
      throw new AssertionError("no connection to the engine within 10 s");
    }
    return wire;
  }

  /** How many connections were made that nobody took yet. */
  int waiting() {
    return accepted.size();
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}

package dev.swapgate.proxy.forward;

import io.undertow.connector.PooledByteBuffer;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.protocol.http.HttpServerConnection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.xnio.XnioExecutor;
import org.xnio.conduits.ReadReadyHandler;
import org.xnio.conduits.StreamSourceConduit;

/**
 * Knows when the client of a request leaves, also while nothing is sent to it: the library itself
 * notices only at the next write, and an engine would work on a prefill for nobody. A client that
 * closes only its sending side counts as gone. Confined to the I/O thread.
 */
public final class ClientWatch {

  private static final int LOOK_MS = 250;

  private final HttpServerExchange exchange;
  private final Runnable gone;
  private final Runnable look;
  private XnioExecutor.@Nullable Key timer;
  private @Nullable Ear ear;
  private boolean stopped;

  /**
   * @param gone called once, when it has left
   * @param look called every 250 ms while it is there
   */
  public ClientWatch(HttpServerExchange exchange, Runnable gone, Runnable look) {
    this.exchange = exchange;
    this.gone = gone;
    this.look = look;
  }

  /** Begins, or begins anew after {@link #stop}. */
  public void start() {
    stopped = false;
    listen();
    lookLater();
  }

  private void lookLater() {
    timer = exchange.getIoThread().executeAfter(this::tick, LOOK_MS, TimeUnit.MILLISECONDS);
  }

  public void stop() {
    stopped = true;
    if (timer != null) {
      timer.remove();
    }
    if (ear != null) {
      ear.close();
      ear = null;
    }
  }

  private void tick() {
    if (stopped) {
      return;
    }
    if (!exchange.getConnection().isOpen()) {
      left();
      return;
    }
    look.run();
    if (!stopped) {
      lookLater();
    }
  }

  private void left() {
    stop();
    gone.run();
  }

  private void listen() {
    if (ear == null && exchange.getConnection() instanceof HttpServerConnection connection) {
      ear = new Ear(connection);
    }
  }

  /** In the library's place at the client's socket, which it leaves alone during an exchange. */
  private final class Ear implements ReadReadyHandler {
    private final HttpServerConnection connection;
    private final StreamSourceConduit socket;
    private final ReadReadyHandler library;

    Ear(HttpServerConnection connection) {
      this.connection = connection;
      this.socket = connection.getOriginalSourceConduit();
      this.library =
          new ReadReadyHandler.ChannelListenerHandler<>(connection.getChannel().getSourceChannel());
      socket.setReadReadyHandler(this);
      socket.resumeReads();
    }

    void close() {
      socket.suspendReads();
      socket.setReadReadyHandler(library);
    }

    @Override
    public void readReady() {
      if (hasLeft()) {
        left();
      } else if (connection.getExtraBytes() != null) {
        // What came is the next request, which waits for its turn.
        socket.suspendReads();
      }
    }

    @Override
    public void forceTermination() {
      library.forceTermination();
    }

    @Override
    public void terminated() {
      library.terminated();
    }
  }

  /** Looks now. */
  public boolean hasLeft() {
    if (!(exchange.getConnection() instanceof HttpServerConnection connection)) {
      return false;
    }
    if (!connection.isOpen()) {
      return true;
    }
    if (connection.getExtraBytes() != null) {
      // The next request is here already; what lies behind it must stay in order.
      return false;
    }
    PooledByteBuffer pooled = connection.getByteBufferPool().allocate();
    boolean handedOn = false;
    try {
      ByteBuffer buffer = pooled.getBuffer();
      int read = connection.getOriginalSourceConduit().read(buffer);
      if (read > 0) {
        buffer.flip();
        connection.ungetRequestBytes(pooled);
        handedOn = true;
      }
      return read < 0;
    } catch (IOException e) {
      return true;
    } finally {
      if (!handedOn) {
        pooled.close();
      }
    }
  }
}

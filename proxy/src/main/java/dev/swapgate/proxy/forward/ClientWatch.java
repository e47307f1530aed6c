package dev.swapgate.proxy.forward;

import io.undertow.connector.PooledByteBuffer;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.protocol.http.HttpServerConnection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.xnio.XnioExecutor;

/**
 * Looks every 250 ms whether the client of a request is still there, also while nothing is sent to
 * it: the library itself notices only at the next write, and an engine would work on a prefill for
 * nobody. A client that closes only its sending side counts as gone. Confined to the I/O thread.
 */
public final class ClientWatch {

  private static final int LOOK_MS = 250;

  private final HttpServerExchange exchange;
  private final Runnable gone;
  private final Runnable look;
  private XnioExecutor.@Nullable Key timer;
  private boolean stopped;

  /**
   * @param gone called once, when it has left
   * @param look called at each look that finds it present
   */
  public ClientWatch(HttpServerExchange exchange, Runnable gone, Runnable look) {
    this.exchange = exchange;
    this.gone = gone;
    this.look = look;
  }

  /** Begins, or begins anew after {@link #stop}. */
  public void start() {
    stopped = false;
    timer = exchange.getIoThread().executeAfter(this::tick, LOOK_MS, TimeUnit.MILLISECONDS);
  }

  public void stop() {
    stopped = true;
    if (timer != null) {
      timer.remove();
    }
  }

  private void tick() {
    if (stopped) {
      return;
    }
    if (hasLeft()) {
      stopped = true;
      gone.run();
      return;
    }
    look.run();
    if (!stopped) {
      start();
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

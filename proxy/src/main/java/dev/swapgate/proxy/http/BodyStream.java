package dev.swapgate.proxy.http;

import dev.swapgate.gate.runtime.SteadyClock;
import io.undertow.io.IoCallback;
import io.undertow.io.Sender;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.protocol.http.HttpContinue;
import io.undertow.util.Headers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.xnio.IoUtils;
import org.xnio.channels.StreamSourceChannel;

/**
 * A request body of known length, read piece by piece as somebody has room for it: an upload may be
 * larger than memory. Confined to its exchange's I/O thread.
 */
public final class BodyStream {

  /** A client that owes bytes and sends none for so long is dropped. */
  private static final Duration SILENCE = Duration.ofSeconds(30);

  private static final int TICK_MS = 5000;

  private final HttpServerExchange exchange;
  private final SteadyClock clock;
  private final long length;
  private long left;
  private @Nullable StreamSourceChannel channel;
  private Runnable whole = () -> {};
  private Duration owesSince;
  private boolean owes;

  private BodyStream(HttpServerExchange exchange, SteadyClock clock, long length) {
    this.exchange = exchange;
    this.clock = clock;
    this.length = length;
    this.left = length;
    this.owesSince = clock.now().steady();
  }

  /** Of a request with a {@code Content-Length}; nothing is read yet. */
  public static BodyStream of(HttpServerExchange exchange, SteadyClock clock) {
    return new BodyStream(exchange, clock, announced(exchange));
  }

  /** The length that a request announces; -1 when it announces none. */
  public static long announced(HttpServerExchange exchange) {
    String length = exchange.getRequestHeaders().getFirst(Headers.CONTENT_LENGTH);
    return length == null ? -1 : Long.parseLong(length);
  }

  /** Called once, on the I/O thread, after the last of it was read. */
  public void whenWhole(Runnable told) {
    whole = told;
  }

  public long length() {
    return length;
  }

  /**
   * Lets the client send, which may wait to be told so.
   *
   * @param more called whenever {@link #read} may have something after it had nothing
   */
  public void begin(Runnable more) {
    if (!HttpContinue.requiresContinueResponse(exchange)) {
      start(more);
      return;
    }
    HttpContinue.sendContinueResponse(
        exchange,
        new IoCallback() {
          @Override
          public void onComplete(HttpServerExchange same, Sender sender) {
            exchange.getIoThread().execute(() -> start(more));
          }

          @Override
          public void onException(HttpServerExchange same, Sender sender, IOException e) {
            IoUtils.safeClose(exchange.getConnection());
          }
        });
  }

  private void start(Runnable more) {
    StreamSourceChannel opened = exchange.getRequestChannel();
    if (opened == null) {
      throw new IllegalStateException("the request body was taken by someone else");
    }
    channel = opened;
    opened.getReadSetter().set(c -> more.run());
    tick();
    more.run();
  }

  /** As a channel reads: -1 at the end, 0 when there is nothing for now. */
  public int read(ByteBuffer into) throws IOException {
    StreamSourceChannel from = channel;
    if (left == 0) {
      return -1;
    }
    int read = from == null ? 0 : from.read(into);
    if (read < 0) {
      IoUtils.safeClose(exchange.getConnection());
      throw new IOException("the client's body ended " + left + " bytes early");
    }
    left -= read;
    if (from != null && left == 0) {
      from.suspendReads();
      HeadTap.whole(exchange);
      exchange.getIoThread().execute(whole);
    } else if (from != null && read == 0) {
      from.resumeReads();
    } else if (from != null) {
      from.suspendReads();
    }
    if (read > 0 || !owes) {
      owesSince = clock.now().steady();
    }
    owes = read == 0;
    return read;
  }

  public boolean isWhole() {
    return left == 0;
  }

  private void tick() {
    boolean over = left == 0 || exchange.isComplete() || !exchange.getConnection().isOpen();
    if (over) {
      return;
    }
    if (owes && clock.now().steady().minus(owesSince).compareTo(SILENCE) > 0) {
      IoUtils.safeClose(exchange.getConnection());
      return;
    }
    try {
      exchange.getIoThread().executeAfter(this::tick, TICK_MS, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      // The listener is being closed, and every connection with it.
      IoUtils.safeClose(exchange.getConnection());
    }
  }
}

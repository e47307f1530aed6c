package dev.swapgate.proxy.http;

import io.undertow.connector.PooledByteBuffer;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.protocol.http.HttpServerConnection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import org.xnio.StreamConnection;
import org.xnio.conduits.AbstractStreamSourceConduit;
import org.xnio.conduits.StreamSourceConduit;

/**
 * Remembers the bytes of each request's head while the library reads them. Confined to the I/O
 * thread of its connection.
 */
final class HeadTap extends AbstractStreamSourceConduit<StreamSourceConduit> {

  private static final byte[] NONE = {};
  private static final int FIRST_BYTES = 1024;

  /** The library refuses a head before this is full: its own limit and one buffer of it. */
  private static final int MOST_BYTES = Listener.MAX_HEADER_BYTES + 32 * 1024;

  private final StreamConnection connection;
  private final Crowd crowd;
  private byte[] seen = NONE;
  private int length;
  private boolean listening = true;
  private boolean overflown;

  HeadTap(StreamConnection connection, Crowd crowd) {
    super(connection.getSourceChannel().getConduit());
    this.connection = connection;
    this.crowd = crowd;
  }

  /**
   * The head of the request that has just been read, once; what follows is not listened to until
   * the exchange is over. Empty: it has not the strict form.
   */
  static Optional<RequestHead> take(HttpServerExchange exchange) {
    return of(exchange).take(exchange, (HttpServerConnection) exchange.getConnection());
  }

  /** The request of this exchange is here to its end. */
  static void whole(HttpServerExchange exchange) {
    HeadTap tap = of(exchange);
    tap.crowd.heard(tap.connection);
  }

  /** Whether no head has been taken since the last exchange was over. */
  boolean isListening() {
    return listening;
  }

  private static HeadTap of(HttpServerExchange exchange) {
    if (exchange.getConnection() instanceof HttpServerConnection connection
        && connection.getOriginalSourceConduit() instanceof HeadTap tap) {
      return tap;
    }
    throw new IllegalStateException("the exchange did not come through a listener of ours");
  }

  private Optional<RequestHead> take(HttpServerExchange exchange, HttpServerConnection http) {
    int behind = waiting(http).remaining();
    Optional<RequestHead> head =
        overflown || behind > length ? Optional.empty() : RequestHead.parse(seen, length - behind);
    listening = false;
    if (seen.length > FIRST_BYTES) {
      seen = NONE;
    }
    length = 0;
    exchange.addExchangeCompleteListener(
        (ended, next) -> {
          if (!ended.isUpgrade()) {
            listening = true;
            add(waiting(http));
            crowd.owes(connection);
          }
          next.proceed();
        });
    return head;
  }

  /** What was read of the connection and belongs to the body or to the next request. */
  private static ByteBuffer waiting(HttpServerConnection connection) {
    PooledByteBuffer extra = connection.getExtraBytes();
    return extra == null ? ByteBuffer.wrap(NONE) : extra.getBuffer().duplicate();
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    int from = into.position();
    int read = super.read(into);
    if (read > 0 && listening) {
      add(into.duplicate().position(from).limit(from + read));
    }
    return read;
  }

  @Override
  public long read(ByteBuffer[] into, int first, int count) throws IOException {
    for (int i = first; i < first + count; i++) {
      if (into[i].hasRemaining()) {
        return read(into[i]);
      }
    }
    return 0;
  }

  private void add(ByteBuffer bytes) {
    int more = bytes.remaining();
    if (length + more > MOST_BYTES) {
      overflown = true;
      return;
    }
    if (length + more > seen.length) {
      seen = Arrays.copyOf(seen, Math.max(Math.max(FIRST_BYTES, seen.length * 2), length + more));
    }
    bytes.get(seen, length, more);
    length += more;
  }
}

package dev.swapgate.proxy.forward;

import dev.swapgate.proxy.http.AnsweredBy;
import dev.swapgate.proxy.http.Field;
import dev.swapgate.proxy.http.RequestHead;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.HttpString;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.xnio.IoUtils;
import org.xnio.StreamConnection;
import org.xnio.conduits.ConduitStreamSinkChannel;
import org.xnio.conduits.ConduitStreamSourceChannel;

/**
 * A client and an engine that have left HTTP (a WebSocket): bytes go both ways untouched until
 * either side ends. Confined to one I/O thread.
 */
public final class Tunnel {

  private static final int BUFFER_BYTES = 16 * 1024;

  private final StreamConnection engine;
  private final Runnable ended;
  private @Nullable StreamConnection client;
  private boolean over;

  /**
   * @param ended called once, when both connections are closed
   */
  public Tunnel(StreamConnection engine, Runnable ended) {
    this.engine = engine;
    this.ended = ended;
  }

  /** Whether this request asks to become one. */
  public static boolean isAskedFor(HttpServerExchange exchange) {
    RequestHead head = RequestHead.of(exchange);
    if (!exchange.isHttp11() || !head.method().equals("GET")) {
      return false;
    }
    List<String> upgrade = head.values("Upgrade");
    return !upgrade.isEmpty()
        && upgrade.stream().allMatch(to -> to.equalsIgnoreCase("websocket"))
        && head.values("Connection").stream()
            .flatMap(value -> Arrays.stream(value.split(",")))
            .anyMatch(token -> token.strip().equalsIgnoreCase("upgrade"));
  }

  /** Answers the client's request to switch, and begins once that answer has left. */
  public void open(HttpServerExchange exchange, ResponseHead head, String by, ByteBuffer first) {
    byte[] early = new byte[first.remaining()];
    first.get(early);
    HopByHop hop = HopByHop.ofAnswer(head.values("Connection"));
    for (Field field : head.fields()) {
      if (!hop.holds(field.name().toLowerCase(Locale.ROOT))) {
        exchange.getResponseHeaders().add(HttpString.tryFromString(field.name()), field.value());
      }
    }
    exchange.getResponseHeaders().put(AnsweredBy.HEADER, by);
    exchange.upgradeChannel("websocket", (connection, same) -> join(connection, early));
    exchange.getConnection().addCloseListener(connection -> end());
    exchange.endExchange();
  }

  /** Closes both sides. */
  public void end() {
    if (!over) {
      over = true;
      IoUtils.safeClose(engine);
      IoUtils.safeClose(client);
      ended.run();
    }
  }

  private void join(StreamConnection connection, byte[] early) {
    client = connection;
    if (over) {
      IoUtils.safeClose(connection);
      return;
    }
    new Lane(connection.getSourceChannel(), engine.getSinkChannel(), new byte[0]).begin();
    new Lane(engine.getSourceChannel(), connection.getSinkChannel(), early).begin();
  }

  /** One direction. */
  private final class Lane {
    private final ConduitStreamSourceChannel from;
    private final ConduitStreamSinkChannel to;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    private boolean sourceEnded;

    Lane(ConduitStreamSourceChannel from, ConduitStreamSinkChannel to, byte[] early) {
      this.from = from;
      this.to = to;
      // What came first fits: it was read with a buffer of this size.
      buffer.put(early).flip();
    }

    void begin() {
      from.setReadListener(channel -> move());
      to.setWriteListener(channel -> move());
      from.resumeReads();
      move();
    }

    private void move() {
      try {
        while (!over) {
          while (buffer.hasRemaining()) {
            if (to.write(buffer) == 0) {
              from.suspendReads();
              to.resumeWrites();
              return;
            }
          }
          if (sourceEnded) {
            to.flush();
            end();
            return;
          }
          to.suspendWrites();
          int read = from.read(buffer.clear());
          buffer.flip();
          if (read == 0) {
            from.resumeReads();
            return;
          }
          sourceEnded = read < 0;
        }
      } catch (IOException e) {
        end();
      }
    }
  }
}

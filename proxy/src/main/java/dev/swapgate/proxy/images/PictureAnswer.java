package dev.swapgate.proxy.images;

import dev.swapgate.proxy.http.AnsweredBy;
import io.undertow.io.IoCallback;
import io.undertow.io.Sender;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.xnio.IoUtils;
import org.xnio.XnioExecutor;

/** Sends the pictures, the next piece when the one before was taken. Confined to the I/O thread. */
final class PictureAnswer implements IoCallback {

  /** As long as an answer of the chat side may lie unread. */
  private static final Duration STALL = Duration.ofSeconds(60);

  private final HttpServerExchange exchange;
  private final PictureStream pictures;
  private final Runnable whole;
  private XnioExecutor.@Nullable Key stall;

  /**
   * @param whole run when all of it was taken
   */
  PictureAnswer(HttpServerExchange exchange, PictureStream pictures, Runnable whole) {
    this.exchange = exchange;
    this.pictures = pictures;
    this.whole = whole;
  }

  void begin() {
    exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "application/json");
    exchange.getResponseHeaders().put(Headers.CACHE_CONTROL, "no-store");
    exchange.getResponseHeaders().put(AnsweredBy.HEADER, AnsweredBy.GATE);
    exchange.setResponseContentLength(pictures.length());
    exchange.addExchangeCompleteListener(
        (ended, next) -> {
          moved();
          IoUtils.safeClose(pictures);
          next.proceed();
        });
    send(exchange.getResponseSender());
  }

  private void send(Sender sender) {
    Optional<ByteBuffer> piece;
    try {
      piece = pictures.next();
    } catch (IOException e) {
      // An answer that breaks off must not look like a whole one.
      IoUtils.safeClose(exchange.getConnection());
      return;
    }
    if (piece.isEmpty()) {
      whole.run();
      exchange.endExchange();
      return;
    }
    stall =
        exchange
            .getIoThread()
            .executeAfter(
                () -> IoUtils.safeClose(exchange.getConnection()),
                STALL.toMillis(),
                TimeUnit.MILLISECONDS);
    sender.send(piece.get(), this);
  }

  private void moved() {
    if (stall != null) {
      stall.remove();
      stall = null;
    }
  }

  @Override
  public void onComplete(HttpServerExchange same, Sender sender) {
    moved();
    send(sender);
  }

  @Override
  public void onException(HttpServerExchange same, Sender sender, IOException e) {
    moved();
    IoUtils.safeClose(exchange.getConnection());
  }
}

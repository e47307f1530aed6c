package dev.swapgate.proxy.http;

import io.undertow.server.HttpServerExchange;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.xnio.IoUtils;

/** An answer of ours that its client does not take: the library would wait for ever. */
public final class UnreadAnswer {

  private UnreadAnswer() {}

  /** Closes the connection if the answer, which was sent just now, is not taken by then. */
  public static void letGoAfter(HttpServerExchange exchange, Duration patience) {
    if (exchange.isComplete()) {
      return;
    }
    Runnable close =
        () -> {
          if (!exchange.isComplete()) {
            IoUtils.safeClose(exchange.getConnection());
          }
        };
    try {
      exchange.getIoThread().executeAfter(close, patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      // The listener is being closed, and every connection with it.
      IoUtils.safeClose(exchange.getConnection());
    }
  }
}

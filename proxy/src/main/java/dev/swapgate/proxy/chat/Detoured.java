package dev.swapgate.proxy.chat;

import dev.swapgate.proxy.forward.ClientWatch;
import dev.swapgate.proxy.http.Detour;
import dev.swapgate.proxy.http.ErrorAnswer;
import io.undertow.server.HttpServerExchange;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.xnio.IoUtils;

/**
 * One request that is answered without an engine. It is outside of the turnstile and outside of the
 * hold room; nothing is sent until its answer is there, and a client that leaves is noticed.
 */
final class Detoured implements Detour.Caller {

  private final ChatRequest request;
  private final byte[] body;
  private final Duration writeStall;
  private final ClientWatch watch;
  private @Nullable Runnable whenGone;
  private boolean gone;
  private boolean answered;

  Detoured(ChatRequest request, Duration writeStall) {
    this.request = request;
    this.writeStall = writeStall;
    this.body = request.body().bytes();
    request.body().release();
    this.watch = new ClientWatch(request.exchange(), this::left, () -> {});
  }

  void begin(Detour detour) {
    watch.start();
    detour.take(this);
  }

  @Override
  public HttpServerExchange exchange() {
    return request.exchange();
  }

  @Override
  public byte[] body() {
    return body;
  }

  @Override
  public void whenGone(Runnable told) {
    onIoThread(
        () -> {
          if (gone) {
            told.run();
          } else {
            whenGone = told;
          }
        });
  }

  private void left() {
    gone = true;
    request.entry().clientLeft();
    if (whenGone != null) {
      whenGone.run();
    }
  }

  @Override
  public void refuse(ErrorAnswer error) {
    answer(() -> request.entry().refuse(request.api(), error, writeStall));
  }

  @Override
  public void answer(Runnable sending) {
    onIoThread(
        () -> {
          if (gone || answered) {
            return;
          }
          watch.stop();
          // An answer to one who left would be taken for given.
          if (watch.hasLeft()) {
            left();
            return;
          }
          answered = true;
          sending.run();
        });
  }

  private void onIoThread(Runnable what) {
    if (exchange().isInIoThread()) {
      what.run();
    } else {
      try {
        exchange().getIoThread().execute(what);
      } catch (RejectedExecutionException e) {
        // The listener is being closed, and every connection with it.
        IoUtils.safeClose(exchange().getConnection());
      }
    }
  }
}

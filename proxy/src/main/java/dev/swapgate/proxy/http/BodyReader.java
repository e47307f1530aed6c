package dev.swapgate.proxy.http;

import dev.swapgate.gate.runtime.SteadyClock;
import io.undertow.io.IoCallback;
import io.undertow.io.Sender;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.protocol.http.HttpContinue;
import io.undertow.server.protocol.http.HttpServerConnection;
import io.undertow.util.Headers;
import io.undertow.util.SameThreadExecutor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.xnio.IoUtils;
import org.xnio.XnioExecutor;
import org.xnio.channels.StreamSourceChannel;

/**
 * Reads whole request bodies on the I/O thread, without a worker: with blocking reads 800 slow
 * clients took the service down. A body that is refused is still read to its end, within limits: an
 * early answer on a large body reaches some clients as a reset.
 *
 * @param limit the largest body that is kept
 * @param patience how long a body may take, plus its bytes at {@link #MIN_BYTES_PER_SECOND}
 */
public record BodyReader(ByteBudget budget, long limit, Duration patience, SteadyClock clock) {

  /** Slower than any real upload; a total limit alone would cut large images on slow links. */
  static final long MIN_BYTES_PER_SECOND = 256 * 1024;

  /** So much more than the limit is read and thrown away, to be able to answer properly. */
  private static final int DISCARD_FACTOR = 4;

  private static final int TICK_MS = 1000;
  private static final int SCRAP_BYTES = 16 * 1024;

  /** How reading ended. */
  public sealed interface Outcome {}

  /** All of it is here; whoever receives it releases it. */
  public record Whole(Body body) implements Outcome {}

  /** Not kept; the answer that says why. */
  public record Refused(ErrorAnswer error) implements Outcome {}

  /** Not kept: the budget of bytes in memory is used up for now. */
  public record NoRoom() implements Outcome {}

  /** The client left, or what it sent is no body. The connection is closed already. */
  public record Gone() implements Outcome {}

  /** Reads; the outcome comes on the I/O thread, outside of any call of the handler's. */
  public void read(HttpServerExchange exchange, Consumer<Outcome> outcome) {
    exchange.dispatch(
        SameThreadExecutor.INSTANCE, (Runnable) () -> new Reading(exchange, outcome).begin());
  }

  private final class Reading implements IoCallback {
    private final HttpServerExchange exchange;
    private final Consumer<Outcome> outcome;
    private final Body body = new Body(budget);
    private @Nullable ByteBuffer scrap;
    private final Duration began = clock.now().steady();
    private final long expected;
    private long received;
    private @Nullable Outcome refused;
    private @Nullable StreamSourceChannel channel;
    private @Nullable RawChunks chunks;
    private XnioExecutor.@Nullable Key timer;
    private boolean over;

    Reading(HttpServerExchange exchange, Consumer<Outcome> outcome) {
      this.exchange = exchange;
      this.outcome = outcome;
      String length = exchange.getRequestHeaders().getFirst(Headers.CONTENT_LENGTH);
      this.expected = length == null ? -1 : Long.parseLong(length);
    }

    void begin() {
      if (exchange.isRequestComplete()) {
        end(new Whole(body));
        return;
      }
      if (expected > limit) {
        refused = tooLarge();
        if (expected > limit * DISCARD_FACTOR || HttpContinue.requiresContinueResponse(exchange)) {
          exchange.setPersistent(false);
          end(tooLarge());
          return;
        }
      }
      if (HttpContinue.requiresContinueResponse(exchange)) {
        HttpContinue.sendContinueResponse(exchange, this);
      } else {
        start();
      }
    }

    @Override
    public void onComplete(HttpServerExchange same, Sender sender) {
      if (exchange.isInIoThread()) {
        start();
      } else {
        exchange.dispatch(exchange.getIoThread(), (Runnable) this::start);
      }
    }

    @Override
    public void onException(HttpServerExchange same, Sender sender, IOException e) {
      gone();
    }

    private void start() {
      StreamSourceChannel opened = exchange.getRequestChannel();
      if (opened == null) {
        throw new IllegalStateException("the request body was taken by someone else");
      }
      channel = opened;
      if (expected < 0 && exchange.getConnection() instanceof HttpServerConnection connection) {
        chunks = new RawChunks(exchange, connection);
      }
      opened.getReadSetter().set(c -> readOn(opened));
      readOn(opened);
      if (!over) {
        lookLater();
      }
    }

    private void readOn(StreamSourceChannel from) {
      try {
        while (!over) {
          ByteBuffer into = place();
          int read = chunks == null ? from.read(into) : chunks.read(into);
          if (read == 0) {
            from.resumeReads();
            return;
          }
          if (read < 0) {
            from.suspendReads();
            end(refused != null ? refused : new Whole(body));
            return;
          }
          arrived(read);
        }
      } catch (IOException e) {
        gone();
      } catch (ChunkException e) {
        malformed(e);
      } catch (RuntimeException e) {
        gone();
        throw e;
      }
    }

    private void malformed(ChunkException e) {
      body.release();
      if (chunks != null) {
        chunks.abandon();
      }
      end(
          new Refused(
              ErrorAnswer.invalid(400, "bad_request", "swapgate: the body has " + e.getMessage())));
    }

    private ByteBuffer place() {
      if (refused == null) {
        ByteBuffer tail = body.tail(expected < 0 ? Long.MAX_VALUE : expected - received);
        if (tail.hasRemaining()) {
          return tail;
        }
        body.release();
        refused = new NoRoom();
      }
      if (scrap == null) {
        scrap = ByteBuffer.allocate(SCRAP_BYTES);
      }
      return scrap.clear();
    }

    private void arrived(int read) {
      received += read;
      if (refused == null) {
        body.filled(read);
      }
      if (received > limit && refused == null) {
        body.release();
        refused = tooLarge();
      }
      if (received > limit * DISCARD_FACTOR && refused != null) {
        exchange.setPersistent(false);
        end(refused);
      }
    }

    private void tick() {
      if (over) {
        return;
      }
      Duration allowed = patience.plus(Duration.ofSeconds(received / MIN_BYTES_PER_SECOND));
      if (clock.now().steady().minus(began).compareTo(allowed) > 0) {
        body.release();
        exchange.setPersistent(false);
        end(tooSlow(allowed));
        return;
      }
      lookLater();
    }

    private void lookLater() {
      try {
        timer = exchange.getIoThread().executeAfter(this::tick, TICK_MS, TimeUnit.MILLISECONDS);
      } catch (RejectedExecutionException e) {
        // The listener is being closed.
        gone();
      }
    }

    private void gone() {
      if (!over) {
        body.release();
        IoUtils.safeClose(exchange.getConnection());
        end(new Gone());
      }
    }

    private void end(Outcome how) {
      over = true;
      if (timer != null) {
        timer.remove();
      }
      if (channel != null) {
        channel.suspendReads();
      }
      HeadTap.whole(exchange);
      outcome.accept(how);
    }

    private Refused tooLarge() {
      return new Refused(
          ErrorAnswer.invalid(
              413,
              "request_too_large",
              "swapgate: the request body is larger than the limit of " + limit + " bytes"));
    }

    private Refused tooSlow(Duration allowed) {
      return new Refused(
          ErrorAnswer.invalid(
              408,
              "request_timeout",
              "swapgate: the request body did not arrive within "
                  + allowed.toSeconds()
                  + " seconds; "
                  + received
                  + " bytes were read"));
    }
  }
}

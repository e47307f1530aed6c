package dev.swapgate.proxy.forward;

import dev.swapgate.gate.runtime.SteadyClock;
import io.undertow.server.HttpServerExchange;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * One request that is held silently: nothing is sent until the turnstile opens, the hold is over or
 * the client leaves. It never enters the turnstile while it waits. Confined to the I/O thread.
 */
public final class Held {

  /** What becomes of it; exactly one is called. */
  public interface Way {
    /** Its turn has come: true if it went through. */
    boolean tryAgain();

    void expired();

    void clientLeft();
  }

  private final HttpServerExchange exchange;
  private final HoldRoom room;
  private final SteadyClock clock;
  private final BooleanSupplier open;
  private final Duration until;
  private final Way way;
  private final ClientWatch watch;
  private boolean called;
  private boolean over;

  public Held(
      HttpServerExchange exchange,
      HoldRoom room,
      SteadyClock clock,
      BooleanSupplier open,
      Duration length,
      Way way) {
    this.exchange = exchange;
    this.room = room;
    this.clock = clock;
    this.open = open;
    this.until = clock.now().steady().plus(length);
    this.way = way;
    this.watch = new ClientWatch(exchange, this::clientLeft, this::look);
  }

  /** Begins to wait; false: the room is full, and nothing was done. */
  public boolean begin() {
    if (!room.enter()) {
      return false;
    }
    exchange.addExchangeCompleteListener(
        (ended, next) -> {
          leave();
          next.proceed();
        });
    watch.start();
    return true;
  }

  private void look() {
    if (called) {
      return;
    }
    Duration now = clock.now().steady();
    if (open.getAsBoolean()) {
      called = true;
      exchange
          .getIoThread()
          .executeAfter(this::turn, room.turn(now).toMillis(), TimeUnit.MILLISECONDS);
    } else if (now.compareTo(until) >= 0) {
      leave();
      way.expired();
    }
  }

  private void turn() {
    called = false;
    if (over) {
      return;
    }
    watch.stop();
    if (way.tryAgain()) {
      leave();
    } else {
      watch.start();
    }
  }

  private void clientLeft() {
    leave();
    way.clientLeft();
  }

  private void leave() {
    if (!over) {
      over = true;
      watch.stop();
      room.leave();
    }
  }
}

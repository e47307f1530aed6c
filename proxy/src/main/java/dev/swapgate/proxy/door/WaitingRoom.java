package dev.swapgate.proxy.door;

import dev.swapgate.gate.runtime.SteadyClock;
import dev.swapgate.proxy.forward.Held;
import dev.swapgate.proxy.forward.HoldRoom;
import dev.swapgate.proxy.forward.Tunnel;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Where requests wait for the server, nothing said, until it answers or will not come. Thread-safe;
 * each request is confined to its I/O thread.
 */
final class WaitingRoom {

  /** Each is a connection that waits: as many as for pictures. */
  private static final int HELD = 64;

  /** Pages that were left open ask again and again; they take no place from others. */
  private static final int PAGES_HELD = 64;

  /** Beyond what any client waits. */
  private static final Duration PATIENCE = Duration.ofHours(1);

  /** A page's WebSocket asks again three times a second when it is refused. */
  private static final Duration PAGE_PATIENCE = Duration.ofSeconds(60);

  private final HoldRoom room = new HoldRoom(HELD);
  private final HoldRoom pages = new HoldRoom(PAGES_HELD);
  private final DoorVisit visit;
  private final SteadyClock clock;
  private final DoorErrors errors;
  private final Consumer<DoorRequest> pass;

  /**
   * @param pass lets a request through to the server
   */
  WaitingRoom(DoorVisit visit, SteadyClock clock, DoorErrors errors, Consumer<DoorRequest> pass) {
    this.visit = visit;
    this.clock = clock;
    this.errors = errors;
    this.pass = pass;
  }

  /**
   * Holds it, or refuses it.
   *
   * @param keep how long it wants the server, if it may wake it
   */
  void hold(DoorRequest request, Duration keep) {
    boolean wakes = request.use().wakes();
    if (!wakes && !Tunnel.isAskedFor(request.exchange())) {
      request.refuse(errors.asleep());
      return;
    }
    Waiting waiting = new Waiting(request);
    Held held =
        new Held(
            request.exchange(),
            wakes ? room : pages,
            clock,
            () -> wakes ? !(visit.stand() instanceof Stand.Coming) : isAwake(),
            wakes ? PATIENCE : PAGE_PATIENCE,
            waiting);
    if (!held.begin()) {
      request.refuse(errors.busy((wakes ? HELD : PAGES_HELD) + " requests wait already"));
    } else if (wakes) {
      waiting.count();
      visit.want(keep);
    }
  }

  private boolean isAwake() {
    return visit.stand() instanceof Stand.Awake;
  }

  /** What becomes of a request that is held. */
  private final class Waiting implements Held.Way {
    private final DoorRequest request;
    private boolean counted;

    Waiting(DoorRequest request) {
      this.request = request;
    }

    /** From now on the visit goes on for it. */
    void count() {
      counted = true;
      visit.waits();
      request
          .exchange()
          .addExchangeCompleteListener(
              (ended, next) -> {
                countNoMore();
                next.proceed();
              });
    }

    private void countNoMore() {
      if (counted) {
        counted = false;
        visit.waitsNoMore();
      }
    }

    @Override
    public boolean tryAgain() {
      Stand stand = visit.stand();
      if (stand instanceof Stand.Coming) {
        return false;
      }
      countNoMore();
      switch (stand) {
        case Stand.Awake awake -> pass.accept(request);
        case Stand.Refused refused -> request.refuse(refused.error());
        case Stand.Asleep asleep -> request.refuse(errors.asleep());
        case Stand.Coming coming -> throw new IllegalStateException("looked at before");
      }
      return true;
    }

    @Override
    public void expired() {
      request.refuse(errors.asleep());
    }

    @Override
    public void clientLeft() {
      request.gone();
    }
  }
}

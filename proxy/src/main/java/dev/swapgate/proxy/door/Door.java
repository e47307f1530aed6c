package dev.swapgate.proxy.door;

import dev.swapgate.gate.runtime.Gate;
import dev.swapgate.gate.runtime.SteadyClock;
import dev.swapgate.proxy.forward.AccessEntry;
import dev.swapgate.proxy.forward.AccessEntry.End;
import dev.swapgate.proxy.forward.UpstreamAddress;
import dev.swapgate.proxy.forward.UpstreamPool;
import dev.swapgate.proxy.http.AnsweredBy;
import dev.swapgate.proxy.http.Body;
import dev.swapgate.proxy.http.BodyReader;
import dev.swapgate.proxy.http.BodyStream;
import dev.swapgate.proxy.http.ByteBudget;
import dev.swapgate.proxy.http.OriginGuard;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.SameThreadExecutor;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xnio.IoUtils;

/**
 * A media server's own port. Asleep, a browser is shown a page and everything else begins a visit
 * and is held; awake, everything passes. Thread-safe; each request is confined to its I/O thread.
 */
public final class Door implements DoorPassage.House, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Door.class);

  /** A larger body of known length is read only as it is sent on. */
  static final long IN_MEMORY = 1024 * 1024;

  private static final long ALL_IN_MEMORY = 64L << 20;
  private static final Duration BODY_PATIENCE = Duration.ofSeconds(30);
  private static final int LOOK_MS = 1000;

  private final SteadyClock clock;
  private final DoorSettings settings;
  private final BiConsumer<String, String> tally;
  private final UpstreamAddress server;
  private final UpstreamPool pool = new UpstreamPool();
  private final DoorVisit visit;
  private final BodyReader bodies;
  private final OwnPages own;
  private final DoorErrors errors;
  private final WaitingRoom waiting;
  private final ScheduledExecutorService timer;

  /**
   * Listens to the gate from now on.
   *
   * @param underWay asks the server what it is at work on, as its adapter does; may block
   * @param executor runs what may block
   * @param tally counts who answered, and how it ended
   */
  public static Door open(
      Gate gate,
      SteadyClock clock,
      DoorSettings settings,
      Supplier<Optional<String>> underWay,
      Executor executor,
      BiConsumer<String, String> tally) {
    ServerWork work = new ServerWork(underWay, executor, clock, settings.longestWork());
    DoorVisit visit = new DoorVisit(gate, clock, settings.backend(), work, settings.idle());
    gate.listen(visit);
    Door door = new Door(gate, clock, settings, visit, tally);
    var unused =
        door.timer.scheduleWithFixedDelay(door::look, LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS);
    return door;
  }

  private Door(
      Gate gate,
      SteadyClock clock,
      DoorSettings settings,
      DoorVisit visit,
      BiConsumer<String, String> tally) {
    this.clock = clock;
    this.settings = settings;
    this.visit = visit;
    this.tally = tally;
    this.server = UpstreamAddress.of(settings.url());
    long limit = Math.max(settings.requestBody(), IN_MEMORY);
    this.bodies =
        new BodyReader(new ByteBudget(Math.max(ALL_IN_MEMORY, limit)), limit, BODY_PATIENCE, clock);
    this.own = new OwnPages(gate, clock, settings, visit);
    this.errors = new DoorErrors(gate, settings.backend());
    this.waiting = new WaitingRoom(visit, clock, errors, this::pass);
    this.timer =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("swapgate-door-" + settings.backend()).factory());
  }

  /** What answers at the door; pages of other origins are kept away from all of it. */
  public HttpHandler handler() {
    return OriginGuard.ofNearNames(settings.boundHost(), settings.hosts(), this::handle);
  }

  /** Called each second. */
  void look() {
    try {
      visit.look();
    } catch (RuntimeException e) {
      LOG.error("event=door_failed backend={}", settings.backend(), e);
    }
  }

  private void handle(HttpServerExchange exchange) {
    AccessEntry entry = new AccessEntry(exchange, clock, tally);
    if (BodyStream.announced(exchange) > IN_MEMORY) {
      exchange.dispatch(
          SameThreadExecutor.INSTANCE, (Runnable) () -> guarded(exchange, entry, Optional.empty()));
      return;
    }
    bodies.read(exchange, outcome -> read(exchange, entry, outcome));
  }

  private void read(HttpServerExchange exchange, AccessEntry entry, BodyReader.Outcome outcome) {
    switch (outcome) {
      case BodyReader.Whole whole -> guarded(exchange, entry, Optional.of(whole.body()));
      case BodyReader.Refused refused -> unread(exchange, entry).refuse(refused.error());
      case BodyReader.NoRoom full ->
          unread(exchange, entry).refuse(errors.busy("too many large requests"));
      case BodyReader.Gone gone -> {
        entry.ended(End.GONE);
        exchange.endExchange();
      }
    }
  }

  private static DoorRequest unread(HttpServerExchange exchange, AccessEntry entry) {
    return new DoorRequest(exchange, Use.ITSELF, Optional.empty(), entry);
  }

  private void guarded(HttpServerExchange exchange, AccessEntry entry, Optional<Body> body) {
    try {
      decide(new DoorRequest(exchange, Use.of(exchange), body, entry));
    } catch (RuntimeException e) {
      // A fault of ours must not leave a client waiting for ever.
      LOG.error("event=request_failed backend={}", settings.backend(), e);
      IoUtils.safeClose(exchange.getConnection());
      exchange.endExchange();
    }
  }

  private void decide(DoorRequest request) {
    if (OwnPages.isOwn(request)) {
      own.answer(request);
      return;
    }
    Stand stand = visit.stand();
    if (stand instanceof Stand.Awake) {
      pass(request);
    } else if (Use.asksForPage(request.exchange())) {
      own.show(request, stand);
    } else if (stand instanceof Stand.Refused refused) {
      request.refuse(refused.error());
    } else {
      waiting.hold(request, keep(request.use()));
    }
  }

  private void pass(DoorRequest request) {
    if (request.use().wakes()) {
      visit.want(keep(request.use()));
    } else if (request.use().keeps()) {
      visit.prolong(keep(request.use()));
    }
    new DoorPassage(this, request).begin();
  }

  private Duration keep(Use use) {
    return use == Use.PROGRAM ? DoorVisit.SHORT : settings.idle();
  }

  private boolean isAwake() {
    return visit.stand() instanceof Stand.Awake;
  }

  @Override
  public SteadyClock clock() {
    return clock;
  }

  @Override
  public UpstreamPool pool() {
    return pool;
  }

  @Override
  public Duration writeStall() {
    return DoorRequest.PATIENCE;
  }

  @Override
  public UpstreamAddress server() {
    return server;
  }

  @Override
  public String answeredBy() {
    return AnsweredBy.media(settings.backend().value());
  }

  @Override
  public void works() {
    visit.waits();
  }

  @Override
  public void worksNoMore() {
    visit.waitsNoMore();
  }

  @Override
  public void gives(DoorRequest request) {
    if (request.use().keeps()) {
      visit.prolong(keep(request.use()));
    }
  }

  @Override
  public Duration longestWork() {
    return settings.longestWork();
  }

  @Override
  public void unreachable(DoorRequest request, String why) {
    if (isAwake()) {
      request.entry().failedUpstream(why);
      request.refuse(DoorErrors.failed(why));
    } else {
      // It was going down just then: the request is as good as one that came a moment later.
      decide(request);
    }
  }

  /** Ends the looks; a lease ends by itself unless another swapgate goes on with it. */
  @Override
  public void close() {
    timer.shutdownNow();
  }
}

package dev.swapgate.proxy.chat;

import dev.swapgate.gate.core.GateView;
import dev.swapgate.gate.runtime.Gate;
import dev.swapgate.gate.runtime.SteadyClock;
import dev.swapgate.proxy.fallback.Fallback;
import dev.swapgate.proxy.forward.AccessEntry;
import dev.swapgate.proxy.forward.AccessEntry.End;
import dev.swapgate.proxy.forward.Held;
import dev.swapgate.proxy.forward.HoldRoom;
import dev.swapgate.proxy.http.AnsweredBy;
import dev.swapgate.proxy.http.ApiShape;
import dev.swapgate.proxy.http.Body;
import dev.swapgate.proxy.http.BodyReader;
import dev.swapgate.proxy.http.ByteBudget;
import dev.swapgate.proxy.http.Detour;
import dev.swapgate.proxy.http.ErrorAnswer;
import dev.swapgate.proxy.http.RequestHead;
import dev.swapgate.proxy.http.UnreadAnswer;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xnio.IoUtils;

/**
 * The front door of chat: reads the whole request, then lets it through the turnstile, answers it
 * from memory, holds it, or refuses it; a refusal costs no call to an engine. Everything of one
 * request happens on its connection's I/O thread. Thread-safe.
 */
public final class AdmissionHandler implements HttpHandler {

  private static final Logger LOG = LoggerFactory.getLogger(AdmissionHandler.class);

  private final Gate gate;
  private final SteadyClock clock;
  private final ChatWitness witness;
  private final Detour detour;
  private volatile Duration tailHold;
  private final Duration writeStall;
  private final ByteBudget budget;
  private final BodyReader bodies;
  private final ModelsCache models;
  private final EngineProxy engines;
  private final Elsewhere elsewhere;
  private final HoldRoom holdRoom;
  private final ChatCounters counters = new ChatCounters();

  /**
   * Listens to the gate from now on, for cuts at the end of a drain.
   *
   * @param fallback the present fallback providers; asked for each request, so that it can change
   */
  public static AdmissionHandler open(
      Gate gate,
      SteadyClock clock,
      ChatSettings settings,
      ChatWitness witness,
      Supplier<Fallback> fallback) {
    return open(gate, clock, settings, witness, fallback, Detour.NONE);
  }

  /**
   * As {@link #open(Gate, SteadyClock, ChatSettings, ChatWitness, Supplier)}.
   *
   * @param detour takes what is no engine's to answer
   */
  public static AdmissionHandler open(
      Gate gate,
      SteadyClock clock,
      ChatSettings settings,
      ChatWitness witness,
      Supplier<Fallback> fallback,
      Detour detour) {
    AdmissionHandler handler =
        new AdmissionHandler(gate, clock, settings, witness, fallback, detour);
    gate.listen(handler.engines);
    return handler;
  }

  private AdmissionHandler(
      Gate gate,
      SteadyClock clock,
      ChatSettings settings,
      ChatWitness witness,
      Supplier<Fallback> fallback,
      Detour detour) {
    this.gate = gate;
    this.detour = detour;
    this.clock = clock;
    this.witness = witness;
    this.tailHold = settings.tailHold();
    ChatSettings.Limits limits = settings.limits();
    this.writeStall = limits.writeStall();
    this.budget = new ByteBudget(limits.bufferedBytes());
    this.bodies = new BodyReader(budget, limits.requestBody(), limits.bodyPatience(), clock);
    this.models = ModelsCache.open(settings.stateDir());
    this.engines = new EngineProxy(gate, clock, settings, models);
    this.elsewhere = new Elsewhere(fallback, clock, writeStall, gate.turnstile()::isOpen);
    this.holdRoom = new HoldRoom(limits.held());
  }

  /**
   * From the next request on, other model names and another tail hold; the rest stays as it was.
   */
  public void reconfigure(ChatSettings settings) {
    tailHold = settings.tailHold();
    engines.reconfigure(settings);
  }

  public ChatCounters counters() {
    return counters;
  }

  /** How many requests are held silently now. */
  public int held() {
    return holdRoom.held();
  }

  /** Bytes of request bodies in memory now, over all requests. */
  public long bufferedBytes() {
    return budget.used();
  }

  /** Ends visibly what fallback providers are answering; swapgate stops. */
  public void endFallback() {
    elsewhere.stop();
  }

  @Override
  public void handleRequest(HttpServerExchange exchange) {
    AccessEntry entry = new AccessEntry(exchange, clock, counters::add);
    String path = rawPath(exchange);
    Optional<Profiles.Chosen> chosen = Profiles.choose(path);
    bodies.read(
        exchange,
        outcome -> {
          try {
            read(exchange, entry, path, chosen, outcome);
          } catch (RuntimeException e) {
            // A fault of ours must not leave a client waiting for ever.
            LOG.error("event=request_failed path={}", path, e);
            IoUtils.safeClose(exchange.getConnection());
            exchange.endExchange();
          }
        });
  }

  private void read(
      HttpServerExchange exchange,
      AccessEntry entry,
      String path,
      Optional<Profiles.Chosen> chosen,
      BodyReader.Outcome outcome) {
    switch (outcome) {
      case BodyReader.Whole whole -> {
        if (chosen.isEmpty()) {
          whole.body().release();
          entry.refuse(api(path, chosen), unknownProfile(path), writeStall);
          return;
        }
        decide(request(exchange, entry, chosen.get(), whole.body()));
      }
      case BodyReader.Refused refused ->
          entry.refuse(api(path, chosen), refused.error(), writeStall);
      case BodyReader.NoRoom full ->
          entry.refuse(
              api(path, chosen),
              noRoom(chosen.map(Profiles.Chosen::profile).orElse(Profile.HONEST)),
              writeStall);
      case BodyReader.Gone gone -> {
        entry.ended(End.GONE);
        exchange.endExchange();
      }
    }
  }

  private static ApiShape api(String path, Optional<Profiles.Chosen> chosen) {
    return ApiShape.of(chosen.map(Profiles.Chosen::rest).orElse(path));
  }

  private static ChatRequest request(
      HttpServerExchange exchange, AccessEntry entry, Profiles.Chosen chosen, Body body) {
    String origin = RequestHead.of(exchange).originForm();
    int query = origin.indexOf('?');
    String target = query < 0 ? chosen.rest() : chosen.rest() + origin.substring(query);
    return new ChatRequest(
        exchange, chosen.name(), chosen.profile(), chosen.rest(), target, body, entry);
  }

  /** The path as it was sent, with nothing decoded; of an absolute form only the path. */
  private static String rawPath(HttpServerExchange exchange) {
    String target = RequestHead.of(exchange).originForm();
    int query = target.indexOf('?');
    return query < 0 ? target : target.substring(0, query);
  }

  private void decide(ChatRequest request) {
    if (detour.takes(request.exchange(), request.path(), request.body())) {
      new Detoured(request, writeStall).begin(detour);
      return;
    }
    if (engines.enter(request)) {
      return;
    }
    GateView view = gate.view();
    Optional<ModelsCache.Remembered> known =
        ModelsCache.concerns(request)
            ? models.find(view.selected(), request.path())
            : Optional.empty();
    if (known.isPresent()) {
      giveFromMemory(request, known.get());
      return;
    }
    if (!elsewhere.begin(request, view, why -> declined(request, why))) {
      holdOrRefuse(request, view, new Declined.NotServed());
    }
  }

  /** No provider answered it, and meanwhile the engine may be back. */
  private void declined(ChatRequest request, Declined why) {
    if (!engines.enter(request)) {
      holdOrRefuse(request, gate.view(), why);
    }
  }

  private void holdOrRefuse(ChatRequest request, GateView view, Declined why) {
    Duration hold = hold(view, request.profile());
    if (hold.isZero() || !hold(request, hold, why)) {
      refuse(request, why);
    } else {
      witness.held();
    }
  }

  private Duration hold(GateView view, Profile profile) {
    if (view.refusal() != GateView.Refusal.RATE_LIMIT) {
      return Duration.ZERO;
    }
    return profile.hold(view.outlook().left(clock.now()), tailHold);
  }

  private boolean hold(ChatRequest request, Duration length, Declined why) {
    return new Held(
            request.exchange(),
            holdRoom,
            clock,
            gate.turnstile()::isOpen,
            length,
            new Held.Way() {
              @Override
              public boolean tryAgain() {
                return engines.enter(request);
              }

              @Override
              public void expired() {
                refuse(request, why);
              }

              @Override
              public void clientLeft() {
                request.body().release();
                request.entry().clientLeft();
              }
            })
        .begin();
  }

  private void giveFromMemory(ChatRequest request, ModelsCache.Remembered known) {
    HttpServerExchange exchange = request.exchange();
    request.body().release();
    exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, known.contentType());
    exchange.getResponseHeaders().put(Headers.CACHE_CONTROL, "no-store");
    byte[] body = known.bytes();
    exchange.getResponseHeaders().put(Headers.CONTENT_LENGTH, body.length);
    exchange.getResponseHeaders().put(AnsweredBy.HEADER, AnsweredBy.GATE);
    exchange.getResponseSender().send(ByteBuffer.wrap(body));
    UnreadAnswer.letGoAfter(exchange, writeStall);
  }

  private void refuse(ChatRequest request, Declined why) {
    request.body().release();
    ErrorAnswer error =
        Refusal.after(why, gate.view(), gate.retryAfterSeconds(), request.profile());
    int told = error.retryAfterSeconds().orElse(0);
    boolean gatesOwn = !(why instanceof Declined.Cooling);
    if (gatesOwn && error.status() == 429 && told > 0 && told < request.profile().cap()) {
      witness.refused(told);
    } else {
      witness.refused();
    }
    request.entry().refuse(request.api(), error, writeStall);
  }

  private ErrorAnswer noRoom(Profile profile) {
    if (!gate.turnstile().isOpen()) {
      return engines.refusal(profile);
    }
    int n = profile.retryAfter(gate.retryAfterSeconds());
    return ErrorAnswer.rateLimited(
        "Rate limit: too many large requests at once. Please retry after " + n + " seconds.", n);
  }

  private static ErrorAnswer unknownProfile(String path) {
    return ErrorAnswer.invalid(
        404,
        "unknown_profile",
        "swapgate: no profile or client of that name: "
            + path
            + "; one of "
            + Profiles.names().keySet());
  }
}

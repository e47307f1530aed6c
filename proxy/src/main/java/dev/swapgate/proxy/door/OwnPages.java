package dev.swapgate.proxy.door;

import dev.swapgate.gate.runtime.Gate;
import dev.swapgate.gate.runtime.SteadyClock;
import dev.swapgate.proxy.http.AnsweredBy;
import dev.swapgate.proxy.http.ErrorAnswer;
import dev.swapgate.proxy.http.RequestHead;
import dev.swapgate.proxy.http.UnreadAnswer;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Deque;

/**
 * What the door itself answers: the page of a server that sleeps, and its button. Everything of its
 * own lies under {@link #PREFIX}. Confined to each exchange's I/O thread.
 */
final class OwnPages {

  static final String PREFIX = "/.swapgate/";
  static final String WAKE = PREFIX + "wake";

  private static final HttpString POLICY = new HttpString("Content-Security-Policy");
  private static final HttpString REFERRER = new HttpString("Referrer-Policy");
  private static final String ONLY_ITSELF =
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none';"
          + " frame-ancestors 'none'";

  private final Gate gate;
  private final SteadyClock clock;
  private final DoorSettings settings;
  private final DoorVisit visit;

  OwnPages(Gate gate, SteadyClock clock, DoorSettings settings, DoorVisit visit) {
    this.gate = gate;
    this.clock = clock;
    this.settings = settings;
    this.visit = visit;
  }

  static boolean isOwn(DoorRequest request) {
    return request.target().startsWith(PREFIX);
  }

  void answer(DoorRequest request) {
    String target = request.target();
    boolean wake = target.equals(WAKE) || target.startsWith(WAKE + "?");
    if (!wake) {
      request.refuse(ErrorAnswer.invalid(404, "no_route", "swapgate: nothing is at this path"));
    } else if (!RequestHead.of(request.exchange()).method().equals("POST")) {
      request.refuse(
          ErrorAnswer.invalid(405, "method_not_allowed", "swapgate: wake it with a POST"));
    } else {
      wake(request);
    }
  }

  private void wake(DoorRequest request) {
    request.release();
    if (!(visit.stand() instanceof Stand.Refused)) {
      visit.want(settings.idle());
    }
    HttpServerExchange exchange = request.exchange();
    exchange.setStatusCode(303);
    exchange.getResponseHeaders().put(Headers.LOCATION, back(exchange));
    exchange.getResponseHeaders().put(Headers.CACHE_CONTROL, "no-store");
    exchange.getResponseHeaders().put(AnsweredBy.HEADER, AnsweredBy.GATE);
    exchange.endExchange();
  }

  /** To the page that was asked for, if it is one of this door. */
  private static String back(HttpServerExchange exchange) {
    Deque<String> told = exchange.getQueryParameters().get("to");
    String to = told == null ? "/" : told.getFirst();
    return to.matches("/([!-~&&[^/\\\\]][!-~]*)?") ? to : "/";
  }

  /** The page instead of the server's; looking at it while the server comes prolongs the visit. */
  void show(DoorRequest request, Stand stand) {
    request.release();
    if (stand instanceof Stand.Coming && request.use().keeps()) {
      visit.prolong(settings.idle());
    }
    SleepPage page =
        new SleepPage(
            settings.backend(),
            gate.view(),
            gate.turnstile().inside(),
            clock.now(),
            stand,
            request.target());
    byte[] body = page.html().getBytes(StandardCharsets.UTF_8);
    HttpServerExchange exchange = request.exchange();
    exchange.setStatusCode(503);
    exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "text/html; charset=utf-8");
    exchange.getResponseHeaders().put(Headers.CACHE_CONTROL, "no-store");
    exchange.getResponseHeaders().put(Headers.CONTENT_LENGTH, body.length);
    exchange.getResponseHeaders().put(Headers.RETRY_AFTER, gate.retryAfterSeconds());
    exchange.getResponseHeaders().put(POLICY, ONLY_ITSELF);
    // With less than that the button's request would not say where it comes from.
    exchange.getResponseHeaders().put(REFERRER, "same-origin");
    exchange.getResponseHeaders().put(AnsweredBy.HEADER, AnsweredBy.GATE);
    exchange.getResponseSender().send(ByteBuffer.wrap(body));
    UnreadAnswer.letGoAfter(exchange, DoorRequest.PATIENCE);
  }
}

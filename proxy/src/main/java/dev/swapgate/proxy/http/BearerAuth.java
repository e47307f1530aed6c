package dev.swapgate.proxy.http;

import dev.swapgate.gate.core.Now;
import dev.swapgate.gate.runtime.SteadyClock;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Asks for the admin token, in a header only: never in an address or a cookie. On a loopback
 * listener a request without a token passes, one with a wrong token never does.
 */
public final class BearerAuth implements HttpHandler {

  /** Wrong tokens of one address within {@link #WINDOW} before it has to wait. */
  private static final int MAX_FAILURES = 10;

  private static final Duration WINDOW = Duration.ofMinutes(1);

  /** Addresses remembered; the oldest is forgotten first. */
  private static final int MAX_ADDRESSES = 1000;

  private final byte[] token;
  private final boolean required;
  private final SteadyClock clock;
  private final HttpHandler next;
  private final Map<String, Failures> failures = new LinkedHashMap<>();

  private record Failures(Duration since, int count) {}

  /**
   * @param required true when the listener can be reached from beyond loopback
   */
  public BearerAuth(String token, boolean required, SteadyClock clock, HttpHandler next) {
    this.token = token.getBytes(StandardCharsets.UTF_8);
    this.required = required;
    this.clock = clock;
    this.next = next;
  }

  @Override
  public void handleRequest(HttpServerExchange exchange) throws Exception {
    String header = exchange.getRequestHeaders().getFirst(Headers.AUTHORIZATION);
    String address = address(exchange);
    if (header == null && !required) {
      next.handleRequest(exchange);
    } else if (header != null && mustWait(address)) {
      exchange.getResponseHeaders().put(Headers.RETRY_AFTER, WINDOW.toSeconds());
      refuse(exchange, 429, "too_many_wrong_tokens", "too many wrong tokens; wait a minute");
    } else if (header != null && matches(header)) {
      next.handleRequest(exchange);
    } else {
      if (header != null) {
        failed(address);
      }
      exchange.getResponseHeaders().put(Headers.WWW_AUTHENTICATE, "Bearer realm=\"swapgate\"");
      refuse(
          exchange,
          401,
          "unauthorized",
          "send Authorization: Bearer with the token from admin.token in the state folder");
    }
  }

  private static void refuse(HttpServerExchange exchange, int status, String code, String text) {
    AnswerHandler.send(exchange, Answer.problem(status, code, text));
  }

  private boolean matches(String header) {
    String scheme = "Bearer ";
    return header.regionMatches(true, 0, scheme, 0, scheme.length())
        && MessageDigest.isEqual(
            token, header.substring(scheme.length()).strip().getBytes(StandardCharsets.UTF_8));
  }

  private static String address(HttpServerExchange exchange) {
    InetSocketAddress source = exchange.getSourceAddress();
    return source == null ? "" : source.getHostString();
  }

  private synchronized boolean mustWait(String address) {
    Failures seen = failures.get(address);
    return seen != null && !isOver(seen, clock.now()) && seen.count() >= MAX_FAILURES;
  }

  private synchronized void failed(String address) {
    Now now = clock.now();
    Failures seen = failures.remove(address);
    failures.put(
        address,
        seen == null || isOver(seen, now)
            ? new Failures(now.steady(), 1)
            : new Failures(seen.since(), seen.count() + 1));
    if (failures.size() > MAX_ADDRESSES) {
      failures.remove(failures.keySet().iterator().next());
    }
  }

  private static boolean isOver(Failures seen, Now now) {
    return now.steady().minus(seen.since()).compareTo(WINDOW) >= 0;
  }
}

package dev.swapgate.proxy.http;

import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.HeaderMap;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;

/** Tells browsers to take nothing from the admin side for what it is not. */
public final class SecurityHeaders implements HttpHandler {
  private static final HttpString NOSNIFF = new HttpString("X-Content-Type-Options");
  private static final HttpString POLICY = new HttpString("Content-Security-Policy");
  private static final HttpString REFERRER = new HttpString("Referrer-Policy");

  private final HttpHandler next;

  public SecurityHeaders(HttpHandler next) {
    this.next = next;
  }

  @Override
  public void handleRequest(HttpServerExchange exchange) throws Exception {
    HeaderMap headers = exchange.getResponseHeaders();
    headers.put(NOSNIFF, "nosniff");
    headers.put(POLICY, "default-src 'self'; frame-ancestors 'none'");
    headers.put(REFERRER, "no-referrer");
    headers.put(Headers.CACHE_CONTROL, "no-store");
    next.handleRequest(exchange);
  }
}

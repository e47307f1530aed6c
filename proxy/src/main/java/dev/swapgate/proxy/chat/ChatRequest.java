package dev.swapgate.proxy.chat;

import dev.swapgate.proxy.http.ApiShape;
import dev.swapgate.proxy.http.Body;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;

/**
 * One chat request, whole.
 *
 * @param path as the engine sees it: without a profile's prefix and without the query
 * @param target path and query, byte for byte as they were sent
 */
record ChatRequest(
    HttpServerExchange exchange,
    Profile profile,
    String path,
    String target,
    Body body,
    AccessEntry entry) {

  ApiShape api() {
    return ApiShape.of(path);
  }

  String method() {
    return exchange.getRequestMethod().toString();
  }

  boolean asksForWebSocket() {
    String upgrade = exchange.getRequestHeaders().getFirst(Headers.UPGRADE);
    return exchange.isHttp11() && "websocket".equalsIgnoreCase(upgrade);
  }
}

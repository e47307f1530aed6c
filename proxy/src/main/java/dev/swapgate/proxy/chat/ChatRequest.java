package dev.swapgate.proxy.chat;

import dev.swapgate.proxy.forward.AccessEntry;
import dev.swapgate.proxy.http.ApiShape;
import dev.swapgate.proxy.http.Body;
import io.undertow.server.HttpServerExchange;

/**
 * One chat request, whole.
 *
 * @param client the name it comes under: a profile or a client, {@code honest} without any
 * @param path as the engine sees it: without a profile's prefix and without the query
 * @param target path and query, byte for byte as they were sent
 */
record ChatRequest(
    HttpServerExchange exchange,
    String client,
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
}

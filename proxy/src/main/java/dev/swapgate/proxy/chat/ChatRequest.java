package dev.swapgate.proxy.chat;

import dev.swapgate.proxy.http.ApiShape;
import dev.swapgate.proxy.http.Body;
import dev.swapgate.proxy.http.RequestHead;
import io.undertow.server.HttpServerExchange;
import java.util.Arrays;

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

  boolean asksForWebSocket() {
    RequestHead head = RequestHead.of(exchange);
    boolean named =
        head.values("Connection").stream()
            .flatMap(value -> Arrays.stream(value.split(",")))
            .anyMatch(token -> token.strip().equalsIgnoreCase("upgrade"));
    return exchange.isHttp11()
        && head.method().equals("GET")
        && named
        && head.values("Upgrade").stream().allMatch(to -> to.equalsIgnoreCase("websocket"))
        && !head.values("Upgrade").isEmpty();
  }
}

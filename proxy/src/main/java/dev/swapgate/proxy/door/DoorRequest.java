package dev.swapgate.proxy.door;

import dev.swapgate.proxy.forward.AccessEntry;
import dev.swapgate.proxy.http.ApiShape;
import dev.swapgate.proxy.http.Body;
import dev.swapgate.proxy.http.ErrorAnswer;
import dev.swapgate.proxy.http.RequestHead;
import io.undertow.server.HttpServerExchange;
import java.time.Duration;
import java.util.Optional;

/**
 * One request at the door.
 *
 * @param body all of it; empty for one that is too large for memory, and is read as it is sent on
 */
record DoorRequest(HttpServerExchange exchange, Use use, Optional<Body> body, AccessEntry entry) {

  /** How long a client may leave an answer unread. */
  static final Duration PATIENCE = Duration.ofSeconds(60);

  String target() {
    return RequestHead.of(exchange).originForm();
  }

  void refuse(ErrorAnswer error) {
    release();
    if (body.isEmpty()) {
      // What it still wants to send is not read; the connection cannot be used again.
      exchange.setPersistent(false);
    }
    entry.refuse(ApiShape.OPENAI, error, PATIENCE);
  }

  /** The client left before it was answered. */
  void gone() {
    release();
    entry.clientLeft();
  }

  void release() {
    body.ifPresent(Body::release);
  }
}

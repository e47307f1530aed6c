package dev.swapgate.proxy.http;

import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.HeaderValues;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import java.util.Locale;
import java.util.Optional;

/**
 * Refuses requests that two servers could read differently, before anything else looks at them. The
 * library below accepts odd transfer codings, and CONNECT and TRACE have no meaning here.
 */
final class StrictRequests implements HttpHandler {

  private static final HttpString CONNECT = HttpString.tryFromString("CONNECT");
  private static final HttpString TRACE = HttpString.tryFromString("TRACE");

  private final HttpHandler next;

  StrictRequests(HttpHandler next) {
    this.next = next;
  }

  @Override
  public void handleRequest(HttpServerExchange exchange) throws Exception {
    Optional<RequestHead> head =
        HeadTap.take(exchange).filter(strict -> strict.agreesWith(exchange));
    head.ifPresent(strict -> strict.attachTo(exchange));
    Optional<ErrorAnswer> fault =
        head.isPresent()
            ? fault(exchange)
            : bad("the request's first line or headers are not in the strict form of HTTP/1.1");
    if (fault.isPresent()) {
      // What follows on this connection cannot be trusted to be where we think it is.
      exchange.setPersistent(false);
      ErrorEnvelope.send(exchange, ApiShape.of(exchange.getRequestURI()), fault.get());
      return;
    }
    if (exchange.isRequestComplete()) {
      HeadTap.whole(exchange);
    }
    if (asksToClose(exchange)) {
      exchange.setPersistent(false);
    }
    if (exchange.isHttp10() && exchange.isPersistent()) {
      // An HTTP/1.0 client waits for the end of the connection unless it is told.
      exchange.getResponseHeaders().put(Headers.CONNECTION, "keep-alive");
    }
    next.handleRequest(exchange);
  }

  private static Optional<ErrorAnswer> fault(HttpServerExchange exchange) {
    HttpString method = exchange.getRequestMethod();
    if (method.equals(CONNECT) || method.equals(TRACE)) {
      return Optional.of(
          ErrorAnswer.invalid(
              405, "method_not_allowed", "swapgate: the method " + method + " is not served"));
    }
    HeaderValues coding = exchange.getRequestHeaders().get(Headers.TRANSFER_ENCODING);
    HeaderValues length = exchange.getRequestHeaders().get(Headers.CONTENT_LENGTH);
    if (coding != null) {
      if (coding.size() != 1 || !coding.getFirst().equalsIgnoreCase("chunked")) {
        return bad("Transfer-Encoding must be exactly one \"chunked\"");
      }
      if (length != null) {
        return bad("Transfer-Encoding and Content-Length exclude each other");
      }
      if (!exchange.isHttp11()) {
        return bad("Transfer-Encoding needs HTTP/1.1");
      }
    }
    if (length != null && (length.size() != 1 || !HeaderLines.isLength(length.getFirst()))) {
      return bad("Content-Length must be one decimal number");
    }
    HeaderValues host = exchange.getRequestHeaders().get(Headers.HOST);
    if (host != null && host.size() != 1) {
      return bad("Host must be given once");
    }
    HeaderValues expect = exchange.getRequestHeaders().get(Headers.EXPECT);
    if (expect != null
        && (expect.size() != 1 || !expect.getFirst().equalsIgnoreCase("100-continue"))) {
      return Optional.of(
          ErrorAnswer.invalid(
              417, "expectation_failed", "swapgate: only Expect: 100-continue is known"));
    }
    return Optional.empty();
  }

  private static boolean asksToClose(HttpServerExchange exchange) {
    HeaderValues connection = exchange.getRequestHeaders().get(Headers.CONNECTION);
    if (connection == null) {
      return false;
    }
    for (String value : connection) {
      for (String token : value.split(",")) {
        if (token.strip().toLowerCase(Locale.ROOT).equals("close")) {
          return true;
        }
      }
    }
    return false;
  }

  private static Optional<ErrorAnswer> bad(String what) {
    return Optional.of(ErrorAnswer.invalid(400, "bad_request", "swapgate: " + what));
  }
}

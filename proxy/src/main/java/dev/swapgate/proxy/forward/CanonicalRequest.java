package dev.swapgate.proxy.forward;

import dev.swapgate.proxy.http.Body;
import dev.swapgate.proxy.http.Field;
import dev.swapgate.proxy.http.RequestHead;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The bytes that go to an engine: the client's method, target and end-to-end headers as they came,
 * the body in one piece with one {@code Content-Length}, and nothing that two servers could read
 * differently.
 *
 * <p>{@code Host} is the engine's own: one engine of this field (Ollama) refuses names it does not
 * know. What the client asked for goes along as {@code X-Forwarded-Host}.
 */
public final class CanonicalRequest {

  private static final Set<String> OWN =
      Set.of(
          "host",
          "content-length",
          "expect",
          "x-forwarded-for",
          "x-forwarded-proto",
          "x-forwarded-host");
  private static final Set<String> WITH_BODY = Set.of("POST", "PUT", "PATCH");

  private CanonicalRequest() {}

  /**
   * A request whose body is in memory.
   *
   * @param target path and query, as the server is to see them
   */
  public static List<ByteBuffer> of(
      HttpServerExchange exchange, String target, Body body, UpstreamAddress server) {
    List<ByteBuffer> bytes = new ArrayList<>();
    bytes.add(head(exchange, target, body.size(), server, Set.of()));
    bytes.addAll(body.buffers());
    return bytes;
  }

  /**
   * All of a request that comes before its body.
   *
   * @param length of the body
   * @param kept names of headers, in lower case, that are not passed on
   */
  public static ByteBuffer head(
      HttpServerExchange exchange,
      String target,
      long length,
      UpstreamAddress server,
      Set<String> kept) {
    StringBuilder head = new StringBuilder(1024);
    head.append(exchange.getRequestMethod())
        .append(' ')
        .append(target.equals("*") ? "" : server.base())
        .append(target)
        .append(" HTTP/1.1\r\n");
    line(head, "Host", server.authority());
    RequestHead client = RequestHead.of(exchange);
    endToEnd(head, client, kept);
    forwarded(head, client, exchange);
    if (Tunnel.isAskedFor(exchange)) {
      line(head, "Connection", "Upgrade");
      line(head, "Upgrade", "websocket");
    }
    if (length > 0 || hadBody(exchange)) {
      line(head, "Content-Length", Long.toString(length));
    }
    head.append("\r\n");
    return ByteBuffer.wrap(head.toString().getBytes(StandardCharsets.ISO_8859_1));
  }

  private static boolean hadBody(HttpServerExchange exchange) {
    return exchange.getRequestHeaders().contains(Headers.CONTENT_LENGTH)
        || exchange.getRequestHeaders().contains(Headers.TRANSFER_ENCODING)
        || WITH_BODY.contains(exchange.getRequestMethod().toString());
  }

  private static void endToEnd(StringBuilder head, RequestHead client, Set<String> kept) {
    HopByHop hop = HopByHop.ofRequest(client.values("Connection"));
    for (Field field : client.fields()) {
      String lower = field.name().toLowerCase(Locale.ROOT);
      if (!hop.holds(lower) && !OWN.contains(lower) && !kept.contains(lower)) {
        line(head, field.name(), field.value());
      }
    }
  }

  private static void forwarded(
      StringBuilder head, RequestHead client, HttpServerExchange exchange) {
    List<String> chain = client.values("X-Forwarded-For");
    chain.add(exchange.getSourceAddress().getAddress().getHostAddress());
    line(head, "X-Forwarded-For", String.join(", ", chain));
    List<String> proto = client.values("X-Forwarded-Proto");
    line(head, "X-Forwarded-Proto", proto.isEmpty() ? exchange.getRequestScheme() : proto.get(0));
    List<String> host = client.values("X-Forwarded-Host");
    host = host.isEmpty() ? client.values("Host") : host;
    if (!host.isEmpty()) {
      line(head, "X-Forwarded-Host", host.get(0));
    }
  }

  private static void line(StringBuilder head, String name, String value) {
    head.append(name).append(": ").append(oneLine(value)).append("\r\n");
  }

  /** The listener refuses such bytes; a second look costs next to nothing. */
  private static String oneLine(String value) {
    boolean one = value.indexOf('\r') < 0 && value.indexOf('\n') < 0 && value.indexOf(0) < 0;
    return one ? value : value.replace('\r', ' ').replace('\n', ' ').replace('\0', ' ');
  }
}

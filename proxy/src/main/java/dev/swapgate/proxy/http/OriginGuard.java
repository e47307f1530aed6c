package dev.swapgate.proxy.http;

import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.HeaderMap;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Keeps web pages of other origins away from the admin side. A page in the owner's browser can
 * reach loopback: by a name that it rebinds to 127.0.0.1 (so the {@code Host} must be on a list; to
 * compare it with {@code Origin} would not do, the page controls both), and by plain cross-site
 * posts (so {@code Origin} and {@code Sec-Fetch-Site} are looked at; {@link AnswerHandler} takes
 * only a media type that makes browsers ask first). No CORS header is ever sent.
 */
public final class OriginGuard implements HttpHandler {

  private static final HttpString SEC_FETCH_SITE = new HttpString("Sec-Fetch-Site");
  private static final HttpString SEC_FETCH_MODE = new HttpString("Sec-Fetch-Mode");
  private static final Set<String> SAFE_METHODS = Set.of("GET", "HEAD");
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

  /** Names under these belong to nobody on the internet, so none can be rebound from there. */
  private static final List<String> NOBODYS =
      List.of(".internal", ".local", ".localhost", ".home.arpa");

  private static final String ADDRESS = "[0-9]+(\\.[0-9]+){3}|\\[.*]";

  private final Set<String> hosts = new TreeSet<>();
  private final boolean nearToo;
  private final HttpHandler next;

  /**
   * @param boundHost the address the listener is bound to
   * @param moreHosts further names by which it may be called, {@code admin.hosts}
   */
  public OriginGuard(String boundHost, Collection<String> moreHosts, HttpHandler next) {
    this(boundHost, moreHosts, false, next);
  }

  /**
   * One for a listener that programs call by whatever leads to it: by an address, by a name without
   * dots or by one of a network's own. Its pages must come from where they post to.
   */
  public static OriginGuard ofNearNames(
      String boundHost, Collection<String> moreHosts, HttpHandler next) {
    return new OriginGuard(boundHost, moreHosts, true, next);
  }

  private OriginGuard(
      String boundHost, Collection<String> moreHosts, boolean nearToo, HttpHandler next) {
    this.nearToo = nearToo;
    hosts.addAll(LOOPBACK);
    Authority.of(bracketed(boundHost)).ifPresent(bound -> hosts.add(bound.host()));
    for (String more : moreHosts) {
      Authority.of(bracketed(more)).ifPresent(name -> hosts.add(name.host()));
    }
    hosts.remove("0.0.0.0");
    hosts.remove("[::]");
    this.next = next;
  }

  @Override
  public void handleRequest(HttpServerExchange exchange) throws Exception {
    HeaderMap headers = exchange.getRequestHeaders();
    Optional<Authority> host =
        Optional.ofNullable(headers.getFirst(Headers.HOST)).flatMap(Authority::of);
    if (host.isEmpty() || !isKnown(host.get().host())) {
      refuse(
          exchange,
          421,
          "unknown_host",
          "this address is not called by that name here; known are "
              + String.join(", ", hosts)
              + "; add others under admin.hosts in swapgate.yaml");
    } else if (!originIsOurs(headers.getFirst(Headers.ORIGIN), host.get())
        || isForeign(exchange, headers.getFirst(SEC_FETCH_SITE))) {
      refuse(exchange, 403, "foreign_origin", "requests from pages of other origins are refused");
    } else {
      next.handleRequest(exchange);
    }
  }

  private boolean isKnown(String host) {
    return hosts.contains(host) || (nearToo && isNear(host));
  }

  private static boolean isNear(String host) {
    return host.matches(ADDRESS)
        || host.indexOf('.') < 0
        || NOBODYS.stream().anyMatch(host::endsWith);
  }

  private static void refuse(HttpServerExchange exchange, int status, String code, String text) {
    AnswerHandler.send(exchange, Answer.problem(status, code, text));
  }

  private boolean originIsOurs(@Nullable String origin, Authority host) {
    if (origin == null) {
      return true;
    }
    int scheme = origin.indexOf("://");
    if (scheme < 0) {
      return false; // "null" among others: a sandboxed page.
    }
    String protocol = origin.substring(0, scheme);
    int defaultPort = protocol.equals("https") ? 443 : 80;
    if (!protocol.equals("https") && !protocol.equals("http")) {
      return false;
    }
    return Authority.of(origin.substring(scheme + 3))
        .filter(page -> nearToo ? page.host().equals(host.host()) : hosts.contains(page.host()))
        .filter(page -> page.port(defaultPort) == host.port(defaultPort))
        .isPresent();
  }

  /** A link that is followed may come from anywhere: it only shows a page. */
  private static boolean isForeign(HttpServerExchange exchange, @Nullable String site) {
    boolean ours = site == null || site.equals("same-origin") || site.equals("none");
    boolean followed =
        isSafe(exchange)
            && "navigate".equals(exchange.getRequestHeaders().getFirst(SEC_FETCH_MODE));
    return !ours && !followed;
  }

  private static boolean isSafe(HttpServerExchange exchange) {
    return SAFE_METHODS.contains(exchange.getRequestMethod().toString());
  }

  /** A bare IPv6 address in the brackets that headers put around it. */
  private static String bracketed(String host) {
    boolean bare = host.indexOf(':') != host.lastIndexOf(':') && !host.startsWith("[");
    return bare ? "[" + host + "]" : host;
  }

  /** A host and, when given, its port; {@code port} is -1 when not. */
  private record Authority(String host, int given) {

    static Optional<Authority> of(String text) {
      int colon = text.lastIndexOf(':');
      boolean withPort = colon > text.lastIndexOf(']');
      String host = (withPort ? text.substring(0, colon) : text).toLowerCase(Locale.ROOT);
      String port = withPort ? text.substring(colon + 1) : "";
      if (!host.matches("[a-z0-9._-]+|\\[[0-9a-f:.]+]") || !port.matches("[0-9]{0,5}")) {
        return Optional.empty();
      }
      return Optional.of(new Authority(host, port.isEmpty() ? -1 : Integer.parseInt(port)));
    }

    int port(int byDefault) {
      return given < 0 ? byDefault : given;
    }
  }
}

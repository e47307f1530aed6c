package dev.swapgate.proxy.door;

import dev.swapgate.proxy.forward.Tunnel;
import dev.swapgate.proxy.http.RequestHead;
import io.undertow.server.HttpServerExchange;
import java.util.Locale;
import java.util.Set;

/**
 * What a request at the door says of those behind it. The one place that decides who may wake the
 * media server and who keeps it awake.
 *
 * <p>A browser is known by {@code User-Agent: Mozilla/…} together with {@code Accept-Language},
 * which every browser sends with every request. Neither is enough alone: Open WebUI calls itself
 * Mozilla too, and Node's {@code fetch} sends {@code Accept-Language} and even {@code
 * Sec-Fetch-Mode}. {@code Sec-Fetch-*} says more where it is there: browsers leave it out for plain
 * HTTP beyond loopback.
 *
 * <p>A page asks for much by itself, with nobody before it. ComfyUI's opens its WebSocket again 300
 * ms after it was closed, for ever, and where that fails asks for {@code /prompt} each second;
 * extensions poll in the same way. All of that comes from scripts, as {@code GET}: such requests
 * count for nothing. What a person does arrives as a page that is opened, as a picture that is
 * shown, or as anything but a {@code GET}.
 */
enum Use {
  /** A program's request. It wakes the server, and keeps it for a minute. */
  PROGRAM(true, true),
  /** Somebody at a browser had something done. It wakes the server, and keeps it. */
  HAND(true, true),
  /** Somebody at a browser looks at something. It keeps a server that is awake. */
  EYE(false, true),
  /** A browser's page asks by itself, or another site sent the browser here. It does neither. */
  ITSELF(false, false);

  private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");

  private final boolean wakes;
  private final boolean keeps;

  Use(boolean wakes, boolean keeps) {
    this.wakes = wakes;
    this.keeps = keeps;
  }

  boolean wakes() {
    return wakes;
  }

  boolean keeps() {
    return keeps;
  }

  static Use of(HttpServerExchange exchange) {
    return of(RequestHead.of(exchange), Tunnel.isAskedFor(exchange));
  }

  static Use of(RequestHead head, boolean webSocket) {
    if (!isBrowser(head)) {
      return PROGRAM;
    }
    if (webSocket) {
      return ITSELF;
    }
    if (!READING.contains(head.method())) {
      return HAND;
    }
    return isShown(head) && !comesFromElsewhere(head) ? EYE : ITSELF;
  }

  /** Whether it is a page for people that is asked for. */
  static boolean asksForPage(HttpServerExchange exchange) {
    RequestHead head = RequestHead.of(exchange);
    return READING.contains(head.method())
        && !Tunnel.isAskedFor(exchange)
        && has(head, "Accept", "text/html");
  }

  private static boolean isBrowser(RequestHead head) {
    return head.values("User-Agent").stream().anyMatch(name -> name.startsWith("Mozilla/"))
        && !head.values("Accept-Language").isEmpty();
  }

  /** A page, a picture, a sound; not what a script reads. */
  private static boolean isShown(RequestHead head) {
    return has(head, "Sec-Fetch-Mode", "navigate")
        || has(head, "Accept", "text/html")
        || head.values("Sec-Fetch-Dest").stream()
            .anyMatch(to -> Set.of("image", "audio", "video").contains(to))
        || head.values("Accept").stream().anyMatch(kinds -> kinds.startsWith("image/"));
  }

  private static boolean comesFromElsewhere(RequestHead head) {
    return has(head, "Sec-Fetch-Site", "cross-site") || has(head, "Sec-Fetch-Site", "same-site");
  }

  private static boolean has(RequestHead head, String name, String part) {
    return head.values(name).stream()
        .anyMatch(value -> value.toLowerCase(Locale.ROOT).contains(part));
  }
}

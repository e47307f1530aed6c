package dev.swapgate.proxy.admin;

import dev.swapgate.proxy.http.Answer;
import dev.swapgate.proxy.http.AnswerHandler;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import io.undertow.util.Methods;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The page for people at {@code /}, from files in the jar. It holds nothing that needs a token;
 * what it shows it asks of the API like everybody else. Who asks for no HTML gets the plain page.
 */
final class Dashboard implements HttpHandler {

  /** Where its parts lie; the one at {@code /} is {@code index.html}. */
  static final String PREFIX = "/dashboard/";

  private static final HttpString POLICY = new HttpString("Content-Security-Policy");

  /**
   * Nothing from anywhere else, nothing inline; {@code blob:} is for pictures asked with a token.
   */
  private static final String ONLY_ITSELF =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
          + " img-src blob: data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private static final List<String> NAMES =
      List.of(
          "index.html",
          "page.css",
          "page.js",
          "api.js",
          "draw.js",
          "card.js",
          "jobs.js",
          "fallback.js",
          "workflows.js",
          "ownfile.js",
          "actions.js");

  private static final Map<String, String> TYPES =
      Map.of("html", "text/html", "css", "text/css", "js", "text/javascript");

  private final Map<String, String> files = new TreeMap<>();
  private final HttpHandler plain;

  /**
   * @param plain answers who wants no HTML
   */
  Dashboard(HttpHandler plain) {
    this.plain = plain;
    NAMES.forEach(name -> files.put(name, text(name)));
  }

  private static String text(String name) {
    try (InputStream file = Dashboard.class.getResourceAsStream("/dashboard/" + name)) {
      if (file == null) {
        throw new IllegalStateException("the jar has no dashboard/" + name);
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("dashboard/" + name + " of the jar cannot be read", e);
    }
  }

  @Override
  public void handleRequest(HttpServerExchange exchange) throws Exception {
    String path = exchange.getRequestPath();
    if (!exchange.getRequestMethod().equals(Methods.GET)) {
      AnswerHandler.send(
          exchange, Answer.problem(405, "bad_method", "this path knows no such method"));
    } else if (path.equals("/")) {
      if (wantsHtml(exchange)) {
        send(exchange, "index.html");
      } else {
        plain.handleRequest(exchange);
      }
    } else {
      send(exchange, path.substring(PREFIX.length()));
    }
  }

  private static boolean wantsHtml(HttpServerExchange exchange) {
    String accept = exchange.getRequestHeaders().getFirst(Headers.ACCEPT);
    return accept != null && accept.contains("text/html");
  }

  private void send(HttpServerExchange exchange, String name) {
    String body = files.get(name);
    if (body == null) {
      AnswerHandler.send(
          exchange, Answer.problem(404, "no_route", "there is nothing at this path"));
      return;
    }
    exchange.getResponseHeaders().put(POLICY, ONLY_ITSELF);
    AnswerHandler.send(exchange, new Answer.Text(200, type(name) + "; charset=utf-8", body));
  }

  private static String type(String name) {
    return TYPES.getOrDefault(name.substring(name.indexOf('.') + 1), "text/plain");
  }
}

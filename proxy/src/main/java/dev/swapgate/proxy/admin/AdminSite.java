package dev.swapgate.proxy.admin;

import dev.swapgate.proxy.http.Answer;
import dev.swapgate.proxy.http.AnswerHandler;
import dev.swapgate.proxy.http.BearerAuth;
import dev.swapgate.proxy.http.OriginGuard;
import dev.swapgate.proxy.http.SecurityHeaders;
import io.undertow.Handlers;
import io.undertow.server.HttpHandler;
import io.undertow.server.RoutingHandler;
import java.util.List;

/**
 * The whole admin listener: who may ask (name, origin, token, in this order), then the routes. The
 * probes and the page need no token, and tell nothing that needs one.
 */
public final class AdminSite implements AutoCloseable {

  /** Where the API lies. */
  public static final String PREFIX = "/api/v1";

  private final AdminRoutes admin;
  private final HttpHandler handler;

  /** Routes of another room that belong to the API. */
  @FunctionalInterface
  public interface MoreRoutes {
    void addTo(RoutingHandler routes, String prefix);
  }

  /**
   * Who may ask.
   *
   * @param boundHost the address that is listened on
   * @param moreHosts further names by which it may be called
   * @param tokenRequired true when it can be reached from beyond loopback
   */
  public record Access(
      String boundHost, List<String> moreHosts, String token, boolean tokenRequired) {
    public Access {
      moreHosts = List.copyOf(moreHosts);
    }

    @Override
    public String toString() {
      return "Access[boundHost=" + boundHost + ", token=***]";
    }
  }

  /** Begins to listen to the gate. */
  public AdminSite(AdminParts parts, MoreRoutes more, Access access) {
    this.admin = new AdminRoutes(parts);
    RoutingHandler routes = Handlers.routing();
    admin.addTo(routes, PREFIX);
    more.addTo(routes, PREFIX);
    routes.setFallbackHandler(
        exchange ->
            AnswerHandler.send(
                exchange, Answer.problem(404, "no_route", "there is nothing at this path")));
    routes.setInvalidMethodHandler(
        exchange ->
            AnswerHandler.send(
                exchange, Answer.problem(405, "bad_method", "this path knows no such method")));
    HttpHandler api = new BearerAuth(access.token(), access.tokenRequired(), parts.clock(), routes);
    HttpHandler guarded =
        new OriginGuard(access.boundHost(), access.moreHosts(), admin.withPage(api));
    this.handler = new SecurityHeaders(admin.withProbes(guarded));
  }

  public HttpHandler handler() {
    return handler;
  }

  /** Ends the streams of events. */
  @Override
  public void close() {
    admin.close();
  }
}

package dev.swapgate.proxy.admin;

import dev.swapgate.proxy.http.AnswerHandler;
import dev.swapgate.proxy.http.AnswerHandler.Answerer;
import io.undertow.server.HttpHandler;
import io.undertow.server.RoutingHandler;
import io.undertow.server.handlers.PathHandler;
import java.util.concurrent.Executor;

/** The part of the admin API that is not about jobs, and what lies outside it. */
public final class AdminRoutes implements AutoCloseable {

  private static final long MAX_BODY = 64 << 10;

  private final AdminDesk desk;
  private final LeaseDesk leases;
  private final EventStream events;
  private final Executor executor;

  /** Begins to listen to the gate. */
  public AdminRoutes(AdminParts parts) {
    this.desk = new AdminDesk(parts);
    this.leases = new LeaseDesk(parts.gate(), parts.durations(), parts.usualLease());
    this.executor = parts.executor();
    this.events = new EventStream(desk::statusNow);
    parts.gate().listen(events);
  }

  /** Adds the routes under this prefix. */
  public void addTo(RoutingHandler routes, String prefix) {
    routes.get(prefix + "/status", on(desk::status));
    routes.get(prefix + "/events", events);
    routes.post(prefix + "/select", on(desk::select));
    routes.get(prefix + "/leases", on(leases::all));
    routes.post(prefix + "/leases", on(leases::take));
    routes.put(prefix + "/leases/{id}", on(leases::beat));
    routes.delete(
        prefix + "/leases/{id}",
        on(
            ask -> {
              leases.release(ask);
              return desk.status(ask);
            }));
    routes.post(prefix + "/maintenance", on(desk::maintenance));
    routes.get(prefix + "/history", on(desk::history));
    routes.get(prefix + "/check", on(desk::check));
    routes.get(prefix + "/version", on(desk::version));
    routes.delete(prefix + "/cooldowns/{key}", on(desk::clearCooldown));
  }

  /** The page at {@code /} and its parts; everything else goes to {@code api}. */
  HttpHandler withPage(HttpHandler api) {
    Dashboard dashboard = new Dashboard(on(desk::page));
    return new PathHandler(api)
        .addExactPath("/", dashboard)
        .addPrefixPath(Dashboard.PREFIX, dashboard);
  }

  /**
   * {@code /healthz} and {@code /readyz} for whoever asks by whatever name, since they tell nothing
   * but that; everything else goes to {@code guarded}.
   */
  public HttpHandler withProbes(HttpHandler guarded) {
    return new PathHandler(guarded)
        .addExactPath("/healthz", on(desk::healthz))
        .addExactPath("/readyz", on(desk::readyz));
  }

  private HttpHandler on(Answerer answerer) {
    return new AnswerHandler(executor, MAX_BODY, answerer);
  }

  /** Ends the streams of events. */
  @Override
  public void close() {
    events.close();
  }
}

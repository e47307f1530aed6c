package dev.swapgate.proxy.admin;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.GateEvent;
import dev.swapgate.gate.core.GateView;
import dev.swapgate.gate.core.Media;
import dev.swapgate.gate.core.Phase;
import dev.swapgate.gate.port.GateListener;
import dev.swapgate.gate.runtime.Gate;
import dev.swapgate.gate.runtime.SteadyClock;
import dev.swapgate.proxy.http.Answer;
import dev.swapgate.proxy.http.AnswerHandler;
import dev.swapgate.proxy.http.Ask;
import dev.swapgate.proxy.http.HttpProblem;
import dev.swapgate.proxy.http.JsonBody;
import io.undertow.server.RoutingHandler;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Rehearsals: one real swap without a job, to learn what a swap takes on this box. One at a time;
 * the last one is kept until the next, or until swapgate ends. Thread-safe.
 */
public final class RehearsalDesk implements GateListener {
  private static final long MAX_BODY = 4 << 10;

  private final Gate gate;
  private final SteadyClock clock;
  private final RehearsalWorld world;
  private final Executor executor;
  private volatile @Nullable RehearsalRun last;

  private RehearsalDesk(Gate gate, SteadyClock clock, RehearsalWorld world, Executor executor) {
    this.gate = gate;
    this.clock = clock;
    this.world = world;
    this.executor = executor;
  }

  /** Begins to listen to the gate. */
  public static RehearsalDesk open(
      Gate gate, SteadyClock clock, RehearsalWorld world, Executor executor) {
    RehearsalDesk desk = new RehearsalDesk(gate, clock, world, executor);
    gate.listen(desk);
    return desk;
  }

  /** Adds the routes under this prefix. */
  public void addTo(RoutingHandler routes, String prefix) {
    routes.post(prefix + "/rehearsals", new AnswerHandler(executor, MAX_BODY, this::begin));
    routes.get(prefix + "/rehearsals", new AnswerHandler(executor, MAX_BODY, this::list));
    routes.get(prefix + "/rehearsals/{id}", new AnswerHandler(executor, MAX_BODY, this::one));
  }

  @Override
  public void changed(GateView view) {
    RehearsalRun run = last;
    if (run != null) {
      run.changed(view);
    }
  }

  @Override
  public void happened(GateEvent event) {
    RehearsalRun run = last;
    if (run != null) {
      run.happened(event);
    }
  }

  private synchronized Answer begin(Ask ask) {
    Media media = media(JsonBody.parse(ask.body(), Set.of("backend")).optionalText("backend"));
    RehearsalRun before = last;
    if (before != null && !before.isOver()) {
      throw conflict("a rehearsal is under way: GET rehearsals/" + before.report().id());
    }
    RehearsalRun run = new RehearsalRun(gate, clock, world, engine(gate.view()), media);
    last = run;
    try {
      run.begin();
    } catch (RuntimeException e) {
      last = before;
      throw e;
    }
    executor.execute(run);
    return Answer.json(202, run.report());
  }

  private Media media(Optional<String> name) {
    if (name.isEmpty()) {
      return world.box().get().media().stream()
          .filter(one -> !one.runsToExit())
          .findFirst()
          .orElseThrow(
              () -> new HttpProblem(400, "no_media", "no media server is in swapgate.yaml"));
    }
    Media media =
        world
            .box()
            .get()
            .media(new Backend.Id(name.get()))
            .orElseThrow(
                () -> new HttpProblem(404, "not_found", "no media backend is named " + name.get()));
    if (media.runsToExit()) {
      throw new HttpProblem(
          400,
          "no_server",
          name.get()
              + " runs from a job's start to its exit and cannot be rehearsed without one; submit a"
              + " short job instead");
    }
    return media;
  }

  /** The engine that serves; nothing may be disturbed by a rehearsal, and nothing disturb it. */
  private Backend engine(GateView view) {
    if (view.phase() == Phase.MAINTENANCE) {
      throw conflict(
          "maintenance is on, so nothing is stopped or started: swapgate maintenance off");
    }
    if (view.running() > 0 || view.queued() > 0) {
      throw conflict(
          "jobs run or wait, and their swap tells as much as a rehearsal: swapgate jobs, and"
              + " swapgate history afterwards");
    }
    if (!view.leases().isEmpty()) {
      throw conflict("the card is leased: swapgate release, or wait for the end of the lease");
    }
    return view.owner()
        .filter(owner -> view.chatOpen())
        .flatMap(world.box().get()::engine)
        .orElseThrow(() -> conflict("no engine serves now: " + view.reason()));
  }

  private static HttpProblem conflict(String message) {
    return new HttpProblem(409, "conflict", message);
  }

  private Answer list(Ask ask) {
    RehearsalRun run = last;
    return Answer.json(200, Map.of("rehearsals", run == null ? List.of() : List.of(run.report())));
  }

  private Answer one(Ask ask) {
    String id = ask.parameter("id");
    RehearsalRun run = last;
    Optional<Rehearsal> report = run == null ? Optional.empty() : Optional.of(run.report());
    return report
        .filter(one -> one.id().equals(id))
        .map(one -> Answer.json(200, one))
        .orElseThrow(
            () ->
                new HttpProblem(
                    404,
                    "not_found",
                    "no rehearsal is named " + id + "; only the last one of this run is kept"));
  }
}

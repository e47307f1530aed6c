package dev.swapgate.proxy.admin;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.ContainerSighting;
import dev.swapgate.gate.core.GateEvent;
import dev.swapgate.gate.core.GateView;
import dev.swapgate.gate.core.LeaseTerms;
import dev.swapgate.gate.core.Now;
import dev.swapgate.gate.core.Phase;
import dev.swapgate.gate.port.GateListener;
import dev.swapgate.gate.runtime.Gate;
import dev.swapgate.gate.runtime.SteadyClock;
import dev.swapgate.proxy.http.Decisions;
import dev.swapgate.proxy.http.HttpProblem;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * One rehearsal: a lease that is given back as soon as the media server is ready. The lease is
 * short and is extended while it is needed, so that a swapgate that dies meanwhile soon goes home,
 * and chat is told a short time. The gate's thread only leaves what it saw here.
 */
final class RehearsalRun implements GateListener, Runnable {

  /** The longest that chat waits in vain for a rehearsal whose swapgate died. */
  private static final Duration LEASE = Duration.ofSeconds(60);

  private static final Duration EXTENDED_EVERY = Duration.ofSeconds(15);

  /** For what has no budget: looks, back-offs, a busy machine. */
  private static final Duration SLACK = Duration.ofSeconds(60);

  private static final int MOST_SEEN = 10_000;

  private final Gate gate;
  private final SteadyClock clock;
  private final RehearsalWorld world;
  private final Backend engine;
  private final Backend media;
  private final RehearsalLog log;
  private final BlockingQueue<Seen> seen = new LinkedBlockingQueue<>(MOST_SEEN);
  private String lease = "";

  private sealed interface Seen {
    record Changed(GateView view, Now now) implements Seen {}

    record Happened(GateEvent event, Now now) implements Seen {}
  }

  /** Why it did not come to its end. */
  private static final class EndedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    EndedException(String reason) {
      super(reason);
    }
  }

  RehearsalRun(Gate gate, SteadyClock clock, RehearsalWorld world, Backend engine, Backend media) {
    this.gate = gate;
    this.clock = clock;
    this.world = world;
    this.engine = engine;
    this.media = media;
    this.log = new RehearsalLog(engine, media, clock.now());
  }

  Rehearsal report() {
    return log.report(clock.now());
  }

  boolean isOver() {
    return log.isOver();
  }

  /**
   * Asks for the card, before anything else: a refusal is told to whoever asked.
   *
   * @throws HttpProblem when the gate refuses
   */
  void begin() {
    log.serving(world.card().read());
    lease = takeLease();
  }

  private String takeLease() {
    return Decisions.await(gate.lease(Optional.of(media.id()), LEASE, LeaseTerms.PLAIN)).id();
  }

  @Override
  public void changed(GateView view) {
    leave(new Seen.Changed(view, clock.now()));
  }

  @Override
  public void happened(GateEvent event) {
    leave(new Seen.Happened(event, clock.now()));
  }

  private void leave(Seen one) {
    if (!isOver() && !seen.offer(one)) {
      log.lost();
    }
  }

  @Override
  public void run() {
    String failure = "";
    try {
      try {
        watch(there(), this::isMediaReady, true);
        log.note(clock.now(), "rehearsal", media.id() + " is ready; going home");
      } catch (EndedException e) {
        failure = String.valueOf(e.getMessage());
      }
      releaseLease();
      watch(
          home(), view -> view.chatOpen() && view.owner().equals(Optional.of(engine.id())), false);
      look(media);
      log.over(failure, clock.now());
    } catch (EndedException e) {
      log.over(failure.isEmpty() ? String.valueOf(e.getMessage()) : failure, clock.now());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      log.over("swapgate was stopped", clock.now());
    } catch (RuntimeException e) {
      log.over("it could not go on: " + e.getMessage(), clock.now());
    }
  }

  private Duration there() {
    return down(engine).plus(up(media)).plus(SLACK);
  }

  private Duration home() {
    return down(media).plus(up(engine)).plus(SLACK);
  }

  private static Duration down(Backend backend) {
    return backend
        .budgets()
        .drain()
        .plus(backend.budgets().stopGracePeriod().orElse(SLACK))
        .plus(backend.budgets().release());
  }

  private static Duration up(Backend backend) {
    return backend.budgets().start().plus(backend.budgets().readiness().multipliedBy(2));
  }

  private boolean isMediaReady(GateView view) {
    return view.owner().equals(Optional.of(media.id()))
        && view.media().stream().anyMatch(one -> one.id().equals(media.id()) && one.ready());
  }

  private void watch(Duration limit, Predicate<GateView> isDone, boolean holds)
      throws InterruptedException {
    Duration end = clock.now().steady().plus(limit);
    Duration extend = clock.now().steady().plus(EXTENDED_EVERY);
    while (true) {
      drain();
      GateView view = gate.view();
      if (isDone.test(view)) {
        drain();
        // The gate shows a view before it tells of it: the last step may not have been told yet.
        log.phase(view, clock.now());
        return;
      }
      Duration now = clock.now().steady();
      if (now.compareTo(end) >= 0) {
        throw new EndedException(
            "not through after "
                + limit.toSeconds()
                + " s, all budgets together: "
                + view.reason());
      }
      if (holds && view.leases().stream().noneMatch(one -> one.id().equals(lease))) {
        throw new EndedException(log.trouble().orElse("the lease ended early: " + view.reason()));
      }
      if (holds && now.compareTo(extend) >= 0) {
        lease = takeLease();
        extend = now.plus(EXTENDED_EVERY);
      }
      Seen next = seen.poll(200, TimeUnit.MILLISECONDS);
      if (next != null) {
        take(next);
      }
    }
  }

  private void drain() {
    for (Seen next = seen.poll(); next != null; next = seen.poll()) {
      take(next);
    }
  }

  private void take(Seen one) {
    switch (one) {
      case Seen.Changed changed -> {
        boolean isNew = log.phase(changed.view(), changed.now());
        if (isNew && changed.view().phase() == Phase.STARTING_MEDIA) {
          look(engine);
        }
      }
      case Seen.Happened happened -> log.happened(happened.event(), happened.now());
    }
  }

  /** How its container ended can be seen only while it is down. */
  private void look(Backend backend) {
    try {
      ContainerSighting sighting = world.containers().look(backend.container());
      if (sighting.isDown()) {
        log.ended(backend, sighting);
      }
    } catch (RuntimeException unanswered) {
      log.note(clock.now(), "rehearsal", "could not look at " + backend.container());
    }
  }

  private void releaseLease() {
    try {
      Decisions.await(gate.release(lease));
    } catch (HttpProblem endedAlready) {
      log.note(clock.now(), "rehearsal", "the lease had ended");
    }
  }
}

package dev.swapgate.proxy.door;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.Durations;
import dev.swapgate.gate.core.GateEvent;
import dev.swapgate.gate.core.GateView;
import dev.swapgate.gate.core.LeaseTerms;
import dev.swapgate.gate.core.Phase;
import dev.swapgate.gate.port.GateListener;
import dev.swapgate.gate.runtime.Gate;
import dev.swapgate.gate.runtime.SteadyClock;
import dev.swapgate.proxy.http.ErrorAnswer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * The time for which those at one door have the card: one lease, whoever comes. It lasts until the
 * end that the last one of them asked for, and as long as the server is at work. A lease of the
 * same backend that somebody else holds is left as it is, and used while it lasts. Thread-safe;
 * never blocks.
 */
final class DoorVisit implements GateListener {

  /** How long a program's request keeps the server, and its work after its end. */
  static final Duration SHORT = Duration.ofSeconds(60);

  /** After so long without a word of this process the gate ends the lease; a figure of its own. */
  private static final Duration HEARTBEAT = Duration.ofSeconds(41);

  /** By these a lease of a door is known: one of an earlier process is taken over. */
  static final LeaseTerms TERMS = new LeaseTerms(Optional.of(HEARTBEAT), false);

  private static final Duration BEAT = Duration.ofSeconds(10);

  /** A lease is a little longer than it must be, so that its end is not moved all the time. */
  private static final Duration SLACK = Duration.ofSeconds(30);

  /** The way to the card, while nothing is known of it. */
  private static final Duration UNKNOWN_WAY = Duration.ofSeconds(60);

  /** How long a refusal is told to those who waited; then the next one asks again. */
  private static final Duration TOLD = Duration.ofSeconds(5);

  private record No(String code, String why, Duration until) {}

  private final Gate gate;
  private final SteadyClock clock;
  private final Backend.Id backend;
  private final ServerWork work;
  private final Duration inherited;
  private boolean looked;
  private @Nullable String lease;
  private boolean asking;
  private boolean seen;
  private boolean ready;
  private int waiting;
  private Duration keptUntil = Duration.ZERO;
  private Duration leasedUntil = Duration.ZERO;
  private Duration longest = Duration.ZERO;
  private Duration lastBeat = Duration.ZERO;
  private String lastEnd = "";
  private @Nullable No no;

  /**
   * @param inherited how long a visit of an earlier process goes on: who is there is not known yet
   */
  DoorVisit(Gate gate, SteadyClock clock, Backend.Id backend, ServerWork work, Duration inherited) {
    this.inherited = inherited;
    this.gate = gate;
    this.clock = clock;
    this.backend = backend;
    this.work = work;
  }

  Stand stand() {
    GateView view = gate.view();
    GateView.BackendView server = server(view);
    if (server.state().equals("ready")) {
      return new Stand.Awake();
    }
    Duration now = now();
    Optional<GateView.Aside> aside = aside(server);
    if (aside.isPresent()) {
      return refused(
          "set_aside",
          backend + " failed and is left alone for a while: " + aside.get().reason(),
          seconds(aside.get().until().minus(now), view));
    }
    if (view.phase() == Phase.MAINTENANCE) {
      return refused("maintenance", "swapgate is in maintenance", gate.retryAfterSeconds());
    }
    boolean leased = view.leases().stream().anyMatch(this::isOfServer);
    synchronized (this) {
      if (no != null && now.compareTo(no.until()) < 0) {
        return refused(no.code(), no.why(), gate.retryAfterSeconds());
      }
      boolean coming =
          asking || lease != null || leased || view.owner().equals(Optional.of(backend));
      return coming ? new Stand.Coming() : new Stand.Asleep();
    }
  }

  /** Wants the server, at least for so long once it answers. */
  synchronized void want(Duration keep) {
    no = null;
    keep(keep);
    takeIfNeeded(gate.view());
  }

  /** Prolongs the visit, if there is one. */
  synchronized void prolong(Duration keep) {
    if (lease != null || asking) {
      keep(keep);
    }
  }

  private void keep(Duration keep) {
    keptUntil = Durations.max(keptUntil, now().plus(keep));
    longest = Durations.max(longest, keep);
  }

  /** One more waits for the server; as long as it does, the visit goes on. */
  synchronized void waits() {
    waiting++;
  }

  synchronized void waitsNoMore() {
    waiting--;
  }

  private void takeIfNeeded(GateView view) {
    boolean others =
        view.leases().stream().anyMatch(one -> isOfServer(one) && !one.terms().equals(TERMS));
    boolean refused = aside(server(view)).isPresent() || view.phase() == Phase.MAINTENANCE;
    if (lease != null || asking || others || refused) {
      return;
    }
    asking = true;
    seen = false;
    lastEnd = "";
    Duration length = keptUntil.minus(now()).plus(SLACK).plus(way(view));
    leasedUntil = now().plus(length);
    var unused =
        gate.lease(Optional.of(backend), length, TERMS)
            .whenComplete((taken, refusal) -> taken(taken, refusal));
  }

  /** Until it is ready, as far as is known. */
  private Duration way(GateView view) {
    GateView.BackendView server = server(view);
    return server.ready() ? Duration.ZERO : server.lastReady().orElse(UNKNOWN_WAY);
  }

  private synchronized void taken(GateView.@Nullable LeaseView taken, @Nullable Throwable refusal) {
    asking = false;
    lastBeat = now();
    if (taken != null) {
      lease = taken.id();
    } else if (refusal != null) {
      Throwable cause =
          refusal instanceof CompletionException e && e.getCause() != null ? e.getCause() : refusal;
      over("no_visit", String.valueOf(cause.getMessage()));
    }
  }

  /** Nothing is wanted any more; who waits is told why. */
  private void over(String code, String why) {
    lease = null;
    keptUntil = Duration.ZERO;
    longest = Duration.ZERO;
    no = new No(code, why, now().plus(TOLD));
  }

  /** To be called each second. */
  void look() {
    GateView view = gate.view();
    boolean answers = server(view).state().equals("ready");
    synchronized (this) {
      if (answers && !ready) {
        keptUntil = keptUntil.isZero() ? keptUntil : Durations.max(keptUntil, now().plus(longest));
      }
      if (!answers) {
        work.forget();
      }
      ready = answers;
      inherit(view);
      if (waiting > 0) {
        keptUntil = Durations.max(keptUntil, now().plus(SHORT));
      }
      lookAtLease(view);
      if (lease == null) {
        if (isWanted()) {
          takeIfNeeded(view);
        }
        return;
      }
    }
    if (answers && left().compareTo(SHORT) < 0 && work.goesOn()) {
      prolong(SHORT);
    }
    endOrBeat();
  }

  private void inherit(GateView view) {
    if (!looked) {
      looked = true;
      view.leases().stream()
          .filter(one -> isOfServer(one) && one.terms().equals(TERMS))
          .map(GateView.LeaseView::id)
          .filter(id -> lease == null && !asking)
          .findFirst()
          .ifPresent(
              id -> {
                lease = id;
                leasedUntil = now();
                keep(inherited);
              });
    }
  }

  private synchronized Duration left() {
    return keptUntil.minus(now());
  }

  private boolean isWanted() {
    return now().compareTo(keptUntil) < 0;
  }

  /** What the gate shows of our lease: it may be over, or somebody else's now. */
  private void lookAtLease(GateView view) {
    String ours = lease;
    if (ours == null) {
      return;
    }
    Optional<GateView.LeaseView> shown =
        view.leases().stream().filter(one -> one.id().equals(ours)).findFirst();
    if (shown.isPresent()) {
      seen = true;
      if (!shown.get().terms().equals(TERMS)) {
        lease = null;
      }
    } else if (seen || now().minus(lastBeat).compareTo(TOLD) > 0) {
      over(
          "visit_over",
          lastEnd.isEmpty() ? "the visit has ended" : "the visit has ended: " + lastEnd);
    }
  }

  private synchronized void endOrBeat() {
    String ours = lease;
    if (ours == null) {
      return;
    }
    Duration now = now();
    if (!isWanted()) {
      lease = null;
      keptUntil = Duration.ZERO;
      longest = Duration.ZERO;
      var unused = gate.release(ours);
    } else if (leasedUntil.compareTo(keptUntil) < 0) {
      Duration length = keptUntil.minus(now).plus(SLACK);
      leasedUntil = now.plus(length);
      lastBeat = now;
      var unused = gate.beat(ours, Optional.of(length));
    } else if (now.minus(lastBeat).compareTo(BEAT) >= 0) {
      lastBeat = now;
      var unused = gate.beat(ours, Optional.empty());
    }
  }

  @Override
  public synchronized void happened(GateEvent event) {
    String said = lease + " has ended: ";
    if (event.what().equals("lease") && event.text().startsWith(said)) {
      lastEnd = event.text().substring(said.length());
    }
  }

  private GateView.BackendView server(GateView view) {
    return view.media().stream()
        .filter(one -> one.id().equals(backend))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no media backend " + backend));
  }

  /** A view may be older than the end of what it shows. */
  private Optional<GateView.Aside> aside(GateView.BackendView server) {
    return server.aside().filter(aside -> now().compareTo(aside.until()) < 0);
  }

  private boolean isOfServer(GateView.LeaseView one) {
    return one.backend().equals(backend.value());
  }

  private Duration now() {
    return clock.now().steady();
  }

  private static int seconds(Duration left, GateView view) {
    long up = Math.ceilDiv(left.toMillis(), 1000L);
    return (int) Math.clamp(up, view.outlook().min().toSeconds(), view.outlook().max().toSeconds());
  }

  private static Stand refused(String code, String why, int seconds) {
    return new Stand.Refused(ErrorAnswer.unavailable(code, "swapgate: " + why, seconds));
  }
}

package dev.swapgate.gate.sim;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.Command;
import dev.swapgate.gate.core.Event;
import dev.swapgate.gate.core.GateView;
import dev.swapgate.gate.core.LeaseTerms;
import dev.swapgate.gate.core.Media;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * People who take the card by hand. Who says that he will go on to be heard of, or that he yields
 * to jobs, takes it for longer than anybody waits for the box to heal: only that ends such a lease.
 */
final class SimLeases {
  private static final Duration LONG = Duration.ofHours(6);
  private static final Duration HEARTBEAT = Duration.ofSeconds(60);
  private static final long BEAT_EVERY = 15_000;

  private final SimWorld world;
  private final Set<Long> takes = new HashSet<>();
  private final Map<Long, String> beats = new HashMap<>();

  /** Until when each lease's owner is there. */
  private final Map<String, Long> heardUntil = new HashMap<>();

  SimLeases(SimWorld world) {
    this.world = world;
  }

  /** Nobody hears of his lease any more, but he goes on to be heard. */
  void forget() {
    takes.clear();
    beats.clear();
  }

  /** The terms follow from what came before, so that they take nothing of the seed's luck. */
  void take(Optional<Backend.Id> media, Duration usual) {
    long request = world.people.nextRequest();
    switch ((int) (world.now % 3)) {
      case 0 -> take(request, media, LONG, new LeaseTerms(Optional.of(HEARTBEAT), false));
      case 1 -> take(request, media, LONG, new LeaseTerms(Optional.empty(), true));
      default -> take(request, media, usual, LeaseTerms.PLAIN);
    }
  }

  private void take(long request, Optional<Backend.Id> media, Duration length, LeaseTerms terms) {
    if (terms.heartbeat().isPresent()) {
      takes.add(request);
    }
    world.handle(new Event.Wish.TakeLease(request, media, length, terms));
  }

  void reply(Command.Reply reply) {
    boolean taken = takes.remove(reply.request());
    String beaten = beats.remove(reply.request());
    if (taken && reply.answer() instanceof Command.Answer.Changed changed) {
      String lease = changed.lease().orElseThrow().id();
      boolean isNew = !heardUntil.containsKey(lease);
      heardUntil.put(lease, world.now + 10_000 + world.now % 120_000);
      if (isNew) {
        world.after(BEAT_EVERY, () -> beat(lease));
      }
    }
    if (beaten != null && reply.answer() instanceof Command.Answer.Refused) {
      heardUntil.remove(beaten);
    }
  }

  private void beat(String lease) {
    if (world.now >= heardUntil.getOrDefault(lease, 0L)) {
      heardUntil.remove(lease);
      return;
    }
    long request = world.people.nextRequest();
    beats.put(request, lease);
    world.handle(new Event.Wish.Beat(request, lease, Optional.empty()));
    world.after(BEAT_EVERY, () -> beat(lease));
  }

  /** A lease has ended. */
  void told(String text) {
    int end = text.indexOf(" has ended: its heartbeat");
    if (end > 0 && heardUntil.containsKey(text.substring(0, end))) {
      throw world.fail(text + ", and its owner was heard every " + BEAT_EVERY + " ms");
    }
  }

  /** Somebody needs the card that others have unless it is needed. */
  void need() {
    boolean idle = world.disk.jobs.values().stream().allMatch(job -> job.state().isFinal());
    for (GateView.LeaseView lease : world.loop.view().leases()) {
      if (idle && lease.terms().yields()) {
        world.box.media().stream()
            .map(Media::id)
            .filter(id -> !id.value().equals(lease.backend()))
            .findFirst()
            .ifPresent(world.people::submit);
        return;
      }
    }
  }
}

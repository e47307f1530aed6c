package dev.swapgate.gate.sim;

import dev.swapgate.gate.core.Command;
import dev.swapgate.gate.core.Event;
import dev.swapgate.gate.runtime.Turnstile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Chat clients, who go in through the turnstile, stay a while and leave or are cut off. */
final class SimChat {
  private final SimWorld world;
  private final List<Turnstile.Ticket> inside = new ArrayList<>();
  private Turnstile turnstile = new Turnstile(() -> {});

  SimChat(SimWorld world) {
    this.world = world;
  }

  /** The process begins anew: nobody is inside. */
  Turnstile opened() {
    inside.clear();
    turnstile = new Turnstile(() -> world.post(0, new Event.Emptied()));
    return turnstile;
  }

  /** The process died, and every connection with it. */
  void dropAll() {
    inside.clear();
  }

  Turnstile turnstile() {
    return turnstile;
  }

  void arrive() {
    if (world.loop == null || world.isStalled()) {
      return;
    }
    Optional<Turnstile.Ticket> ticket = turnstile.enter();
    if (ticket.isEmpty()) {
      int told = world.loop.view().outlook().retryAfterSeconds(world.clock());
      if (told < 30 || told > 900) {
        throw world.fail("Retry-After " + told + " is out of range");
      }
      return;
    }
    SimContainer engine = world.containers.get(ticket.get().engine());
    if (engine.running && engine.orderedDown) {
      throw world.fail("chat went in to " + engine.id + " though a stop was sent to it");
    }
    if (engine.running && engine.readyAt > world.now && engine.run > 0) {
      excuseRestart(engine);
    }
    inside.add(ticket.get());
    long to = world.life;
    world.after(
        world.random.nextLong(100, 90_000 / world.pace),
        () -> {
          if (world.life == to && inside.remove(ticket.get())) {
            ticket.get().leave();
            world.handle(new Event.Emptied());
          }
        });
  }

  /** Loading, yet open: only right after the world restarted it behind our back. */
  private void excuseRestart(SimContainer engine) {
    long runs = Duration.between(engine.startedAt, world.wall()).toMillis();
    if (engine.ours && runs > 30_000) {
      throw world.fail(
          "chat went in to " + engine.id + ", which still loads after " + runs + " ms");
    }
  }

  void cut(Command.Cut cut) {
    world.checks.cut();
    for (Turnstile.Ticket ticket : List.copyOf(inside)) {
      if (ticket.engine().equals(cut.engine())) {
        inside.remove(ticket);
        ticket.leave();
      }
    }
    world.post(1, new Event.Emptied());
  }
}

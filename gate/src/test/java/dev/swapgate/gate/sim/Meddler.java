package dev.swapgate.gate.sim;

import dev.swapgate.gate.core.Event;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** What can happen to the box at any time, by somebody's hand or by misfortune. */
final class Meddler {
  private static final long MINUTE = 60_000;

  private final SimWorld world;

  Meddler(SimWorld world) {
    this.world = world;
  }

  /** One opportunity for each of them. */
  void offer() {
    offer(Fault.DIES, one -> one.running, this::dies);
    offer(
        Fault.BROKEN,
        one -> one.exists,
        one -> one.brokenUntil = world.now + world.random.nextLong(MINUTE, 10 * MINUTE));
    offer(Fault.STARTED_BY_HAND, Meddler::canStart, this::start);
    offer(Fault.STOPPED_BY_HAND, one -> one.running, this::stop);
    offer(Fault.KILLED_BY_HAND, one -> one.running, this::kill);
    offer(Fault.PAUSED_BY_HAND, one -> one.running, one -> one.paused = true);
    offer(Fault.RECREATED, Meddler::canStart, this::recreate);
    if (world.strikes(Fault.ALL_STARTED)) {
      world.containers.values().stream().filter(Meddler::canStart).forEach(this::start);
    }
    if (world.strikes(Fault.OUTAGE)) {
      world.daemon.outage(world.random.nextLong(1_000, 3 * MINUTE / world.pace));
    }
    if (world.strikes(Fault.STRANGER)) {
      world.card.stranger(world.random.nextBoolean() ? 400 : 0);
    }
    if (world.strikes(Fault.CLOCK_JUMP)) {
      world.jump(world.random.nextLong(-3 * MINUTE, 3 * MINUTE));
    }
    if (world.strikes(Fault.STALL)) {
      world.stall(world.random.nextLong(1_000, MINUTE));
    }
  }

  private void offer(Fault fault, Predicate<SimContainer> where, Consumer<SimContainer> deed) {
    if (!world.strikes(fault)) {
      return;
    }
    var all = world.containers.values().stream().filter(where).toList();
    if (!all.isEmpty()) {
      deed.accept(all.get(world.random.nextInt(all.size())));
    }
  }

  private static boolean canStart(SimContainer one) {
    return one.exists && !one.running;
  }

  private void dies(SimContainer one) {
    world.card.ended(one, world.random.nextBoolean() ? 1 : 139);
  }

  private void start(SimContainer one) {
    world.card.started(one, false);
    world.hint(one, false);
  }

  private void stop(SimContainer one) {
    world.post(0, new Event.Hinted(Optional.of(one.id), true));
    int run = one.run;
    world.after(world.random.nextLong(50, 3_000), () -> world.card.exit(one, run, 143));
  }

  private void kill(SimContainer one) {
    world.post(0, new Event.Hinted(Optional.of(one.id), true));
    world.card.ended(one, 137);
  }

  private void recreate(SimContainer one) {
    one.exists = false;
    int number = world.random.nextInt(1_000_000);
    world.after(
        world.random.nextLong(500, 90_000 / world.pace),
        () -> {
          one.exists = true;
          one.everStarted = false;
          one.containerId = "c-" + one.id + "-" + number;
        });
  }
}

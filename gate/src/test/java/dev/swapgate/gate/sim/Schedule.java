package dev.swapgate.gate.sim;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.Event;
import dev.swapgate.gate.core.Media;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** One seed's story: a phase with faults, then one in which the world behaves. */
final class Schedule {

  private static final long MINUTE = 60_000;

  /** What one schedule amounted to. */
  record Outcome(long faults, long swaps, long checks, int jobs) {}

  private Schedule() {}

  /** Runs it; throws {@link AssertionError} with seed and last events when a promise breaks. */
  static Outcome run(long seed, Plant plant) {
    try {
      SimWorld world = new SimWorld(seed, plant);
      safety(world);
      world.heal();
      heal(world);
      return new Outcome(
          world.faultCount,
          world.checks.openings(),
          world.checks.count(),
          world.acknowledged.size());
    } catch (AssertionError e) {
      throw new AssertionError("seed " + seed + " plant " + plant + ": " + e.getMessage(), e);
    }
  }

  private static void safety(SimWorld world) {
    long minutes = world.random.nextLong(10, 40);
    List<Media> media = world.box.media();
    for (long tick = 0; tick < minutes * 6; tick++) {
      world.runUntil(world.now + world.random.nextLong(5_000, 15_000));
      if (world.random.nextInt(12) == 0) {
        world.people.submit(media.get(world.random.nextInt(media.size())).id());
      }
      if (world.random.nextInt(2) == 0) {
        world.chat.arrive();
      }
      meddle(world);
    }
  }

  private static void meddle(SimWorld world) {
    Faults faults = world.faults;
    double sixth = 1.0 / 6;
    if (chance(world, faults.handPerMinute() * sixth)) {
      world.people.hand();
    }
    if (chance(world, faults.diesPerMinute() * sixth)) {
      world.card.die();
    }
    if (chance(world, faults.crashPerMinute() * sixth)) {
      world.crash();
    }
    if (chance(world, faults.outagePerMinute() * sixth)) {
      world.daemon.outage(world.random.nextLong(1_000, 3 * MINUTE));
    }
    if (chance(world, faults.strangerPerMinute() * sixth)) {
      world.card.stranger(world.random.nextBoolean() ? 400 : 0);
    }
    if (chance(world, faults.clockJumpPerMinute() * sixth)) {
      world.jump(world.random.nextLong(-3 * MINUTE, 3 * MINUTE));
    }
    if (chance(world, faults.handPerMinute() * sixth)) {
      wish(world);
    }
  }

  private static void wish(SimWorld world) {
    long request = world.people.nextRequest();
    Backend.Id engine =
        world.box.engines().get(world.random.nextInt(world.box.engines().size())).id();
    Backend.Id media = world.box.media().get(world.random.nextInt(2)).id();
    switch (world.random.nextInt(6)) {
      case 0 -> world.people.cancelOne();
      case 1 -> world.handle(new Event.Wish.Select(request, engine));
      case 2 ->
          world.handle(
              new Event.Wish.TakeLease(request, Optional.of(media), Duration.ofMinutes(2)));
      case 3 ->
          world.handle(new Event.Wish.TakeLease(request, Optional.empty(), Duration.ofMinutes(1)));
      case 4 -> world.handle(new Event.Wish.Maintain(request, world.random.nextBoolean()));
      default -> world.people.cancelOne();
    }
  }

  private static boolean chance(SimWorld world, double p) {
    return p > 0 && world.random.nextDouble() < p;
  }

  /** Sum of the budgets, twice readiness, attempts, back-offs, leases and the jobs that wait. */
  private static void heal(SimWorld world) {
    world.card.unpauseAll();
    int open = (int) world.acknowledged.values().stream().filter(state -> !state.isFinal()).count();
    long bound = 90 * MINUTE + open * 12 * MINUTE;
    long end = world.now + bound;
    untilHealed(world, end);
    // Healed is not enough: it must stay so, and what came in at the last moment must end, too.
    world.runUntil(world.now + 3 * MINUTE);
    untilHealed(world, end + 30 * MINUTE);
    world.checks.healed();
  }

  private static void untilHealed(SimWorld world, long end) {
    while (world.now < end && !world.checks.isHealed()) {
      world.runUntil(world.now + MINUTE);
    }
  }
}

package dev.swapgate.gate.sim;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.Box;
import dev.swapgate.gate.core.Event;
import dev.swapgate.gate.core.Media;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A story that follows from its seed. One of 128 is a long day with a dozen jobs and a hundred
 * faults; the others are one or two swaps with a handful, of which many more can be told.
 */
record SeededStory(long seed) implements Story {

  private static final long MINUTE = 60_000;

  private boolean isDay() {
    return seed % 128 == 0;
  }

  /** By chance, as the seed has it. */
  Strikes strikes() {
    return Strikes.drawn(seed, isDay() ? fault -> fault.day : fault -> fault.swap);
  }

  @Override
  public SimWorld begin(Strikes strikes) {
    boolean batch = seed % 4 == 3 || seed % 256 == 0;
    Box box = SimBox.box(batch, seed % 4 == 1);
    SimWorld world = new SimWorld(seed, strikes, isDay() ? 1 : 5, box);
    if (world.random.nextInt(isDay() ? 2 : 8) != 0) {
      world.serving();
    }
    world.boot();
    return world;
  }

  @Override
  public long stays() {
    return isDay() ? 3 * MINUTE : 20_000;
  }

  @Override
  public void tell(SimWorld world) {
    if (isDay()) {
      day(world);
    } else {
      swap(world);
    }
  }

  private static void day(SimWorld world) {
    long minutes = world.random.nextLong(10, 40);
    for (long tick = 0; tick < minutes * 6; tick++) {
      world.runUntil(world.now + world.random.nextLong(5_000, 15_000));
      if (world.random.nextInt(12) == 0) {
        submit(world);
      }
      if (world.random.nextInt(2) == 0) {
        world.chat.arrive();
      }
      if (world.random.nextInt(40) == 0) {
        wish(world);
      }
      world.meddler.offer();
    }
  }

  private static void swap(SimWorld world) {
    int ticks = world.random.nextInt(12, 40);
    for (int tick = 0; tick < ticks; tick++) {
      world.runUntil(world.now + world.random.nextLong(1_000, 5_000));
      if (tick == 1 || (tick < 10 && world.random.nextInt(24) == 0)) {
        submit(world);
      }
      if (world.random.nextInt(3) == 0) {
        world.chat.arrive();
      }
      if (world.random.nextInt(40) == 0) {
        wish(world);
      }
      world.meddler.offer();
    }
  }

  private static void submit(SimWorld world) {
    List<Media> media = world.box.media();
    world.people.submitSome(media.get(world.random.nextInt(media.size())).id());
  }

  private static void wish(SimWorld world) {
    Backend.Id engine =
        world.box.engines().get(world.random.nextInt(world.box.engines().size())).id();
    Backend.Id media = world.box.media().get(world.random.nextInt(2)).id();
    switch (world.random.nextInt(6)) {
      case 1 -> world.handle(new Event.Wish.Select(world.people.nextRequest(), engine));
      case 2 -> world.leases.take(Optional.of(media), Duration.ofMinutes(2));
      case 3 -> world.leases.take(Optional.empty(), Duration.ofMinutes(1));
      case 4 ->
          world.handle(
              new Event.Wish.Maintain(world.people.nextRequest(), world.random.nextBoolean()));
      default -> world.people.cancelOne();
    }
  }
}

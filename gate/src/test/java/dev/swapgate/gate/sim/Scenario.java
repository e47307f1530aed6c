package dev.swapgate.gate.sim;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.Event;
import dev.swapgate.gate.core.LeaseTerms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Scripted stories, in which the faults are not drawn but enumerated. */
enum Scenario implements Story {
  ONE_JOB(130, at(61, submit("comfyui"))),
  TWO_MEDIA_SERVERS(170, at(61, submit("comfyui")), at(62, submit("music"))),
  ENGINE_SELECTED_MEANWHILE(140, at(61, submit("comfyui")), at(80, select("ninfer"))),
  JOB_CANCELLED(130, at(61, submit("comfyui")), at(95, world -> world.people.cancelOne())),
  LEASE(150, at(61, lease("music", 40, LeaseTerms.PLAIN)), at(64, submit("comfyui"))),
  LEASE_UNTIL_A_JOB_WAITS(
      150,
      at(61, lease("music", 900, new LeaseTerms(Optional.empty(), true))),
      at(95, submit("comfyui"))),
  LEASE_OF_WHOM_NOTHING_IS_HEARD(
      150,
      at(61, lease("music", 900, new LeaseTerms(Optional.of(Duration.ofSeconds(25)), false))),
      at(64, submit("comfyui"))),
  SUBMITTED_IN_THE_RESTORE(170, at(61, submit("comfyui")), at(115, submit("music"))),
  CONTAINER_THAT_RUNS_TO_ITS_EXIT(true, 130, at(61, submit("music")), at(63, submit("music")));

  private record Deed(long at, Consumer<SimWorld> what) {}

  private final boolean toExit;
  private final long end;
  private final List<Deed> deeds;

  Scenario(int seconds, Deed... deeds) {
    this(false, seconds, deeds);
  }

  Scenario(boolean toExit, int seconds, Deed... deeds) {
    this.toExit = toExit;
    this.end = seconds * 1_000L;
    this.deeds = List.of(deeds);
  }

  private static Deed at(int second, Consumer<SimWorld> what) {
    return new Deed(second * 1_000L, what);
  }

  private static Consumer<SimWorld> submit(String media) {
    return world -> world.people.submit(new Backend.Id(media));
  }

  private static Consumer<SimWorld> select(String engine) {
    return world ->
        world.handle(new Event.Wish.Select(world.people.nextRequest(), new Backend.Id(engine)));
  }

  private static Consumer<SimWorld> lease(String media, int seconds, LeaseTerms terms) {
    return world ->
        world.handle(
            new Event.Wish.TakeLease(
                world.people.nextRequest(),
                Optional.of(new Backend.Id(media)),
                Duration.ofSeconds(seconds),
                terms));
  }

  @Override
  public SimWorld begin(Strikes strikes) {
    SimWorld world = new SimWorld(ordinal(), strikes, 5, SimBox.box(false, toExit));
    world.serving();
    world.boot();
    return world;
  }

  @Override
  public void tell(SimWorld world) {
    // Chat is served for its minimum before the first swap.
    world.runUntil(60_000);
    List<Deed> left = new ArrayList<>(deeds);
    while (world.now < end) {
      world.runUntil(world.now + 2_500);
      while (!left.isEmpty() && left.getFirst().at() <= world.now) {
        left.removeFirst().what().accept(world);
      }
      world.chat.arrive();
      world.meddler.offer();
    }
  }

  @Override
  public long stays() {
    return 20_000;
  }
}

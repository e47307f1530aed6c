package dev.swapgate.gate.sim;

import dev.swapgate.gate.core.CardReading;
import dev.swapgate.gate.core.Command;
import dev.swapgate.gate.core.Event;
import java.util.ArrayList;
import java.util.List;

/** The containers on their one card: who runs, who holds memory, and how they come and go. */
final class SimCard {
  static final long TOTAL_MIB = 32_607;
  private static final long ENGINE_MIB = 32_000;
  private static final long MEDIA_MIB = 20_000;

  private final SimWorld world;
  private long strangerMib;

  SimCard(SimWorld world) {
    this.world = world;
  }

  /** Something that is no backend takes that much memory from now on. */
  void stranger(long mib) {
    strangerMib = mib;
  }

  /** What is missing is back, and what never became healthy is well. */
  void heal() {
    strangerMib = 0;
    for (SimContainer one : world.containers.values()) {
      one.exists = true;
      one.unhealthy = false;
      one.brokenUntil = 0;
    }
  }

  void measure(Command.Measure measure) {
    long latency = world.random.nextLong(20, 120);
    if (world.strikes(Fault.CARD_UNREADABLE)) {
      CardReading failed = new CardReading.Failed("nvidia-smi: Unable to determine the device");
      world.post(latency, new Event.Measured(measure.ask(), failed));
      return;
    }
    List<CardReading.Holder> holders = new ArrayList<>();
    for (SimContainer container : world.containers.values()) {
      if (container.running || world.now < container.holdsUntil) {
        holders.add(new CardReading.Holder(7, container.heldMib, container.containerId, "python"));
      }
    }
    if (strangerMib > 0) {
      holders.add(new CardReading.Holder(8, strangerMib, "", "desktop"));
    }
    world.post(
        latency,
        new Event.Measured(measure.ask(), new CardReading.Sample(TOTAL_MIB, freeMib(), holders)));
  }

  private long freeMib() {
    long held = strangerMib;
    for (SimContainer container : world.containers.values()) {
      if (container.running || world.now < container.holdsUntil) {
        held += container.heldMib;
      }
    }
    return Math.max(0, TOTAL_MIB - held);
  }

  void started(SimContainer container, boolean byUs) {
    for (SimContainer other : world.containers.values()) {
      if (other != container && other.running) {
        boolean caused = byUs && other.ours && !other.orderedDown;
        if (caused) {
          throw world.fail(
              "two backends on the card by our own doing: " + container.id + ", " + other.id);
        }
      }
    }
    long free = freeMib();
    container.running = true;
    container.paused = false;
    container.everStarted = true;
    container.ours = byUs;
    container.orderedDown = false;
    container.stopsThisRun = 0;
    container.startedAt = world.wall();
    container.run++;
    container.jobs.clear();
    container.unhealthy = world.strikes(Fault.NEVER_READY);
    long need = container.engine ? ENGINE_MIB : MEDIA_MIB;
    container.heldMib = Math.min(need, free);
    long load = world.random.nextLong(1_000, (container.engine ? 50_000 : 20_000) / world.pace);
    container.readyAt = world.now + load;
    world.trace("  world: " + container.id + " runs, ours=" + byUs);
    int run = container.run;
    if (free < need) {
      if (byUs && strangerMib == 0) {
        world.checks.memory(container);
      }
      container.heldMib = 0;
      world.after(world.random.nextLong(50, 1_000), () -> exit(container, run, 1));
    } else if (world.now < container.brokenUntil || world.strikes(Fault.EXITS_AT_ONCE)) {
      world.after(world.random.nextLong(50, 5_000), () -> exit(container, run, 1));
    } else if (container.runsToExit) {
      world.servers.began(container);
    }
  }

  void exit(SimContainer container, int run, int code) {
    if (container.running && container.run == run) {
      ended(container, code);
    }
  }

  void ended(SimContainer container, int code) {
    container.running = false;
    container.paused = false;
    container.exitCode = code;
    container.holdsUntil = world.now + world.random.nextLong(100, 3_000);
    container.jobs.clear();
    world.trace("  world: " + container.id + " is down, code " + code);
    world.hint(container, false);
  }

  void unpauseAll() {
    world.containers.values().forEach(one -> one.paused = false);
  }
}

package dev.swapgate.gate.sim;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.Box;
import dev.swapgate.gate.core.Command;
import dev.swapgate.gate.core.Engine;
import dev.swapgate.gate.core.Event;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.Now;
import dev.swapgate.gate.runtime.GateLoop;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * The world around the production loop, all in virtual milliseconds and all driven by one seed:
 * time, the process with the loop in it, and who carries out which of its commands.
 */
final class SimWorld {

  private static final Instant ORIGIN = Instant.parse("2026-11-30T00:00:00Z");

  final Box box = SimBox.box();
  final SimDisk disk = new SimDisk();
  final Map<Backend.Id, SimContainer> containers = new LinkedHashMap<>();
  final Map<Job.Id, Job.State> acknowledged = new LinkedHashMap<>();
  final SimDaemon daemon = new SimDaemon(this);
  final SimCard card = new SimCard(this);
  final SimStore store = new SimStore(this);
  final SimServers servers = new SimServers(this);
  final SimChat chat = new SimChat(this);
  final SimPeople people = new SimPeople(this);
  final SimChecks checks = new SimChecks(this);
  final SplittableRandom random;
  final Plant plant;
  Faults faults;
  GateLoop loop;

  /** Which process lives; what an earlier one asked for is not answered to a later one. */
  long life;

  long now;
  long faultCount;
  private final Trace trace = new Trace();
  private final PriorityQueue<Action> actions = new PriorityQueue<>();
  private long seq;
  private long wallOffset;
  private long lastWake;
  private int spins;
  private boolean crashedDown;

  private record Action(long at, long seq, Runnable run) implements Comparable<Action> {
    @Override
    public int compareTo(Action other) {
      int byTime = Long.compare(at, other.at);
      return byTime != 0 ? byTime : Long.compare(seq, other.seq);
    }
  }

  SimWorld(long seed, Plant plant) {
    this.random = new SplittableRandom(seed);
    this.plant = plant;
    this.faults = Faults.draw(random);
    for (Backend backend : box.backends()) {
      boolean engine = backend instanceof Engine;
      boolean deaf = random.nextInt(3) == 0;
      containers.put(backend.id(), new SimContainer(backend.id(), engine, deaf));
    }
    if (random.nextBoolean()) {
      SimContainer first = containers.get(box.selected());
      card.started(first, false);
      first.readyAt = now;
    }
    boot();
  }

  Now clock() {
    return new Now(Duration.ofMillis(now), wall());
  }

  Instant wall() {
    return ORIGIN.plusMillis(now + wallOffset);
  }

  void jump(long millis) {
    faultCount++;
    wallOffset += millis;
  }

  void after(long millis, Runnable run) {
    actions.add(new Action(now + millis, ++seq, run));
  }

  /** Posts an event to the process that is alive now; a later one never hears of it. */
  void post(long millis, Event event) {
    long to = life;
    after(
        millis,
        () -> {
          if (life == to) {
            handle(event);
          }
        });
  }

  /** Lets the world run until that virtual millisecond. */
  void runUntil(long end) {
    while (now < end) {
      Action next = actions.peek();
      long wake = loop == null ? end : Math.max(now, loop.wakeAt(clock()).toMillis() + 1);
      if (next != null && next.at() <= Math.min(wake, end)) {
        actions.poll();
        now = Math.max(now, next.at());
        next.run().run();
      } else if (wake <= end) {
        now = wake;
        handle(new Event.Woke());
      } else {
        now = end;
      }
    }
  }

  void handle(Event event) {
    if (loop == null) {
      return;
    }
    spins = now == lastWake ? spins + 1 : 0;
    lastWake = now;
    if (spins > 10_000) {
      throw fail("the loop spins without time passing, view " + loop.view());
    }
    if (!(event instanceof Event.Woke)) {
      trace(event);
    }
    List<Command> commands;
    try {
      commands = loop.handle(event, clock());
    } catch (RuntimeException e) {
      throw trace.fail("the loop threw " + e, e);
    }
    for (Command command : commands) {
      carryOut(command);
    }
    checks.check();
  }

  private void boot() {
    life++;
    crashedDown = false;
    people.forget();
    loop = new GateLoop(box, disk.memory(), chat.opened(), clock());
    trace("BOOT");
    handle(new Event.Woke());
  }

  void crash() {
    if (loop == null) {
      return;
    }
    trace("CRASH");
    faultCount++;
    life++;
    loop = null;
    crashedDown = true;
    chat.dropAll();
    after(
        random.nextLong(100, 20_000),
        () -> {
          if (crashedDown) {
            boot();
          }
        });
  }

  private void carryOut(Command command) {
    switch (command) {
      case Command.Look look -> daemon.look(look);
      case Command.Measure measure -> card.measure(measure);
      case Command.Probe probe -> servers.probe(probe);
      case Command.Docker docker -> daemon.docker(docker);
      case Command.Begin begin -> store.begin(begin);
      case Command.Ask ask -> servers.ask(ask);
      case Command.Accept accept -> store.accept(accept);
      case Command.Save save -> store.save(save);
      case Command.Remember remember -> store.remember(remember);
      case Command.Learn learn -> store.learn(learn);
      case Command.Reply reply -> people.reply(reply);
      case Command.Cut cut -> chat.cut(cut);
      case Command.TellLog log -> {}
      case Command.Tell told -> trace(told.event());
    }
  }

  /** Whether a fault of that chance happens now; it is counted. */
  boolean strikes(double chance) {
    boolean hit = chance > 0 && random.nextDouble() < chance;
    if (hit) {
      faultCount++;
    }
    return hit;
  }

  /** The world behaves from now on. */
  void heal() {
    faults = Faults.none();
    daemon.heal();
    store.heal();
    card.heal();
    if (loop == null) {
      crashedDown = false;
      boot();
    }
    handle(new Event.Wish.Maintain(people.nextRequest(), false));
  }

  void trace(Object what) {
    trace.add(now, what);
  }

  AssertionError fail(String what) {
    return trace.fail(what, null);
  }
}

package dev.swapgate.gate.sim;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.Box;
import dev.swapgate.gate.core.Command;
import dev.swapgate.gate.core.Engine;
import dev.swapgate.gate.core.Event;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.Media;
import dev.swapgate.gate.core.Now;
import dev.swapgate.gate.runtime.GateLoop;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * The world around the production loop, all in virtual milliseconds and all driven by one seed:
 * time, the process with the loop in it, and who carries out which of its commands.
 */
final class SimWorld {

  private static final Instant ORIGIN = Instant.parse("2026-11-30T00:00:00Z");

  final Box box;
  final SimDisk disk = new SimDisk();
  final Map<Backend.Id, SimContainer> containers = new LinkedHashMap<>();
  final Map<Job.Id, Job.State> acknowledged = new LinkedHashMap<>();
  final SimDaemon daemon = new SimDaemon(this);
  final SimCard card = new SimCard(this);
  final SimStore store = new SimStore(this);
  final SimServers servers = new SimServers(this);
  final SimChat chat = new SimChat(this);
  final SimPeople people = new SimPeople(this);
  final SimLeases leases = new SimLeases(this);
  final Meddler meddler = new Meddler(this);
  final SimChecks checks = new SimChecks(this);
  final SplittableRandom random;
  final Strikes strikes;

  /** By what the times of servers and containers are divided. */
  final int pace;

  GateLoop loop;

  /** Which process lives; what an earlier one asked for is not answered to a later one. */
  long life;

  long now;
  private final Trace trace = new Trace();
  private final PriorityQueue<Action> actions = new PriorityQueue<>();
  private long seq;
  private long wallOffset;
  private long lastWake;
  private long stalledUntil;
  private final List<Event> unheard = new ArrayList<>();
  private int spins;
  private boolean crashedDown;

  private record Action(long at, long seq, Runnable run) implements Comparable<Action> {
    @Override
    public int compareTo(Action other) {
      int byTime = Long.compare(at, other.at);
      return byTime != 0 ? byTime : Long.compare(seq, other.seq);
    }
  }

  SimWorld(long seed, Strikes strikes, int pace, Box box) {
    this.box = box;
    this.random = new SplittableRandom(seed);
    this.strikes = strikes;
    this.pace = pace;
    for (Backend backend : box.backends()) {
      boolean engine = backend instanceof Engine;
      boolean exits = backend instanceof Media media && media.runsToExit();
      boolean deaf = random.nextInt(3) == 0;
      containers.put(backend.id(), new SimContainer(backend.id(), engine, exits, deaf));
    }
  }

  /** Before swapgate starts, the selected engine runs and is ready. */
  void serving() {
    SimContainer first = containers.get(box.selected());
    card.started(first, false);
    first.readyAt = now;
  }

  Now clock() {
    return new Now(Duration.ofMillis(now), wall());
  }

  Instant wall() {
    return ORIGIN.plusMillis(now + wallOffset);
  }

  void jump(long millis) {
    wallOffset += millis;
  }

  /** The process does nothing for so long, and then hears everything at once. */
  void stall(long millis) {
    stalledUntil = now + millis;
    long to = life;
    after(
        millis,
        () -> {
          if (life == to) {
            List<Event> late = List.copyOf(unheard);
            unheard.clear();
            late.forEach(this::handle);
          }
        });
  }

  boolean isStalled() {
    return now < stalledUntil;
  }

  /** Docker's event stream tells of a change. */
  void hint(SimContainer container, boolean signalled) {
    if (strikes(Fault.HINT_LOST)) {
      return;
    }
    post(1, new Event.Hinted(Optional.of(container.id), signalled));
    if (strikes(Fault.HINT_DOUBLED)) {
      post(random.nextLong(1, 500), new Event.Hinted(Optional.of(container.id), signalled));
    }
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
      wake = Math.max(wake, stalledUntil);
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
    if (isStalled()) {
      unheard.add(event);
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
    if (!(event instanceof Event.Woke) && strikes(Fault.CRASH)) {
      crash();
    }
  }

  void boot() {
    life++;
    stalledUntil = now;
    unheard.clear();
    crashedDown = false;
    people.forget();
    leases.forget();
    loop = new GateLoop(box, disk.memory(), chat.opened(), clock());
    trace("BOOT");
    handle(new Event.Woke());
  }

  void crash() {
    if (loop == null) {
      return;
    }
    trace("CRASH");
    life++;
    stalledUntil = now;
    unheard.clear();
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
      case Command.Tell told -> {
        trace(told.event());
        leases.told(told.event().text());
      }
    }
  }

  /** Whether that fault strikes here and now. */
  boolean strikes(Fault fault) {
    return strikes.at(fault, this);
  }

  /** The world behaves from now on. */
  void heal() {
    strikes.end();
    daemon.heal();
    store.heal();
    card.heal();
    stalledUntil = now;
    if (loop == null) {
      crashedDown = false;
      boot();
    }
    people.endMaintenance();
  }

  void trace(Object what) {
    trace.add(now, what);
  }

  AssertionError fail(String what) {
    return trace.fail(what, null);
  }
}

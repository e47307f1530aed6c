package dev.swapgate.gate.sim;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.Box;
import dev.swapgate.gate.core.Budgets;
import dev.swapgate.gate.core.CardReading;
import dev.swapgate.gate.core.Command;
import dev.swapgate.gate.core.CommandEnd;
import dev.swapgate.gate.core.ContainerSighting;
import dev.swapgate.gate.core.Engine;
import dev.swapgate.gate.core.Event;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobAnswer;
import dev.swapgate.gate.core.JobRequest;
import dev.swapgate.gate.core.Media;
import dev.swapgate.gate.core.Note;
import dev.swapgate.gate.core.Now;
import dev.swapgate.gate.core.Policy;
import dev.swapgate.gate.core.ProbeResult;
import dev.swapgate.gate.runtime.GateLoop;
import dev.swapgate.gate.runtime.Turnstile;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * The world around the production loop: daemon, containers, card, media servers, disk, people and
 * chat, all in virtual milliseconds and all driven by one seed.
 */
final class SimWorld {

  static final long TOTAL_MIB = 32_607;
  private static final long ENGINE_MIB = 32_000;
  private static final long MEDIA_MIB = 20_000;
  private static final Instant ORIGIN = Instant.parse("2026-11-30T00:00:00Z");
  private static final int TRACE = 120;

  final Box box = box();
  final SimDisk disk = new SimDisk();
  final Map<Backend.Id, SimContainer> containers = new LinkedHashMap<>();
  final Map<Job.Id, Job.State> acknowledged = new LinkedHashMap<>();
  final SplittableRandom random;
  final Plant plant;
  Faults faults;
  long now;
  long faultCount;
  long swapCount;
  long checkCount;
  private final Deque<Traced> trace = new ArrayDeque<>();
  private final PriorityQueue<Action> actions = new PriorityQueue<>();
  private final Map<Long, Job.Id> cancels = new HashMap<>();
  private final List<Turnstile.Ticket> inside = new ArrayList<>();
  private Turnstile turnstile = new Turnstile(() -> {});
  private GateLoop loop;
  private long seq;
  private long life;
  private long wallOffset;
  private long strangerMib;
  private long outageUntil;
  private long storeDownUntil;
  private long storeFreeAt;
  private long requests;
  private long lastWake;
  private int spins;
  private int jobNumber;
  private boolean wasOpen;
  private boolean crashedDown;
  private long cutAllowedAt = Long.MAX_VALUE;

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
      started(first, false);
      first.readyAt = now;
    }
    boot();
  }

  private static Box box() {
    Policy policy =
        new Policy(
            Duration.ofSeconds(60),
            Duration.ofMinutes(20),
            Duration.ZERO,
            Duration.ofMinutes(10),
            Duration.ofSeconds(30),
            Duration.ofSeconds(900),
            50);
    return new Box(
        List.of(engine("vllm", 300), engine("ninfer", 60)),
        List.of(media("comfyui", 180), media("music", 240)),
        new Backend.Id("vllm"),
        Optional.of(new Backend.Id("ninfer")),
        Optional.empty(),
        policy);
  }

  private static Engine engine(String name, int readiness) {
    return new Engine(new Backend.Id(name), name, budgets(readiness), Optional.empty(), 3);
  }

  private static Media media(String name, int generation) {
    return new Media(
        new Backend.Id(name),
        name,
        budgets(60),
        Duration.ofSeconds(generation),
        Duration.ofMinutes(10),
        Duration.ofMinutes(3),
        2);
  }

  private static Budgets budgets(int readiness) {
    return new Budgets(
        Duration.ofSeconds(60),
        Optional.of(Duration.ofSeconds(10)),
        Duration.ofSeconds(30),
        Duration.ofSeconds(20),
        Duration.ofSeconds(readiness),
        Duration.ofMillis(500),
        2,
        OptionalLong.empty());
  }

  // ---- time -------------------------------------------------------------------------------

  private Now clock() {
    return new Now(Duration.ofMillis(now), wall());
  }

  private Instant wall() {
    return ORIGIN.plusMillis(now + wallOffset);
  }

  private void after(long millis, Runnable run) {
    actions.add(new Action(now + millis, ++seq, run));
  }

  /** Posts an event to the process that is alive now; a later one never hears of it. */
  private void post(long millis, Event event) {
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

  private void handle(Event event) {
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
      throw fail("the loop threw " + e, e);
    }
    for (Command command : commands) {
      carryOut(command);
    }
    check();
  }

  // ---- the process ------------------------------------------------------------------------

  private void boot() {
    life++;
    crashedDown = false;
    inside.clear();
    cancels.clear();
    turnstile = new Turnstile(() -> post(0, new Event.Emptied()));
    loop = new GateLoop(box, disk.memory(), turnstile, clock());
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
    inside.clear();
    after(
        random.nextLong(100, 20_000),
        () -> {
          if (crashedDown) {
            boot();
          }
        });
  }

  // ---- carrying commands out --------------------------------------------------------------

  private boolean strikes(double chance) {
    boolean hit = chance > 0 && random.nextDouble() < chance;
    if (hit) {
      faultCount++;
    }
    return hit;
  }

  private void carryOut(Command command) {
    switch (command) {
      case Command.Look look -> look(look);
      case Command.Measure measure -> measure(measure);
      case Command.Probe probe -> probe(probe);
      case Command.Docker docker -> docker(docker);
      case Command.Begin begin -> begin(begin);
      case Command.Ask ask -> ask(ask);
      case Command.Accept accept -> accept(accept);
      case Command.Save save -> save(save);
      case Command.Remember remember -> {
        if (!storeDown()) {
          disk.settings.put(remember.key(), remember.value());
        }
      }
      case Command.Learn learn -> {
        if (!storeDown()) {
          disk.times.add(learn.sample());
        }
      }
      case Command.Reply reply -> reply(reply);
      case Command.Cut cut -> cut(cut);
      case Command.TellLog log -> {}
      case Command.Tell told -> trace(told.event());
    }
  }

  private boolean daemonDown() {
    return now < outageUntil;
  }

  private void look(Command.Look look) {
    if (daemonDown() || strikes(faults.lookFails())) {
      post(
          random.nextLong(1, daemonDown() ? 200 : 5_000),
          new Event.LookFailed(look.ask(), "no daemon"));
      return;
    }
    long latency =
        strikes(faults.lookSlow()) ? random.nextLong(100, 12_000) : random.nextLong(2, 40);
    Map<Backend.Id, ContainerSighting> seen = new HashMap<>();
    long to = life;
    long step = Math.max(1, latency / containers.size());
    long at = 0;
    for (SimContainer container : containers.values()) {
      long when = at;
      after(
          when,
          () -> {
            seen.put(container.id, container.sighting());
          });
      at += step;
    }
    after(
        at,
        () -> {
          if (life == to) {
            handle(new Event.Looked(look.ask(), seen));
          }
        });
  }

  private long freeMib() {
    long held = strangerMib;
    for (SimContainer container : containers.values()) {
      if (container.running || now < container.holdsUntil) {
        held += container.heldMib;
      }
    }
    return Math.max(0, TOTAL_MIB - held);
  }

  private void measure(Command.Measure measure) {
    long free = plant == Plant.NO_MEMORY_WAIT ? TOTAL_MIB : freeMib();
    List<CardReading.Holder> holders = new ArrayList<>();
    for (SimContainer container : containers.values()) {
      if (container.running || now < container.holdsUntil) {
        holders.add(new CardReading.Holder(7, container.heldMib, container.containerId, "python"));
      }
    }
    if (strangerMib > 0) {
      holders.add(new CardReading.Holder(8, strangerMib, "", "desktop"));
    }
    post(
        random.nextLong(20, 120),
        new Event.Measured(measure.ask(), new CardReading.Sample(TOTAL_MIB, free, holders)));
  }

  private void probe(Command.Probe probe) {
    SimContainer container = containers.get(probe.backend());
    boolean passes = container.isReady(now) && !strikes(faults.probeFlaps());
    if (plant == Plant.PROBE_LIES && container.running) {
      passes = true;
    }
    post(
        random.nextLong(1, 50),
        new Event.Probed(
            probe.ask(),
            probe.backend(),
            passes ? new ProbeResult.Passed() : new ProbeResult.NotReady("refused")));
  }

  private void docker(Command.Docker docker) {
    Note note = docker.note();
    SimContainer container = containers.get(note.backend());
    trace("SEND " + note.verb() + " " + note.backend());
    if (plant != Plant.NOT_NOTED) {
      disk.note(note);
    }
    switch (note.verb()) {
      case START -> checkStart(container);
      case STOP -> {
        if (container.running
            && note.run().isPresent()
            && note.run().get().startedAt().equals(container.startedAt)) {
          container.stopsThisRun++;
          if (container.stopsThisRun > 1) {
            throw fail("a second stop was sent to " + container.id + " in one run");
          }
          checkCollected(container);
          container.orderedDown = true;
        }
      }
      case KILL -> container.orderedDown |= container.running;
    }
    fate(docker, container);
  }

  private void fate(Command.Docker docker, SimContainer container) {
    Note note = docker.note();
    if (daemonDown()) {
      faultCount++;
      end(random.nextLong(1, 50), note, new CommandEnd.Unknown("connection broke"));
      return;
    }
    if (strikes(faults.commandFails())) {
      end(random.nextLong(5, 300), note, new CommandEnd.Failed("500 server error"));
      return;
    }
    if (strikes(faults.commandHangs())) {
      return;
    }
    long latency = random.nextLong(20, 400);
    boolean lost = strikes(faults.replyLost());
    if (strikes(faults.lateEffect())) {
      latency = docker.deadline().toMillis() + random.nextLong(0, 13_000);
      lost = true;
    }
    boolean answered = !lost;
    after(latency, () -> effect(docker, container, answered));
    if (plant == Plant.NO_FENCE && lost && note.verb() == Note.Verb.START) {
      end(1_000, note, new CommandEnd.Failed("taken for failed"));
    }
    if (plant == Plant.DOUBLE_STOP && lost && note.verb() == Note.Verb.STOP) {
      after(
          1_000,
          () -> {
            if (container.running && container.orderedDown && ++container.stopsThisRun > 1) {
              throw fail("a second stop was sent to " + container.id + " in one run");
            }
          });
    }
  }

  private void end(long millis, Note note, CommandEnd end) {
    long to = life;
    after(
        millis,
        () -> {
          if (life == to) {
            handle(new Event.CommandEnded(note.attempt(), end));
            if (plant != Plant.NOT_NOTED) {
              disk.note(
                  new Note(
                      note.backend(),
                      note.verb(),
                      note.attempt(),
                      note.run(),
                      note.sentAt(),
                      Optional.of(end)));
            }
          }
        });
  }

  private void effect(Command.Docker docker, SimContainer container, boolean answered) {
    Note note = docker.note();
    switch (note.verb()) {
      case START -> startEffect(note, container, answered);
      case STOP -> stopEffect(docker, container, answered);
      case KILL -> {
        if (container.running) {
          ended(container, 137);
        }
        if (answered) {
          end(10, note, new CommandEnd.Done());
        }
      }
    }
  }

  private void startEffect(Note note, SimContainer container, boolean answered) {
    CommandEnd end;
    if (!container.exists) {
      end = new CommandEnd.Failed("no such container");
    } else if (container.running) {
      end =
          container.paused
              ? new CommandEnd.Failed("cannot start a paused container")
              : new CommandEnd.Unknown("304 not modified proves nothing");
    } else {
      started(container, true);
      end = new CommandEnd.Done();
    }
    if (answered) {
      end(5, note, end);
    }
  }

  private void stopEffect(Command.Docker docker, SimContainer container, boolean answered) {
    if (!container.running) {
      if (answered) {
        end(5, docker.note(), new CommandEnd.Unknown("304 not modified proves nothing"));
      }
      return;
    }
    int run = container.run;
    container.paused = false;
    long takes = container.ignoresTerm ? docker.grace().toMillis() : random.nextLong(50, 3_000);
    after(
        takes,
        () -> {
          if (container.run == run && container.running) {
            ended(container, container.ignoresTerm ? 137 : 0);
          }
          if (answered) {
            end(random.nextLong(1, 50), docker.note(), new CommandEnd.Done());
          }
        });
  }

  // ---- containers -------------------------------------------------------------------------

  private void started(SimContainer container, boolean byUs) {
    for (SimContainer other : containers.values()) {
      if (other != container && other.running) {
        boolean caused = byUs && other.ours && !other.orderedDown;
        if (caused) {
          throw fail(
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
    container.startedAt = wall();
    container.run++;
    container.jobs.clear();
    container.unhealthy = strikes(faults.neverReady());
    long need = container.engine ? ENGINE_MIB : MEDIA_MIB;
    container.heldMib = Math.min(need, free);
    long load = random.nextLong(1_000, container.engine ? 50_000 : 20_000);
    container.readyAt = now + load;
    trace("  world: " + container.id + " runs, ours=" + byUs);
    int run = container.run;
    if (free < need) {
      if (byUs && strangerMib == 0) {
        checkMemory(container);
      }
      container.heldMib = 0;
      after(random.nextLong(50, 1_000), () -> exit(container, run, 1));
    } else if (strikes(faults.exitsAtOnce())) {
      after(random.nextLong(50, 5_000), () -> exit(container, run, 1));
    }
  }

  /** A start of ours met too little memory, and no stranger explains it. */
  private void checkMemory(SimContainer container) {
    for (SimContainer other : containers.values()) {
      if (other != container && !other.running && now < other.holdsUntil && other.ours) {
        throw fail(container.id + " was started before " + other.id + " gave its memory back");
      }
    }
  }

  private void exit(SimContainer container, int run, int code) {
    if (container.running && container.run == run) {
      ended(container, code);
    }
  }

  private void ended(SimContainer container, int code) {
    container.running = false;
    container.paused = false;
    container.exitCode = code;
    container.holdsUntil = now + random.nextLong(100, 3_000);
    container.jobs.clear();
    trace("  world: " + container.id + " is down, code " + code);
    if (random.nextInt(10) != 0) {
      post(1, new Event.Hinted(Optional.of(container.id), false));
    }
  }

  // ---- the store --------------------------------------------------------------------------

  private boolean storeDown() {
    return now < storeDownUntil;
  }

  private boolean storeFails() {
    if (storeDown()) {
      return true;
    }
    if (strikes(faults.storeFails() / 10)) {
      storeDownUntil = now + random.nextLong(1_000, 90_000);
      return true;
    }
    return false;
  }

  /** Writes are carried out one after another, in the order they were given. */
  private long writeTime() {
    storeFreeAt = Math.max(storeFreeAt, now) + random.nextLong(1, 30);
    return storeFreeAt - now;
  }

  private void begin(Command.Begin begin) {
    if (storeFails()) {
      post(20, new Event.Saved(begin.ask(), begin.job().id(), "disk full"));
      return;
    }
    String ticket = begin.job().id() + "/" + (begin.job().attempts() + 1);
    Job written = begin.job().attempted(new Job.Ticket(ticket), wall());
    if (written.attempts() > 2) {
      throw fail("attempt " + written.attempts() + " of " + written.id() + ", tries is 2");
    }
    long to = life;
    after(
        writeTime(),
        () -> {
          if (life != to && random.nextBoolean()) {
            return;
          }
          if (plant != Plant.ATTEMPT_NOT_WRITTEN) {
            disk.update(written);
          }
          if (life == to) {
            handle(new Event.Begun(begin.ask(), written));
          }
        });
  }

  private void accept(Command.Accept accept) {
    if (storeFails()) {
      post(20, new Event.Accepted(accept.request(), Optional.empty(), "disk full"));
      return;
    }
    long to = life;
    if (plant == Plant.ACK_BEFORE_WRITE) {
      acknowledged.put(accept.job().id(), Job.State.QUEUED);
    }
    after(
        plant == Plant.ACK_BEFORE_WRITE ? random.nextLong(1, 2_000) : writeTime(),
        () -> {
          if (life != to) {
            return;
          }
          disk.jobs.putIfAbsent(accept.job().id(), accept.job());
          handle(new Event.Accepted(accept.request(), Optional.of(accept.job()), ""));
        });
  }

  private void save(Command.Save save) {
    if (storeFails()) {
      post(20, new Event.Saved(save.ask(), save.job().id(), "disk full"));
      return;
    }
    long to = life;
    after(
        writeTime(),
        () -> {
          if (life != to && random.nextBoolean()) {
            return;
          }
          boolean dropped =
              plant == Plant.CANCEL_NOT_FINAL && save.job().state() == Job.State.CANCELLED;
          if (!dropped) {
            disk.update(save.job());
          }
          if (life == to) {
            handle(new Event.Saved(save.ask(), save.job().id(), ""));
          }
        });
  }

  private void reply(Command.Reply reply) {
    if (reply.answer() instanceof Command.Answer.Accepted accepted) {
      acknowledged.putIfAbsent(accepted.job().id(), accepted.job().state());
    }
    Job.Id cancelled = cancels.remove(reply.request());
    if (cancelled != null && reply.answer() instanceof Command.Answer.Changed) {
      acknowledged.put(cancelled, Job.State.CANCELLED);
    }
  }

  // ---- media servers ----------------------------------------------------------------------

  private void ask(Command.Ask ask) {
    SimContainer server = containers.get(ask.job().backend());
    String ticket = ask.job().ticket().orElseThrow().value();
    if (!server.isReady(now)) {
      post(random.nextLong(1, 200), answered(ask, new JobAnswer.Unanswered("refused")));
      return;
    }
    int run = server.run;
    boolean lost = strikes(faults.serverLosesReply());
    long to = life;
    after(
        random.nextLong(1, 100),
        () -> {
          boolean same = server.running && server.run == run && !server.paused;
          JobAnswer answer =
              same ? serve(ask, server, ticket) : new JobAnswer.Unanswered("connection reset");
          if (life == to) {
            handle(answered(ask, lost ? new JobAnswer.Unanswered("timed out") : answer));
          }
        });
  }

  private static Event answered(Command.Ask ask, JobAnswer answer) {
    return new Event.Answered(ask.ask(), ask.job().id(), answer);
  }

  private JobAnswer serve(Command.Ask ask, SimContainer server, String ticket) {
    SimContainer.SimJob job = server.jobs.get(ticket);
    return switch (ask.question()) {
      case SUBMIT -> {
        submitted(ask, server, ticket);
        yield new JobAnswer.Accepted(new Job.Ticket(ticket), "");
      }
      case FOLLOW -> {
        if (plant == Plant.FORGETFUL_FOLLOW && job != null && random.nextInt(3) == 0) {
          yield new JobAnswer.NotKnown();
        }
        yield state(job);
      }
      case CANCEL -> {
        if (job != null && !job.hangs) {
          job.cancelled = true;
        }
        yield state(job);
      }
      case COLLECT -> collect(ask, job);
    };
  }

  private void submitted(Command.Ask ask, SimContainer server, String ticket) {
    Job.State state = disk.jobs.get(ask.job().id()).state();
    if (state.isFinal()) {
      throw fail("job " + ask.job().id() + " was submitted though it is " + state);
    }
    if (state != Job.State.RUNNING) {
      throw fail("job " + ask.job().id() + " was submitted before its attempt was written");
    }
    for (SimContainer.SimJob other : server.jobs.values()) {
      if (now < other.doneAt && !other.cancelled) {
        throw fail("job " + ask.job().id() + " was submitted while another runs on " + server.id);
      }
    }
    SimContainer.SimJob job = new SimContainer.SimJob();
    job.doneAt = now + random.nextLong(1_000, 120_000);
    job.errors = strikes(faults.jobErrors() / 2);
    job.hangs = strikes(faults.jobErrors() / 4);
    if (job.hangs) {
      job.doneAt = Long.MAX_VALUE;
    }
    server.jobs.put(ticket, job);
  }

  private JobAnswer state(SimContainer.SimJob job) {
    if (job == null) {
      return new JobAnswer.NotKnown();
    }
    if (job.cancelled) {
      return new JobAnswer.Interrupted();
    }
    if (now < job.doneAt) {
      return new JobAnswer.Working(job.hangs ? 0.5 : Double.NaN);
    }
    return job.errors ? new JobAnswer.Errored("node 4 failed") : new JobAnswer.Finished();
  }

  private JobAnswer collect(Command.Ask ask, SimContainer.SimJob job) {
    if (job == null) {
      return new JobAnswer.NotKnown();
    }
    if (storeDown()) {
      return new JobAnswer.Unwritable("disk full");
    }
    if (plant != Plant.COLLECT_LIES) {
      disk.files.add(ask.job().id());
    }
    return new JobAnswer.Collected(List.of("a.png"));
  }

  // ---- chat -------------------------------------------------------------------------------

  void chat() {
    if (loop == null) {
      return;
    }
    Optional<Turnstile.Ticket> ticket = turnstile.enter();
    if (plant == Plant.NO_TURNSTILE && ticket.isEmpty()) {
      SimContainer engine = containers.get(loop.view().selected());
      if (engine.running && engine.orderedDown) {
        throw fail("chat went in to " + engine.id + " though a stop was sent to it");
      }
    }
    if (ticket.isEmpty()) {
      int told = loop.view().outlook().retryAfterSeconds(clock());
      if (told < 30 || told > 900) {
        throw fail("Retry-After " + told + " is out of range");
      }
      return;
    }
    SimContainer engine = containers.get(ticket.get().engine());
    if (engine.running && engine.orderedDown) {
      throw fail("chat went in to " + engine.id + " though a stop was sent to it");
    }
    if (engine.running && engine.readyAt > now && engine.run > 0) {
      if (!engine.overlapExcused) {
        excuseRestart(engine);
      }
    }
    inside.add(ticket.get());
    long to = life;
    after(
        random.nextLong(100, 90_000),
        () -> {
          if (life == to && inside.remove(ticket.get())) {
            ticket.get().leave();
            handle(new Event.Emptied());
          }
        });
  }

  /** Loading, yet open: only right after the world restarted it behind our back. */
  private void excuseRestart(SimContainer engine) {
    long runs = Duration.between(engine.startedAt, wall()).toMillis();
    if (engine.ours && runs > 30_000) {
      throw fail("chat went in to " + engine.id + ", which still loads after " + runs + " ms");
    }
  }

  private void cut(Command.Cut cut) {
    if (now < cutAllowedAt) {
      throw fail("chat was cut before the drain budget was over");
    }
    for (Turnstile.Ticket ticket : List.copyOf(inside)) {
      if (ticket.engine().equals(cut.engine())) {
        inside.remove(ticket);
        ticket.leave();
      }
    }
    post(1, new Event.Emptied());
  }

  // ---- people -----------------------------------------------------------------------------

  void submit(Backend.Id media) {
    Job.Id id = new Job.Id("j" + ++jobNumber);
    Job job =
        new Job(
            id,
            media,
            "s",
            Job.State.QUEUED,
            0,
            Optional.empty(),
            wall(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            "",
            List.of());
    handle(new Event.Wish.Submit(++requests, job, new JobRequest("{}", Map.of(), List.of()), ""));
  }

  void cancelOne() {
    List<Job.Id> open = new ArrayList<>();
    disk.jobs.values().stream()
        .filter(job -> !job.state().isFinal() && acknowledged.containsKey(job.id()))
        .forEach(job -> open.add(job.id()));
    if (open.isEmpty() || loop == null) {
      return;
    }
    Job.Id id = open.get(random.nextInt(open.size()));
    cancels.put(++requests, id);
    handle(new Event.Wish.Cancel(requests, id));
  }

  void wish(Event.Wish wish) {
    handle(wish);
  }

  long nextRequest() {
    return ++requests;
  }

  /** Somebody does something to a container. */
  void hand() {
    faultCount++;
    List<SimContainer> all = new ArrayList<>(containers.values());
    SimContainer one = all.get(random.nextInt(all.size()));
    int deed = random.nextInt(7);
    trace("HAND " + deed + " on " + one.id);
    switch (deed) {
      case 0, 1 -> {
        if (one.exists && !one.running) {
          started(one, false);
          post(1, new Event.Hinted(Optional.of(one.id), false));
        }
      }
      case 2 -> {
        if (one.running) {
          post(0, new Event.Hinted(Optional.of(one.id), true));
          int run = one.run;
          one.orderedDown |= false;
          after(random.nextLong(50, 3_000), () -> exit(one, run, 143));
        }
      }
      case 3 -> {
        if (one.running) {
          post(0, new Event.Hinted(Optional.of(one.id), true));
          ended(one, 137);
        }
      }
      case 4 -> one.paused = one.running;
      case 5 -> {
        if (!one.running && one.exists) {
          one.exists = false;
          int number = random.nextInt(1_000_000);
          after(
              random.nextLong(500, 90_000),
              () -> {
                one.exists = true;
                one.everStarted = false;
                one.containerId = "c-" + one.id + "-" + number;
              });
        }
      }
      default -> {
        for (SimContainer each : all) {
          if (each.exists && !each.running) {
            started(each, false);
          }
        }
        post(1, new Event.Hinted(Optional.empty(), false));
      }
    }
  }

  void unpauseAll() {
    containers.values().forEach(one -> one.paused = false);
  }

  void die() {
    for (SimContainer one : containers.values()) {
      if (one.running && random.nextBoolean()) {
        faultCount++;
        ended(one, random.nextBoolean() ? 1 : 139);
        return;
      }
    }
  }

  void outage(long millis) {
    faultCount++;
    outageUntil = now + millis;
  }

  void stranger(long mib) {
    strangerMib = mib;
  }

  void jump(long millis) {
    faultCount++;
    wallOffset += millis;
  }

  /** The world behaves from now on. */
  void heal() {
    faults = Faults.none();
    outageUntil = 0;
    storeDownUntil = 0;
    strangerMib = 0;
    for (SimContainer one : containers.values()) {
      one.exists = true;
      if (one.unhealthy) {
        one.unhealthy = false;
      }
    }
    if (loop == null) {
      crashedDown = false;
      boot();
    }
    handle(new Event.Wish.Maintain(++requests, false));
  }

  // ---- invariants -------------------------------------------------------------------------

  /** A start is only sent while nothing else runs by our own doing, and nothing may come yet. */
  private void checkStart(SimContainer container) {
    for (SimContainer other : containers.values()) {
      if (other != container
          && other.running
          && other.ours
          && !other.paused
          && !other.orderedDown
          && plant == Plant.NONE) {
        throw fail("a start of " + container.id + " was sent while " + other.id + " runs");
      }
    }
  }

  /** Results are on disk before we stop the container that has them. */
  private void checkCollected(SimContainer container) {
    for (Map.Entry<String, SimContainer.SimJob> entry : container.jobs.entrySet()) {
      Job.Id id = new Job.Id(entry.getKey().substring(0, entry.getKey().indexOf('/')));
      SimContainer.SimJob job = entry.getValue();
      Job stored = disk.jobs.get(id);
      boolean finished = now >= job.doneAt && !job.errors && !job.cancelled;
      boolean wanted = stored != null && !stored.state().isFinal();
      boolean latest =
          stored != null
              && stored.ticket().map(t -> t.value().equals(entry.getKey())).orElse(false);
      if (finished
          && wanted
          && latest
          && !disk.files.contains(id)
          && loop.view().phase() != dev.swapgate.gate.core.Phase.MAINTENANCE) {
        uncollected(container, id);
      }
    }
  }

  /** Only a failed visit may leave results behind; then the job is tried again. */
  private void uncollected(SimContainer container, Job.Id id) {
    trace("  stopped with uncollected results of " + id + " on " + container.id);
  }

  private void check() {
    checkCount++;
    boolean open = turnstile.isOpen();
    if (open && !wasOpen) {
      swapCount++;
    }
    if (!open && wasOpen) {
      cutAllowedAt = now + 60_000;
    }
    wasOpen = open;
    if (checkCount % 16 == 0 && open != loop.view().chatOpen()) {
      throw fail(
          "the view says chat_open=" + loop.view().chatOpen() + ", the turnstile says " + open);
    }
    turnstile
        .openFor()
        .ifPresent(
            id -> {
              SimContainer engine = containers.get(id);
              if (engine.running && engine.orderedDown) {
                throw fail("the turnstile is open for " + id + ", to which a stop was sent");
              }
            });
    for (Map.Entry<Job.Id, Job.State> entry : acknowledged.entrySet()) {
      Job stored = disk.jobs.get(entry.getKey());
      if (stored == null) {
        if (plant != Plant.ACK_BEFORE_WRITE || loop == null) {
          throw fail("job " + entry.getKey() + " was accepted and is not on disk");
        }
        continue;
      }
      if (entry.getValue().isFinal() && stored.state() != entry.getValue()) {
        throw fail(
            "job " + entry.getKey() + " went from " + entry.getValue() + " to " + stored.state());
      }
      if (stored.state() == Job.State.DONE && !disk.files.contains(stored.id())) {
        throw fail("job " + stored.id() + " is done and its files are not on disk");
      }
      entry.setValue(stored.state());
    }
  }

  /** True when nothing is left to be done: chat is open, no accepted job is open. */
  boolean isHealed() {
    return loop != null
        && turnstile.isOpen()
        && disk.jobs.values().stream().allMatch(job -> job.state().isFinal());
  }

  /** After the healing phase: chat is open and every accepted job is over. */
  void checkHealed() {
    for (Map.Entry<Job.Id, Job.State> entry : acknowledged.entrySet()) {
      Job stored = disk.jobs.get(entry.getKey());
      if (stored == null || !stored.state().isFinal()) {
        throw fail(
            "no progress: job " + entry.getKey() + " is still " + stored + ", view " + loop.view());
      }
    }
    if (!turnstile.isOpen()) {
      throw fail("no progress: the turnstile is still shut, view " + loop.view());
    }
    SimContainer engine = containers.get(turnstile.openFor().orElseThrow());
    if (!engine.isReady(now)) {
      throw fail("no progress: the turnstile is open for " + engine.id + ", which is not ready");
    }
  }

  /** Kept as it is and turned into words only when a promise breaks. */
  private record Traced(long at, Object what) {
    @Override
    public String toString() {
      String text = at + " " + what;
      return text.length() > 300 ? text.substring(0, 300) : text;
    }
  }

  private void trace(Object what) {
    trace.addLast(new Traced(now, what));
    if (trace.size() > TRACE) {
      trace.removeFirst();
    }
  }

  AssertionError fail(String what) {
    return fail(what, null);
  }

  private AssertionError fail(String what, Throwable cause) {
    return new AssertionError(
        what + "\n  " + trace.stream().map(Traced::toString).collect(Collectors.joining("\n  ")),
        cause);
  }
}

package dev.swapgate.gate.runtime;

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
import dev.swapgate.gate.core.NewJob;
import dev.swapgate.gate.core.Note;
import dev.swapgate.gate.core.Now;
import dev.swapgate.gate.core.Policy;
import dev.swapgate.gate.core.ProbeResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A well-behaved box in virtual time, for tests that follow one story: every command takes effect
 * at once, and the steps are written down as words. A test bends it where its story needs it.
 */
final class ScriptedWorld {

  static final Backend.Id VLLM = new Backend.Id("vllm");
  static final Backend.Id NINFER = new Backend.Id("ninfer");
  static final Backend.Id COMFYUI = new Backend.Id("comfyui");
  static final Backend.Id MUSIC = new Backend.Id("music");

  final List<String> steps = new ArrayList<>();
  final List<String> told = new ArrayList<>();
  final Map<Long, Command.Answer> replies = new HashMap<>();
  final Map<Backend.Id, ContainerSighting> containers = new HashMap<>();
  final Set<Backend.Id> neverReady = new HashSet<>();
  final Set<Backend.Id> exitsAtOnce = new HashSet<>();
  final Map<Note.Verb, CommandEnd> ends = new HashMap<>();
  final Set<Note.Verb> ineffective = new HashSet<>();
  final Map<Job.Id, Job> stored = new HashMap<>();
  final List<Note> notes = new ArrayList<>();
  final Map<String, String> settings = new HashMap<>();
  final Turnstile turnstile = new Turnstile(() -> {});
  final Box box;
  JobAnswer follow = new JobAnswer.Finished();
  boolean blind;

  /** How long the server works on a job. */
  Duration runs = Duration.ZERO;

  private final Map<Job.Id, Duration> begun = new HashMap<>();

  /** The store takes no job as it now stands. */
  boolean unwritable;

  /** No media server hears what is submitted to it. */
  boolean silent;

  /** What the store writes is answered only once this is false again. */
  boolean slowDisk;

  long freeMib = 32_000;
  Duration steady = Duration.ZERO;
  GateLoop loop;
  private final Deque<Event> events = new ArrayDeque<>();
  private final Deque<Event> late = new ArrayDeque<>();

  ScriptedWorld() {
    this(Duration.ZERO);
  }

  ScriptedWorld(Duration minChat) {
    Policy policy =
        new Policy(
            minChat,
            Duration.ofMinutes(20),
            Duration.ZERO,
            Duration.ofMinutes(60),
            Duration.ofSeconds(30),
            Duration.ofSeconds(900),
            30);
    box =
        new Box(
            List.of(engine(VLLM), engine(NINFER)),
            List.of(media(COMFYUI, 180), media(MUSIC, 240)),
            VLLM,
            Optional.empty(),
            Optional.empty(),
            policy);
    for (Backend backend : box.backends()) {
      containers.put(backend.id(), down(backend.id(), OptionalInt.empty(), Optional.empty()));
    }
  }

  private static Engine engine(Backend.Id id) {
    return new Engine(id, id.value(), budgets(900), Optional.empty(), 3);
  }

  private static Media media(Backend.Id id, int generation) {
    return new Media(
        id,
        id.value(),
        budgets(180),
        Duration.ofSeconds(generation),
        Duration.ofMinutes(30),
        Duration.ofMinutes(10),
        2);
  }

  private static Budgets budgets(int readiness) {
    return new Budgets(
        Duration.ofMinutes(5),
        Optional.of(Duration.ofSeconds(10)),
        Duration.ofSeconds(30),
        Duration.ofSeconds(60),
        Duration.ofSeconds(readiness),
        Duration.ofMillis(500),
        2,
        OptionalLong.empty());
  }

  Now now() {
    return new Now(steady, Instant.parse("2026-11-30T00:00:00Z").plus(steady));
  }

  /** A new process: what it remembers is what was stored. */
  void boot() {
    List<Job> open = stored.values().stream().filter(job -> !job.state().isFinal()).toList();
    loop = new GateLoop(box, new Memory(open, List.of(), settings, notes), turnstile, now());
    events.clear();
    events.add(new Event.Woke());
  }

  /** Lets the box run for so long. */
  void run(Duration length) {
    Duration end = steady.plus(length);
    while (true) {
      if (!slowDisk) {
        events.addAll(late);
        late.clear();
      }
      Event event = events.poll();
      if (event == null) {
        Duration wake = loop.wakeAt(now());
        if (wake.compareTo(end) > 0) {
          steady = end;
          return;
        }
        if (wake.compareTo(steady) > 0) {
          steady = wake;
        }
        event = new Event.Woke();
      }
      loop.handle(event, now()).forEach(this::carryOut);
      steady = steady.plusMillis(1);
    }
  }

  void tell(Event event) {
    events.add(event);
  }

  /** Submits a job and gives its id. */
  Job.Id submit(Backend.Id backend, String name) {
    Job job = job(backend, name);
    submit(List.of(job));
    return job.id();
  }

  Job job(Backend.Id backend, String name) {
    return new Job(
        new Job.Id(name),
        backend,
        "shape",
        Job.State.QUEUED,
        0,
        Optional.empty(),
        now().wall(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        "",
        List.of());
  }

  /** Submits jobs that belong together. */
  void submit(List<Job> jobs) {
    JobRequest request = new JobRequest("{}", Map.of(), List.of());
    tell(new Event.Wish.Submit(1, jobs.stream().map(job -> new NewJob(job, request)).toList(), ""));
  }

  /** Somebody starts or finds this container running. */
  void up(Backend.Id id) {
    containers.put(id, running(id, now().wall()));
  }

  void stopped(Backend.Id id, int exitCode) {
    ContainerSighting seen = containers.get(id);
    containers.put(id, down(id, OptionalInt.of(exitCode), seen.startedAt()));
  }

  /** Somebody removes this container. */
  void removed(Backend.Id id) {
    containers.put(id, ContainerSighting.missing());
  }

  /** Somebody creates this container anew, and does not start it. */
  void created(Backend.Id id) {
    containers.put(id, down(id, OptionalInt.empty(), Optional.empty()));
  }

  private static ContainerSighting running(Backend.Id id, Instant at) {
    return sighting(ContainerSighting.State.RUNNING, id, Optional.of(at), OptionalInt.empty());
  }

  private static ContainerSighting down(Backend.Id id, OptionalInt code, Optional<Instant> at) {
    return sighting(ContainerSighting.State.DOWN, id, at, code);
  }

  private static ContainerSighting sighting(
      ContainerSighting.State state, Backend.Id id, Optional<Instant> at, OptionalInt code) {
    return new ContainerSighting(
        state, "id-" + id, at, code, Duration.ofSeconds(10), false, false, false);
  }

  private void carryOut(Command command) {
    switch (command) {
      case Command.Look look ->
          tell(
              blind
                  ? new Event.LookFailed(look.ask(), "cannot reach Docker")
                  : new Event.Looked(look.ask(), Map.copyOf(containers)));
      case Command.Measure measure -> {
        steps.add("measure");
        tell(new Event.Measured(measure.ask(), new CardReading.Sample(32_607, freeMib, List.of())));
      }
      case Command.Probe probe -> {
        boolean up = !containers.get(probe.backend()).isDown();
        boolean passes = up && !neverReady.contains(probe.backend());
        tell(
            new Event.Probed(
                probe.ask(),
                probe.backend(),
                passes ? new ProbeResult.Passed() : new ProbeResult.NotReady("refused")));
      }
      case Command.Docker docker -> docker(docker.note());
      case Command.Begin begin -> {
        Job job = begin.job().attempted(new Job.Ticket("t"), now().wall());
        stored.put(job.id(), job);
        steps.add("begin " + job.id());
        begun.put(job.id(), steady);
        tell(new Event.Begun(begin.ask(), job));
      }
      case Command.Ask ask -> ask(ask);
      case Command.Accept accept -> {
        List<Job> jobs = accept.jobs().stream().map(NewJob::job).toList();
        jobs.forEach(job -> stored.put(job.id(), job));
        tell(new Event.Accepted(accept.request(), jobs, ""));
      }
      case Command.Save save -> {
        if (unwritable) {
          tell(new Event.Saved(save.ask(), save.job().id(), "disk full"));
          return;
        }
        stored.merge(
            save.job().id(), save.job(), (old, next) -> old.state().isFinal() ? old : next);
        steps.add("save " + save.job().id() + " " + save.job().state());
        (slowDisk ? late : events).add(new Event.Saved(save.ask(), save.job().id(), ""));
      }
      case Command.Remember remember -> settings.put(remember.key(), remember.value());
      case Command.Reply reply -> replies.put(reply.request(), reply.answer());
      case Command.Cut cut -> steps.add("cut " + cut.engine());
      case Command.TellLog log -> steps.add("log " + log.backend());
      case Command.Learn learn -> {}
      case Command.Tell one -> told.add(one.event().text());
    }
  }

  private void ask(Command.Ask ask) {
    if (silent && ask.question() == Command.Question.SUBMIT) {
      return;
    }
    JobAnswer answer =
        switch (ask.question()) {
          case SUBMIT -> new JobAnswer.Accepted(ask.job().ticket().orElseThrow(), "");
          case FOLLOW -> stillRuns(ask.job()) ? new JobAnswer.Working(Double.NaN) : follow;
          case CANCEL -> follow;
          case COLLECT -> new JobAnswer.Collected(List.of("a.png"));
        };
    if (ask.question() != Command.Question.FOLLOW) {
      steps.add(ask.question().name().toLowerCase(java.util.Locale.ROOT) + " " + ask.job().id());
    }
    tell(new Event.Answered(ask.ask(), ask.job().id(), answer));
  }

  private boolean stillRuns(Job job) {
    return steady.compareTo(begun.getOrDefault(job.id(), Duration.ZERO).plus(runs)) < 0;
  }

  private void docker(Note note) {
    steps.add(note.verb().name().toLowerCase(java.util.Locale.ROOT) + " " + note.backend());
    notes.removeIf(one -> one.backend().equals(note.backend()) && one.verb() == note.verb());
    notes.add(note);
    if (!ineffective.contains(note.verb())) {
      switch (note.verb()) {
        case START -> start(note.backend());
        case STOP -> stopped(note.backend(), 0);
        case KILL -> stopped(note.backend(), 137);
      }
    }
    CommandEnd end = ends.getOrDefault(note.verb(), new CommandEnd.Done());
    tell(new Event.CommandEnded(note.attempt(), end));
  }

  private void start(Backend.Id id) {
    if (exitsAtOnce.contains(id)) {
      containers.put(id, down(id, OptionalInt.of(1), Optional.of(now().wall())));
    } else {
      up(id);
    }
  }
}

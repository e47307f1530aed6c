package dev.swapgate.gate.port;

import dev.swapgate.gate.core.CommandEnd;
import dev.swapgate.gate.core.ContainerSighting;
import dev.swapgate.gate.core.ContainerSighting.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * Docker in memory, on a clock of the test's. Everything happens at once: a stop's grace takes no
 * time. Faults are scripted one by one; time passes only by {@link #advance}. Thread-safe.
 */
public final class FakeContainers implements Containers {
  private final Map<String, FakeContainer> containers = new HashMap<>();
  private final Map<String, Deque<Fault>> faults = new HashMap<>();
  private final List<Consumer<Hint>> watchers = new ArrayList<>();
  private final List<Late> late = new ArrayList<>();
  private final List<String> journal = new ArrayList<>();
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private boolean reachable = true;
  private boolean hinting = true;
  private int created;

  /** What goes wrong with one command. */
  public enum Fault {
    /** Docker answers that it did not do it, and it did not. */
    REFUSED,
    /** It takes effect, the answer is lost. */
    LOST_REPLY,
    /** It never arrives, and nobody knows. */
    LOST_REQUEST,
    /** No answer; it takes effect {@link #LATE_BY} later. */
    LATE_EFFECT
  }

  /** How late a late effect is. */
  public static final Duration LATE_BY = Duration.ofSeconds(5);

  private record Late(Instant due, Runnable effect) {}

  // What a test does to this world.

  public synchronized void create(String name, Behaviour behaviour) {
    containers.put(name, new FakeContainer("id-" + ++created, behaviour));
    hint(name, false);
  }

  public synchronized void remove(String name) {
    containers.remove(name);
    hint(name, false);
  }

  public synchronized void pause(String name) {
    containers.get(name).paused = true;
    hint(name, false);
  }

  /** Its process ends by itself. */
  public synchronized void crash(String name, int exitCode) {
    containers.get(name).end(exitCode);
    hint(name, false);
  }

  /** The next command of this verb ({@code start stop kill}) to this container goes wrong so. */
  public synchronized void next(String verb, String container, Fault fault) {
    faults.computeIfAbsent(verb + " " + container, key -> new ArrayDeque<>()).add(fault);
  }

  /** While false, Docker can't be asked or told anything. */
  public synchronized void reachable(boolean can) {
    reachable = can;
  }

  /** While false, every hint is lost. */
  public synchronized void hinting(boolean does) {
    hinting = does;
  }

  public synchronized Instant now() {
    return now;
  }

  /** Lets time pass and carries out what is due in it. */
  public synchronized void advance(Duration time) {
    now = now.plus(time);
    List<Late> due = late.stream().filter(effect -> !effect.due().isAfter(now)).toList();
    late.removeAll(due);
    due.forEach(effect -> effect.effect().run());
  }

  /** Every command that arrived, in order, as in {@code stop vllm}. */
  public synchronized List<String> journal() {
    return List.copyOf(journal);
  }

  // The port.

  @Override
  public synchronized ContainerSighting look(String container) {
    mustBeReachable();
    FakeContainer seen = containers.get(container);
    return seen == null ? ContainerSighting.missing() : seen.sighting();
  }

  @Override
  public CommandEnd start(String container, Duration deadline) {
    return command("start", container, FakeContainer::refuseStart, c -> c.start(nextInstant()));
  }

  @Override
  public CommandEnd stop(String container, Duration grace, Duration deadline) {
    return command("stop", container, c -> c.running ? null : NOT_MODIFIED, FakeContainer::stop);
  }

  @Override
  public CommandEnd kill(String container, Duration deadline) {
    return command("kill", container, FakeContainer::refuseKill, c -> c.end(137));
  }

  private static final CommandEnd NOT_MODIFIED = new CommandEnd.Unknown("304, proves nothing");

  private interface Refusal {
    /** Null when nothing speaks against it. */
    CommandEnd of(FakeContainer container);
  }

  private synchronized CommandEnd command(
      String verb, String name, Refusal refusal, Consumer<FakeContainer> effect) {
    if (!reachable) {
      return new CommandEnd.Failed("cannot reach Docker");
    }
    Fault fault = faults.getOrDefault(verb + " " + name, new ArrayDeque<>()).poll();
    if (fault == Fault.LOST_REQUEST) {
      return new CommandEnd.Unknown("no answer");
    }
    journal.add(verb + " " + name);
    if (fault == Fault.REFUSED) {
      return new CommandEnd.Failed("scripted failure of " + verb);
    }
    if (fault == Fault.LATE_EFFECT) {
      late.add(new Late(now.plus(LATE_BY), () -> carryOut(verb, name, refusal, effect)));
      return new CommandEnd.Unknown("no answer");
    }
    CommandEnd end = carryOut(verb, name, refusal, effect);
    return fault == Fault.LOST_REPLY ? new CommandEnd.Unknown("no answer") : end;
  }

  private CommandEnd carryOut(
      String verb, String name, Refusal refusal, Consumer<FakeContainer> effect) {
    FakeContainer container = containers.get(name);
    if (container == null) {
      return new CommandEnd.Failed("No such container: " + name);
    }
    CommandEnd refused = refusal.of(container);
    if (refused != null) {
      return refused;
    }
    effect.accept(container);
    hint(name, !verb.equals("start"));
    return new CommandEnd.Done();
  }

  /** No two starts at the same instant, as on a real clock. */
  private Instant nextInstant() {
    now = now.plusNanos(1);
    return now;
  }

  @Override
  public Inside inside() {
    throw new UnsupportedOperationException("no commands are run inside these containers");
  }

  @Override
  public synchronized List<String> lastLogLines(String container, int lines) {
    mustBeReachable();
    if (!containers.containsKey(container)) {
      throw new BackendException("No such container: " + container);
    }
    List<String> all = containers.get(container).log;
    return List.copyOf(all.subList(Math.max(0, all.size() - lines), all.size()));
  }

  @Override
  public synchronized AutoCloseable watch(Consumer<Hint> hint) {
    watchers.add(hint);
    hint.accept(new Hint("", false));
    return () -> unwatch(hint);
  }

  private synchronized void unwatch(Consumer<Hint> hint) {
    watchers.remove(hint);
  }

  private void hint(String name, boolean signalled) {
    if (hinting) {
      List.copyOf(watchers).forEach(watcher -> watcher.accept(new Hint(name, signalled)));
    }
  }

  private void mustBeReachable() {
    if (!reachable) {
      throw new BackendException("cannot reach Docker");
    }
  }

  @Override
  public synchronized void close() {
    watchers.clear();
  }

  /** One container; guarded by the world it is in. */
  private static final class FakeContainer {
    private final String id;
    private final Behaviour behaviour;
    private final List<String> log = new ArrayList<>();
    private Optional<Instant> startedAt = Optional.empty();
    private OptionalInt exitCode = OptionalInt.empty();
    private boolean running;
    private boolean paused;

    FakeContainer(String id, Behaviour behaviour) {
      this.id = id;
      this.behaviour = behaviour;
    }

    CommandEnd refuseStart() {
      if (paused) {
        return new CommandEnd.Failed("cannot start a paused container, try unpause instead");
      }
      return running ? NOT_MODIFIED : null;
    }

    CommandEnd refuseKill() {
      return running ? null : new CommandEnd.Failed("Container " + id + " is not running");
    }

    void start(Instant at) {
      running = true;
      startedAt = Optional.of(at);
      exitCode = OptionalInt.empty();
      log.addAll(
          switch (behaviour) {
            case OBEDIENT, STUBBORN -> List.of(Behaviour.UP);
            case TALKER -> List.of(Behaviour.WARNING, "one", "two", "three");
            case QUITTER -> List.of();
          });
      if (behaviour == Behaviour.QUITTER) {
        end(Behaviour.QUITTER_EXIT_CODE);
      }
    }

    void stop() {
      end(behaviour == Behaviour.STUBBORN ? 137 : 0);
    }

    void end(int code) {
      running = false;
      paused = false;
      exitCode = OptionalInt.of(code);
    }

    ContainerSighting sighting() {
      State state = paused ? State.PAUSED : running ? State.RUNNING : State.DOWN;
      return new ContainerSighting(
          state,
          id,
          startedAt,
          exitCode,
          ContainerSighting.DEFAULT_STOP_TIMEOUT,
          false,
          false,
          false);
    }
  }
}

package dev.swapgate.backends.sim;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * What goes wrong in the fake Docker API because a test asked for it: one call at a time, or at
 * random from a seed. Thread-safe.
 */
public final class DockerFaults {
  private static final int LONGEST_DELAY_MILLIS = 2000;
  private static final List<Kind> OF_CALLS =
      List.of(
          Kind.LOST_REQUEST,
          Kind.LOST_REPLY,
          Kind.LATE_EFFECT,
          Kind.SLOW,
          Kind.HANG,
          Kind.SILENT,
          Kind.ERROR_500,
          Kind.TRUNCATED);
  private static final List<Kind> OF_EVENTS = List.of(Kind.EVENT_LOST, Kind.EVENT_DOUBLED);

  private final Map<String, Queue<Fault>> scripted = new HashMap<>();
  private final Map<Kind, Integer> done = new EnumMap<>(Kind.class);
  private Optional<RandomGenerator> chance = Optional.empty();
  private int percent;

  /** How a call, or an event, goes wrong. */
  public enum Kind {
    /** The connection drops and nothing happens. */
    LOST_REQUEST,
    /** It happens, and the connection drops before the answer. */
    LOST_REPLY,
    /** The connection drops at once; it happens after the delay. */
    LATE_EFFECT,
    /** It happens after the delay and is answered then. */
    SLOW,
    /** Nothing happens, and no answer ever comes. */
    HANG,
    /** It happens, and no answer ever comes. */
    SILENT,
    /** Nothing happens; the answer is a 500. */
    ERROR_500,
    /** It happens, and half of the answer comes. */
    TRUNCATED,
    /** An event that nobody hears of. */
    EVENT_LOST,
    /** An event that comes twice. */
    EVENT_DOUBLED
  }

  /**
   * @param delay only for what happens late
   */
  public record Fault(Kind kind, Duration delay) {}

  /**
   * The next call of this verb about this container goes wrong so; several are used up in order.
   *
   * @param verb {@code start stop kill pause unpause inspect logs wait list events version}, or
   *     {@code event-die} and the like for an event that is published
   * @param container its name; empty for verbs about none
   */
  public synchronized void next(String verb, String container, Fault fault) {
    scripted.computeIfAbsent(verb + " " + container, key -> new ArrayDeque<>()).add(fault);
  }

  /** As above, for what needs no delay. */
  public void next(String verb, String container, Kind kind) {
    next(verb, container, new Fault(kind, Duration.ZERO));
  }

  /** From now on so many of a hundred calls and events, those that are not scripted, go wrong. */
  public synchronized void atRandom(long seed, int percentOfAll) {
    chance = Optional.of(new SplittableRandom(seed));
    percent = percentOfAll;
  }

  /** Nothing goes wrong any more, scripted or not. */
  public synchronized void none() {
    chance = Optional.empty();
    scripted.clear();
  }

  /** How often each has been done. */
  public synchronized Map<Kind, Integer> done() {
    return Map.copyOf(done);
  }

  synchronized Optional<Fault> take(String verb, String container) {
    Optional<Fault> fault = scripted(verb, container).or(() -> random(verb));
    fault.ifPresent(one -> done.merge(one.kind(), 1, Integer::sum));
    return fault;
  }

  private Optional<Fault> random(String verb) {
    if (chance.isEmpty() || chance.get().nextInt(100) >= percent) {
      return Optional.empty();
    }
    List<Kind> kinds = verb.startsWith("event-") ? OF_EVENTS : OF_CALLS;
    Kind kind = kinds.get(chance.get().nextInt(kinds.size()));
    return Optional.of(
        new Fault(kind, Duration.ofMillis(chance.get().nextInt(LONGEST_DELAY_MILLIS))));
  }

  private Optional<Fault> scripted(String verb, String container) {
    Queue<Fault> waiting = scripted.get(verb + " " + container);
    return waiting == null ? Optional.empty() : Optional.ofNullable(waiting.poll());
  }
}

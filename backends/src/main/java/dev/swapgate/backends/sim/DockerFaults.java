package dev.swapgate.backends.sim;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;

/**
 * What goes wrong in the fake Docker API, one call at a time, because a test asked for it.
 * Thread-safe.
 */
public final class DockerFaults {
  private final Map<String, Queue<Fault>> scripted = new HashMap<>();

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

  synchronized Optional<Fault> take(String verb, String container) {
    Queue<Fault> waiting = scripted.get(verb + " " + container);
    return waiting == null ? Optional.empty() : Optional.ofNullable(waiting.poll());
  }
}

package dev.swapgate.proxy.chat;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** How many requests were answered by whom, and how. Thread-safe. */
public final class ChatCounters {

  /**
   * What is counted apart.
   *
   * @param answeredBy {@code gate}, {@code engine:name}, {@code fallback:name} or {@code
   *     media:name}
   * @param outcome the status, or {@code gone}, {@code cut}, {@code broken} for answers that were
   *     not brought to their end
   */
  public record Key(String answeredBy, String outcome) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      int by = answeredBy.compareTo(other.answeredBy);
      return by != 0 ? by : outcome.compareTo(other.outcome);
    }
  }

  private final Map<Key, LongAdder> counts = new ConcurrentHashMap<>();

  /** Counts one more. */
  public void add(String answeredBy, String outcome) {
    counts.computeIfAbsent(new Key(answeredBy, outcome), key -> new LongAdder()).increment();
  }

  /** The counts so far. */
  public Map<Key, Long> counts() {
    Map<Key, Long> now = new TreeMap<>();
    counts.forEach((key, count) -> now.put(key, count.sum()));
    return now;
  }
}

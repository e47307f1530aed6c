package dev.swapgate.proxy.fallback;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * What became of calls to providers, and of requests for which none was made. The two are kept
 * apart: a refusal of ours says nothing about a provider. Thread-safe.
 */
public final class FallbackCounters {

  /** Why nothing was sent to any provider. */
  public enum Local {
    /** All that could answer are set aside. */
    COOLING,
    /** None has this model or path. */
    NOT_SERVED,
    /** As many requests as may be are with providers already. */
    FULL;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * One count.
   *
   * @param end {@code good}, {@code client}, {@code limit}, {@code fault}, {@code gone} or {@code
   *     left} for a client that left
   */
  public record Call(String provider, String end) implements Comparable<Call> {
    @Override
    public int compareTo(Call other) {
      int by = provider.compareTo(other.provider);
      return by != 0 ? by : end.compareTo(other.end);
    }
  }

  private final Map<Call, LongAdder> calls = new ConcurrentHashMap<>();
  private final Map<Local, LongAdder> local = new ConcurrentHashMap<>();

  void called(Provider provider, String end) {
    calls.computeIfAbsent(new Call(provider.name(), end), key -> new LongAdder()).increment();
  }

  void notSent(Local why) {
    local.computeIfAbsent(why, key -> new LongAdder()).increment();
  }

  /** Calls to providers so far. */
  public Map<Call, Long> calls() {
    Map<Call, Long> now = new TreeMap<>();
    calls.forEach((call, count) -> now.put(call, count.sum()));
    return now;
  }

  /** Requests for which nothing was sent, so far. */
  public Map<Local, Long> notSent() {
    Map<Local, Long> now = new TreeMap<>();
    local.forEach((why, count) -> now.put(why, count.sum()));
    return now;
  }
}

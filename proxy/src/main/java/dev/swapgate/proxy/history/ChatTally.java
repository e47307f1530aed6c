package dev.swapgate.proxy.history;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What chat was told while it could not come in, until it can. Requests that were told the same in
 * the same second are one line, and lines are bounded, so that a storm of them costs a counter
 * each. Thread-safe; no request waits for another for longer than a map takes.
 */
public final class ChatTally {

  /** Lines kept: with one figure a second, more than an hour of refusals. */
  private static final int MOST_LINES = 5_000;

  private final Map<Promise, Integer> promises = new LinkedHashMap<>();
  private long refused;
  private long held;

  private record Promise(long second, int told) {}

  /**
   * How far what was told was from what came.
   *
   * @param tooLong told minus true wait; negative when the client was told to come back too early
   * @param requests that were told so
   */
  public record Miss(Duration tooLong, int requests) {}

  /** What was counted. */
  public record Count(long refused, long held, List<Miss> misses) {
    public Count {
      misses = List.copyOf(misses);
    }
  }

  /** A request was refused without a figure of ours that could be right or wrong. */
  public synchronized void refused() {
    refused++;
  }

  /** A request was refused and told to come back in so many seconds. */
  public synchronized void refused(Duration now, int toldSeconds) {
    refused++;
    Promise promise = new Promise(now.toSeconds(), toldSeconds);
    if (promises.size() < MOST_LINES || promises.containsKey(promise)) {
      promises.merge(promise, 1, Integer::sum);
    }
  }

  /** A request is held silently. */
  public synchronized void held() {
    held++;
  }

  /** What was counted so far, without what it was worth. */
  public synchronized Count now() {
    return new Count(refused, held, List.of());
  }

  /**
   * Chat can come in from this steady time on: what was told is compared, and counting begins anew.
   */
  public synchronized Count opened(Duration at) {
    List<Miss> misses = new ArrayList<>();
    promises.forEach(
        (promise, requests) ->
            misses.add(
                new Miss(
                    Duration.ofSeconds(promise.second() + promise.told()).minus(at), requests)));
    Count count = new Count(refused, held, misses);
    promises.clear();
    refused = 0;
    held = 0;
    return count;
  }
}

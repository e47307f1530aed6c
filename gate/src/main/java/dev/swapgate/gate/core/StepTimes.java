package dev.swapgate.gate.core;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How long each step took, learned: the median of the last {@value #KEPT} samples, from the first
 * one on. Not thread-safe; belongs to the gate's loop.
 */
public final class StepTimes {

  /** Samples kept for each step (DESIGN 6: the median of the last 20). */
  public static final int KEPT = 20;

  private final Map<Key, Deque<Duration>> samples = new HashMap<>();

  public StepTimes(Collection<Sample> remembered) {
    remembered.forEach(this::add);
  }

  /** The steps of a swap that take time. */
  public enum Step {
    DRAIN,
    STOP,
    RELEASE,
    START_TO_READY,
    RUN,
    COLLECT
  }

  /**
   * What a step's time is learned by.
   *
   * @param shape the workflow's shape for {@code RUN} and {@code COLLECT}; empty otherwise
   */
  public record Key(Step step, Backend.Id backend, String shape) {}

  /** One step, once. */
  public record Sample(Key key, Duration took) {}

  public void add(Sample sample) {
    Deque<Duration> kept = samples.computeIfAbsent(sample.key(), key -> new ArrayDeque<>());
    kept.addLast(sample.took());
    if (kept.size() > KEPT) {
      kept.removeFirst();
    }
  }

  /** The median of what was seen; empty until the first sample. */
  public Optional<Duration> learned(Key key) {
    Deque<Duration> kept = samples.get(key);
    if (kept == null) {
      return Optional.empty();
    }
    List<Duration> sorted = new ArrayList<>(kept);
    sorted.sort(null);
    int middle = sorted.size() / 2;
    return Optional.of(
        sorted.size() % 2 == 1
            ? sorted.get(middle)
            : sorted.get(middle - 1).plus(sorted.get(middle)).dividedBy(2));
  }

  /** True once that step of that backend was seen, under any shape. */
  public boolean knows(Step step, Backend.Id backend) {
    return samples.keySet().stream()
        .anyMatch(key -> key.step() == step && key.backend().equals(backend));
  }
}

package dev.swapgate.proxy.admin;

import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.swapgate.gate.core.StepTimes;
import dev.swapgate.gate.port.JobStore;
import dev.swapgate.proxy.history.SwapRecord;
import dev.swapgate.proxy.http.Answer;
import dev.swapgate.proxy.http.Ask;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** {@code GET history}: what happened, what the last swaps were like, and what was learned. */
final class HistoryPage {

  private static final int MOST_LINES = 10_000;
  private static final int MOST_SWAPS = 1_000;

  private final JobStore store;
  private final Supplier<Optional<SwapRecord>> underWay;

  HistoryPage(JobStore store, Supplier<Optional<SwapRecord>> underWay) {
    this.store = store;
    this.underWay = underWay;
  }

  Answer answer(Ask ask) {
    List<LineJson> lines =
        store.history(ask.count("limit", 200, MOST_LINES)).stream().map(LineJson::of).toList();
    List<String> swaps = store.swaps(ask.count("swaps", 50, MOST_SWAPS));
    return Answer.json(
        200,
        new All(
            lines,
            underWay.get().orElse(null),
            "[" + String.join(",", swaps) + "]",
            Estimates.of(swaps),
            learned()));
  }

  private List<LearnedJson> learned() {
    List<StepTimes.Sample> samples = store.stepTimes();
    StepTimes times = new StepTimes(samples);
    Set<StepTimes.Key> keys = new LinkedHashSet<>();
    samples.forEach(sample -> keys.add(sample.key()));
    return keys.stream()
        .map(
            key ->
                new LearnedJson(
                    key.backend().value(),
                    key.step().name().toLowerCase(Locale.ROOT),
                    key.shape(),
                    times.learned(key).orElse(Duration.ZERO).toMillis() / 1000.0,
                    samples.stream().filter(sample -> sample.key().equals(key)).count()))
        .toList();
  }

  /**
   * All of it.
   *
   * @param swap the one under way; null for none
   * @param swaps those that are over, newest first, as they were written
   */
  record All(
      List<LineJson> history,
      @Nullable SwapRecord swap,
      @JsonRawValue String swaps,
      Estimates estimates,
      List<LearnedJson> learned) {}

  /** One thing that happened. */
  record LineJson(String at, String what, String backend, String job, String detail) {
    static LineJson of(JobStore.HistoryLine line) {
      return new LineJson(
          line.at().toString(), line.what(), line.backend(), line.job(), line.json());
    }
  }

  /**
   * What was learned of a step.
   *
   * @param shape tells workflows apart; empty for steps that have none
   * @param seconds the median
   */
  record LearnedJson(String backend, String step, String shape, double seconds, long samples) {}
}

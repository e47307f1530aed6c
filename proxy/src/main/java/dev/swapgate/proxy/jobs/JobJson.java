package dev.swapgate.proxy.jobs;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.swapgate.gate.core.GateView;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.TimeWindow;
import dev.swapgate.gate.runtime.Gate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A job on the wire.
 *
 * @param progress in [0, 1]; null while untold
 * @param when {@code idle}, or not before this moment; null for at once
 * @param window the hours of the day in which it may run; null for all
 * @param sha256 of the files, by name, in hexadecimal; left out while there is none
 * @param error why it failed or was cancelled, or what the server warned of; null for none
 */
record JobJson(
    String id,
    String state,
    String backend,
    int attempts,
    String created,
    @Nullable String started,
    @Nullable String ended,
    @Nullable Double progress,
    @Nullable String error,
    List<String> files,
    String priority,
    @Nullable String batch,
    @Nullable String when,
    @Nullable String window,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Map<String, String> set,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, String> sha256) {

  /**
   * With the values that were put into its workflow or request, as the seeds of a repeat, and the
   * SHA-256 of each file.
   */
  static JobJson of(
      Job job, Optional<GateView.Work> work, Map<String, String> set, Map<String, String> sums) {
    return shown(job, work, new TreeMap<>(set), sums);
  }

  static JobJson of(Job job, Optional<GateView.Work> work) {
    return shown(job, work, null, Map.of());
  }

  private static JobJson shown(
      Job job,
      Optional<GateView.Work> work,
      @Nullable Map<String, String> set,
      Map<String, String> sums) {
    return new JobJson(
        job.id().value(),
        word(job.state()),
        job.backend().value(),
        job.attempts(),
        job.created().toString(),
        text(job.started()),
        text(job.ended()),
        job.state() == Job.State.DONE ? Double.valueOf(1) : progress(job, work),
        job.error().isEmpty() ? null : job.error(),
        job.files(),
        job.terms().priority().word(),
        job.terms().batch().map(Job.Id::value).orElse(null),
        job.terms().idle() ? "idle" : text(job.when()),
        job.terms().window().map(TimeWindow::text).orElse(null),
        set,
        sums);
  }

  private static @Nullable Double progress(Job job, Optional<GateView.Work> work) {
    OptionalDouble told =
        work.filter(one -> one.job().equals(job.id()))
            .map(GateView.Work::progress)
            .orElse(OptionalDouble.empty());
    return told.isPresent() ? told.getAsDouble() : null;
  }

  static String word(Job.State state) {
    return state.name().toLowerCase(Locale.ROOT);
  }

  private static @Nullable String text(Optional<Instant> moment) {
    return moment.map(Instant::toString).orElse(null);
  }

  /** The list of {@code GET jobs}, newest first. */
  record Many(List<JobJson> jobs) {}

  /**
   * The answer to {@code POST jobs}: the first of the jobs, and of more than one their batch.
   *
   * @param outageSeconds for all of them, were they to run in one swap
   * @param batch null for a single job
   * @param jobs names of all of them, in their order; null for a single job
   * @param warnings null for none
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Accepted(
      String id,
      String state,
      int position,
      long startsInSeconds,
      long outageSeconds,
      @Nullable String batch,
      @Nullable List<String> jobs,
      @Nullable List<String> warnings) {

    static Accepted of(List<Gate.Accepted> all, List<String> warnings) {
      Gate.Accepted accepted = all.getFirst();
      Gate.Accepted last = all.getLast();
      Optional<String> batch = accepted.job().terms().batch().map(Job.Id::value);
      return new Accepted(
          accepted.job().id().value(),
          word(accepted.job().state()),
          accepted.position(),
          roundedUp(accepted.startsIn()),
          roundedUp(last.startsIn().minus(accepted.startsIn()).plus(last.outage())),
          batch.orElse(null),
          batch.isEmpty() ? null : all.stream().map(one -> one.job().id().value()).toList(),
          warnings.isEmpty() ? null : warnings);
    }

    private static long roundedUp(Duration duration) {
      return duration.getSeconds() + (duration.getNano() > 0 ? 1 : 0);
    }
  }
}

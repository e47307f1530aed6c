package dev.swapgate.proxy.jobs;

import dev.swapgate.gate.core.GateView;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.runtime.Gate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * A job on the wire.
 *
 * @param progress in [0, 1]; null while untold
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
    List<String> files) {

  static JobJson of(Job job, Optional<GateView.Work> work) {
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
        job.files());
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

  /** The answer to {@code POST jobs}. */
  record Accepted(String id, String state, int position, long startsInSeconds, long outageSeconds) {

    static Accepted of(Gate.Accepted accepted) {
      return new Accepted(
          accepted.job().id().value(),
          word(accepted.job().state()),
          accepted.position(),
          roundedUp(accepted.startsIn()),
          roundedUp(accepted.outage()));
    }

    private static long roundedUp(Duration duration) {
      return duration.getSeconds() + (duration.getNano() > 0 ? 1 : 0);
    }
  }
}

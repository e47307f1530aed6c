package dev.swapgate.backends.prefetch;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.GateView;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.LeaseTerms;
import dev.swapgate.gate.core.Outlook;
import dev.swapgate.gate.core.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How the gate stands, as far as prefetching looks at it.
 *
 * @param expected seconds that the job takes in all, from second 0 on
 * @param later seconds of all that follows it until chat is open
 * @param progress negative: none is told
 */
record Views(
    Phase phase,
    Optional<String> job,
    String selected,
    long expected,
    long later,
    int queued,
    double progress,
    boolean leased) {

  /** The restore of the engine, as it was learned. */
  static final long RESTORE = 300;

  /** The last job of a visit runs on comfyui. */
  static Views running(String job, long expected) {
    return new Views(Phase.RUNNING, Optional.of(job), "vllm", expected, RESTORE + 12, 0, -1, false);
  }

  Views after(Phase next) {
    return new Views(next, Optional.empty(), selected, 0, RESTORE, queued, -1, leased);
  }

  Views selecting(String engine) {
    return new Views(phase, job, engine, expected, later, queued, progress, leased);
  }

  Views waiting(int jobs, long seconds) {
    return new Views(phase, job, selected, expected, later + seconds, jobs, progress, leased);
  }

  Views at(double share) {
    return new Views(phase, job, selected, expected, later, queued, share, leased);
  }

  Views withLease() {
    return new Views(phase, job, selected, expected, later, queued, progress, true);
  }

  GateView view() {
    return new GateView(
        phase,
        Optional.of(new Backend.Id("comfyui")),
        new Backend.Id(selected),
        false,
        "",
        GateView.Refusal.RATE_LIMIT,
        Optional.empty(),
        new Outlook(
            Duration.ofSeconds(expected),
            Duration.ZERO,
            Duration.ofSeconds(later),
            Duration.ofSeconds(30),
            Duration.ofSeconds(900)),
        0,
        queued,
        job.isPresent() ? 1 : 0,
        List.of(
            new GateView.BackendView(
                new Backend.Id("vllm"),
                "vllm",
                "down",
                false,
                Optional.of(Duration.ofSeconds(RESTORE)),
                false)),
        List.of(),
        leased
            ? List.of(
                new GateView.LeaseView("1", "comfyui", Instant.EPOCH, false, LeaseTerms.PLAIN))
            : List.of(),
        new GateView.CardView(-1, -1, "unknown"),
        true,
        job.map(
            id ->
                new GateView.Work(
                    new Job.Id(id),
                    new Backend.Id("comfyui"),
                    progress < 0 ? OptionalDouble.empty() : OptionalDouble.of(progress))));
  }
}

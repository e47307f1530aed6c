package dev.swapgate.backends.prefetch;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.GateView;
import dev.swapgate.gate.core.Job;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * For whom files are read, and during which job. When it changes, reading for the former ends.
 *
 * @param globs of the engine's files, at least one
 */
record Aim(Job.Id job, Backend.Id engine, List<String> globs) {

  /** Empty while no job runs, or when the selected engine names no files. */
  static Optional<Aim> of(GateView view, Map<Backend.Id, List<String>> globs) {
    List<String> files = globs.getOrDefault(view.selected(), List.of());
    return PrefetchRule.isRunning(view) && !files.isEmpty()
        ? view.work().map(work -> new Aim(work.job(), view.selected(), files))
        : Optional.empty();
  }

  /** Why it is not any more what it was. */
  String endedBy(Optional<Aim> next, Backend.Id selected) {
    if (!engine.equals(selected)) {
      return selected + " is selected now";
    }
    return next.filter(one -> one.job.equals(job)).isPresent()
        ? "prefetch was changed in the configuration"
        : "the job ended";
  }
}

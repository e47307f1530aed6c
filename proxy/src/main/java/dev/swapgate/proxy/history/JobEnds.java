package dev.swapgate.proxy.history;

import dev.swapgate.gate.core.GateEvent;
import dev.swapgate.gate.core.Job;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Hears of each job's end once. The gate may tell of an end twice: when a cancellation is written
 * and when the server has let go of the job. Thread-safe.
 */
public final class JobEnds {

  /** Ends remembered; two that belong together are minutes apart. */
  private static final int REMEMBERED = 1000;

  private final Set<String> heard = new LinkedHashSet<>();

  /** How a job ended. */
  public record End(String job, String backend, Job.State state) {}

  /** The end that this event tells of, unless it was heard before. */
  public synchronized Optional<End> of(GateEvent event) {
    Optional<Job.State> state = event.jobState().filter(Job.State::isFinal);
    if (state.isEmpty() || !heard.add(event.job())) {
      return Optional.empty();
    }
    if (heard.size() > REMEMBERED) {
      heard.remove(heard.iterator().next());
    }
    return Optional.of(new End(event.job(), event.backend(), state.get()));
  }
}

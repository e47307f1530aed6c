package dev.swapgate.proxy.jobs;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.JobRequest;
import dev.swapgate.gate.port.JobStore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds jobs that ask the same as another one that waits: in one visit a server such as ComfyUI
 * answers the second from its memory, and nothing new comes of it. Thread-safe.
 */
final class Twins {

  /** Waiting jobs that are compared, the newest: one more must not cost more in a long queue. */
  private static final int COMPARED = 50;

  private final JobStore store;
  private final JobDesk.JobCheck check;

  Twins(JobStore store, JobDesk.JobCheck check) {
    this.store = store;
    this.check = check;
  }

  /** One sentence for each kind of twin; none for a server that does all it is asked. */
  List<String> warnings(Backend.Id backend, List<JobRequest> requests) {
    if (!check.remembersAnswers(backend)) {
      return List.of();
    }
    List<String> warnings = new ArrayList<>();
    Set<JobRequest> different = new HashSet<>(requests);
    if (different.size() < requests.size()) {
      warnings.add(
          (requests.size() - different.size())
              + " of the "
              + requests.size()
              + " jobs ask exactly what another one of them asks; "
              + backend
              + " does nothing for those in one visit. Vary a value, a seed for example");
    }
    store.open(backend, COMPARED).reversed().stream()
        .filter(job -> store.request(job.id()).filter(different::contains).isPresent())
        .findFirst()
        .ifPresent(
            job ->
                warnings.add(
                    "job "
                        + job.id()
                        + " asks exactly the same and has not ended; in one visit "
                        + backend
                        + " does nothing for the second. Vary a value, a seed for example"));
    return warnings;
  }
}

package dev.swapgate.gate.runtime;

import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobTerms;
import dev.swapgate.gate.core.NewJob;
import dev.swapgate.gate.port.JobAdapter;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/** The jobs that something handed in becomes, each with a name of its own. */
final class HandedJobs {
  private HandedJobs() {}

  /** Several are a batch. */
  static List<NewJob> of(Gate.Handed handed, JobAdapter adapter, Instant now) {
    boolean many = handed.requests().size() > 1;
    JobTerms terms = many ? handed.terms().inBatch(newBatch()) : handed.terms();
    return handed.requests().stream()
        .map(one -> new NewJob(job(handed, adapter.shape(one), terms, now), one))
        .toList();
  }

  private static Job job(Gate.Handed handed, String shape, JobTerms terms, Instant now) {
    return new Job(
        newId(),
        handed.backend(),
        shape,
        Job.State.QUEUED,
        0,
        Optional.empty(),
        now,
        handed.when().map(Gate.When::notBefore),
        Optional.empty(),
        Optional.empty(),
        "",
        List.of(),
        terms);
  }

  /** Told from a job's name by its first letters, for whoever types either. */
  private static Job.Id newBatch() {
    return new Job.Id("b-" + newId());
  }

  /** Short enough to type, random enough to be unique on one box: 48 bits. */
  private static Job.Id newId() {
    String random = UUID.randomUUID().toString().replace("-", "");
    return new Job.Id(random.substring(0, 12).toLowerCase(Locale.ROOT));
  }
}

package dev.swapgate.gate.store;

import dev.swapgate.gate.core.Job;
import java.nio.file.Path;

/** A process to be killed: accepts jobs for ever and prints the id of each once it is accepted. */
final class KilledWriter {
  private KilledWriter() {}

  public static void main(String[] args) {
    try (SqliteJobStore store = SqliteJobStore.open(Path.of(args[0]))) {
      for (int i = 0; i < 100_000; i++) {
        Job job = JobStoreContract.queued(args[1] + "-" + i);
        store.insert(job, JobStoreContract.REQUEST, "key-" + job.id());
        System.out.println(job.id());
        System.out.flush();
      }
    }
  }
}

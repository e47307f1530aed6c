package dev.swapgate.gate.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.gate.core.Job;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Goal: an id that was told to somebody is in the store, whenever its writer was killed. */
class KillTest {
  private static final int ROUNDS = 15;

  @TempDir Path folder;

  @Test
  @Timeout(value = 3, unit = TimeUnit.MINUTES)
  void keepsEveryAcceptedJobWhenItsWriterIsKilled() throws Exception {
    Path file = folder.resolve("jobs.db");
    List<String> told = new ArrayList<>();

    for (int round = 0; round < ROUNDS; round++) {
      told.addAll(killedAfter(1 + round * 13, file, "round" + round));

      try (SqliteJobStore store = SqliteJobStore.open(file)) {
        List<String> kept = store.open().stream().map(Job::id).map(Job.Id::value).toList();
        assertThat(kept).as("after round %d", round).containsAll(told);
        Job.Id last = new Job.Id(told.getLast());
        assertThat(store.request(last)).contains(JobStoreContract.REQUEST);
        assertThat(store.byKey("key-" + last)).map(Job::id).contains(last);
      }
    }
    assertThat(told).hasSizeGreaterThanOrEqualTo(ROUNDS);
  }

  /** The ids that the writer told before it died, killed once it had told so many. */
  private static List<String> killedAfter(int count, Path file, String prefix)
      throws IOException, InterruptedException {
    Process writer =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                KilledWriter.class.getName(),
                file.toString(),
                prefix)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(writer.getInputStream(), StandardCharsets.UTF_8))) {
      List<String> told = new ArrayList<>();
      StringBuilder line = new StringBuilder();
      for (int c = out.read(); c >= 0; c = out.read()) {
        if (c != '\n') {
          line.append((char) c);
          continue;
        }
        told.add(line.toString());
        line.setLength(0);
        if (told.size() == count) {
          // By its handle: the process object would close the stream with what was told.
          writer.toHandle().destroyForcibly();
        }
      }
      assertThat(told).as("ids told by the writer").hasSizeGreaterThanOrEqualTo(count);
      return told;
    } finally {
      writer.destroyForcibly();
      assertThat(writer.waitFor(30, TimeUnit.SECONDS)).as("the writer ended").isTrue();
    }
  }
}

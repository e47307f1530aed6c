package dev.swapgate.proxy.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobRequest;
import dev.swapgate.gate.core.Now;
import dev.swapgate.gate.store.SqliteJobStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RetentionTest {
  private static final Instant NOW = Instant.parse("2026-11-30T10:00:00Z");

  @TempDir Path folder;

  @Test
  void removesWhatIsOldAndNothingElse() throws Exception {
    Path uploads = Files.createDirectories(folder.resolve("uploads"));
    try (SqliteJobStore store = SqliteJobStore.open(folder.resolve("swapgate.db"))) {
      Path oldUpload = upload(uploads, "old");
      Path newUpload = upload(uploads, "new");
      Path strayUpload = upload(uploads, "stray");
      Path oldResult = job(store, "j1", NOW.minus(Duration.ofDays(31)), oldUpload);
      Path newResult = job(store, "j2", NOW.minus(Duration.ofDays(29)), newUpload);
      Path freshUpload = Files.createDirectory(uploads.resolve("fresh"));
      Files.setLastModifiedTime(freshUpload, FileTime.from(NOW.minus(Duration.ofHours(1))));
      try (Retention retention =
          new Retention(
              store,
              folder.resolve("results"),
              uploads,
              () -> Duration.ofDays(30),
              () -> new Now(Duration.ZERO, NOW))) {
        retention.forget();
      }

      assertThat(oldResult).doesNotExist();
      assertThat(oldUpload).doesNotExist();
      assertThat(strayUpload).doesNotExist();
      assertThat(newResult).exists();
      assertThat(newUpload).exists();
      assertThat(freshUpload).exists();
      assertThat(store.job(new Job.Id("j1"))).isEmpty();
      assertThat(store.job(new Job.Id("j2"))).isPresent();
    }
  }

  private static Path upload(Path uploads, String name) throws Exception {
    Path upload = Files.createDirectory(uploads.resolve(name));
    Files.writeString(upload.resolve("0-a.png"), "picture");
    Files.setLastModifiedTime(upload, FileTime.from(NOW.minus(Duration.ofDays(40))));
    return upload;
  }

  private Path job(SqliteJobStore store, String id, Instant ended, Path upload) throws Exception {
    Job job =
        new Job(
            new Job.Id(id),
            new Backend.Id("comfyui"),
            "shape",
            Job.State.QUEUED,
            0,
            Optional.empty(),
            ended,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            "",
            List.of());
    JobRequest.Attachment file =
        new JobRequest.Attachment("a.png", upload.resolve("0-a.png").toString());
    store.insert(job, new JobRequest("{}", Map.of(), List.of(file)), "");
    store.update(job.ended(Job.State.DONE, "", List.of("cat.png"), ended));
    Path result = Files.createDirectories(folder.resolve("results").resolve(id));
    Files.writeString(result.resolve("cat.png"), "cat");
    return result;
  }
}

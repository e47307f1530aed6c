package dev.swapgate.gate.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobRequest;
import dev.swapgate.gate.port.JobStore;
import dev.swapgate.gate.port.JobStore.StoreException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteJobStoreTest extends JobStoreContract {
  @TempDir Path folder;

  private Path file() {
    return folder.resolve("state").resolve("jobs.db");
  }

  @Override
  JobStore create() {
    return SqliteJobStore.open(file());
  }

  @Override
  JobStore restarted() {
    store.close();
    return SqliteJobStore.open(file());
  }

  @Override
  void fillDisk() {
    pragma("max_page_count = 1");
  }

  @Override
  void freeDisk() {
    pragma("max_page_count = 4294967294");
  }

  private String pragma(String pragma) {
    return database().read("ask", connection -> database().pragma(pragma));
  }

  private Database database() {
    return ((SqliteJobStore) store).database();
  }

  @Test
  void letsNobodyElseReadTheFile() throws IOException {
    store.insert(queued("one"), REQUEST, "");

    assertThat(mode(file())).isEqualTo("rw-------");
    assertThat(mode(file().resolveSibling("jobs.db-wal"))).isEqualTo("rw-------");
    assertThat(mode(file().getParent())).isEqualTo("rwx------");
  }

  @Test
  void narrowsAFileThatOthersCouldRead() throws IOException {
    store.close();
    Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-r--r--"));

    store = SqliteJobStore.open(file());

    assertThat(mode(file())).isEqualTo("rw-------");
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void syncsEveryCommitAndHoldsTheFileForItself() {
    assertThat(pragma("journal_mode")).isEqualTo("wal");
    assertThat(pragma("synchronous")).as("2 is FULL").isEqualTo("2");
    assertThat(pragma("locking_mode")).isEqualTo("exclusive");
    assertThat(pragma("foreign_keys")).isEqualTo("1");
  }

  @Test
  void tellsOfASecondSwapgate() {
    assertThatThrownBy(() -> SqliteJobStore.open(file()))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.IN_USE))
        .hasMessageContaining(file().toString())
        .hasMessageContaining("second swapgate");

    store.put("still", "writable");
    assertThat(store.settings()).containsEntry("still", "writable");
  }

  @Test
  void refusesADiskThatTurnedReadOnlyAndGoesOnWhenItIsWritable() {
    pragma("query_only = ON");

    assertThatThrownBy(() -> store.put("selected", "vllm"))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("cannot be written");

    pragma("query_only = OFF");
    store.put("selected", "vllm");
    assertThat(store.settings()).containsEntry("selected", "vllm");
  }

  @Test
  void leavesAFileThatIsNoDatabaseAsItIs() throws IOException {
    Path other = folder.resolve("junk.db");
    byte[] junk =
        "not a database, but long enough to look at. ".repeat(200).getBytes(StandardCharsets.UTF_8);
    Files.write(other, junk);

    assertThatThrownBy(() -> SqliteJobStore.open(other))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.DAMAGED))
        .hasMessageContaining(other.toString())
        .hasMessageContaining("aside");
    assertThat(Files.readAllBytes(other)).isEqualTo(junk);
  }

  @Test
  void findsAPageThatWasOverwritten() throws IOException {
    for (int i = 0; i < 50; i++) {
      store.insert(queued("job-" + i), REQUEST, "key-" + i);
    }
    store.close();
    byte[] bytes = Files.readAllBytes(file());
    int page = 4096;
    for (int at = 2 * page; at < bytes.length; at++) {
      bytes[at] = (byte) (at * 31);
    }
    Files.write(file(), bytes);

    assertThatThrownBy(() -> SqliteJobStore.open(file()))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.DAMAGED))
        .hasMessageContaining("left as it is");
    assertThat(Files.readAllBytes(file())).isEqualTo(bytes);
  }

  @Test
  void holdsFinalStatesInTheFileItself() {
    Job job = store.insert(queued("one"), REQUEST, "");
    store.update(job.ended(Job.State.CANCELLED, "", List.of(), NOON));

    assertThatThrownBy(
            () ->
                database().write("cheat", db -> Sql.update(db, "UPDATE job SET state = 'running'")))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("a final state never changes");
    assertThat(store.open()).isEmpty();
  }

  @Test
  void boundsHistory() {
    database()
        .write(
            "fill",
            db -> {
              for (int i = 0; i < SqliteHistory.LINES_KEPT + 5; i++) {
                SqliteHistory.add(
                    db, new JobStore.HistoryLine(NOON.plusSeconds(i), "n" + i, "", "", "{}"));
              }
              return true;
            });

    List<JobStore.HistoryLine> all = store.history(Integer.MAX_VALUE);
    assertThat(all).hasSize(SqliteHistory.LINES_KEPT);
    assertThat(all.getLast().what()).isEqualTo("n5");
  }

  @Test
  void keepsTheWalShortUnderLargeRequests() throws IOException {
    JobRequest image = new JobRequest("y".repeat(1 << 20), Map.of(), List.of());
    for (int i = 0; i < 30; i++) {
      store.insert(queued("job-" + i), image, "");
    }

    assertThat(Files.size(file().resolveSibling("jobs.db-wal"))).isLessThan(12L << 20);
    assertThat(store.open()).hasSize(30);
  }

  @Test
  void leavesNoTraceOfAForgottenRequest() throws IOException {
    String prompt = "a prompt that nobody else should read";
    Job job = store.insert(queued("one"), new JobRequest(prompt, Map.of(), List.of()), "");
    store.update(job.ended(Job.State.DONE, "", List.of(), NOON));
    store.forgetBefore(NOON.plusSeconds(1));
    store.close();

    assertThat(new String(Files.readAllBytes(file()), StandardCharsets.ISO_8859_1))
        .doesNotContain(prompt);
    assertThat(file().resolveSibling("jobs.db-wal")).doesNotExist();
  }

  @Test
  void servesManyThreadsAtOnce() throws Exception {
    int callers = 40;
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Job>> same =
          IntStream.range(0, callers)
              .mapToObj(
                  i -> threads.submit(() -> store.insert(queued("same-" + i), REQUEST, "key")))
              .toList();
      List<Future<Job>> other =
          IntStream.range(0, callers)
              .mapToObj(i -> threads.submit(() -> store.insert(queued("own-" + i), REQUEST, "")))
              .toList();

      Job winner = same.getFirst().get(30, TimeUnit.SECONDS);
      for (Future<Job> each : same) {
        assertThat(each.get(30, TimeUnit.SECONDS)).isEqualTo(winner);
      }
      for (Future<Job> each : other) {
        each.get(30, TimeUnit.SECONDS);
      }
    }
    assertThat(store.open()).hasSize(callers + 1);
  }

  @Test
  void knowsWhichSqliteIsTooOld() {
    List<Integer> oldest = List.of(3, 51, 3);

    assertThat(Database.isAtLeast("3.51.3", oldest)).isTrue();
    assertThat(Database.isAtLeast("3.54.1", oldest)).isTrue();
    assertThat(Database.isAtLeast("4.0", oldest)).isTrue();
    assertThat(Database.isAtLeast("3.51.2", oldest)).isFalse();
    assertThat(Database.isAtLeast("3.9.9", oldest)).isFalse();
  }
}

package dev.swapgate.backends.prefetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.swapgate.backends.prefetch.ModelFiles.ModelFile;
import dev.swapgate.gate.core.Now;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class CacheReaderTest {

  private static final long MIB = 1 << 20;
  private static final OptionalLong PLENTY = OptionalLong.of(1L << 40);

  @TempDir Path folder;

  private static Now now() {
    return new Now(Duration.ZERO, Instant.EPOCH);
  }

  private static CacheReader reader(Supplier<OptionalLong> available) {
    return new CacheReader(CacheReaderTest::now, available);
  }

  private ModelFile file(String name, long mib) throws IOException {
    Path file = Files.write(folder.resolve(name), new byte[(int) (mib * MIB)]);
    return new ModelFile(file, mib * MIB);
  }

  @Test
  void readsAllFiles() throws IOException {
    List<ModelFile> files = List.of(file("a", 3), file("b", 40), file("empty", 0));
    CacheReader.Outcome outcome = reader(() -> PLENTY).read(files);
    assertThat(outcome.bytes()).isEqualTo(43 * MIB);
    assertThat(outcome.why()).isEmpty();
  }

  @Test
  void afterwardsTheFilesAreInThePageCache() throws Exception {
    ModelFile file = file("model", 48);
    forget(file.path());
    assumeThat(cached(file.path())).as("out of the cache, where that can be had").isEqualTo(0);

    reader(() -> PLENTY).read(List.of(file));

    assertThat(cached(file.path())).isEqualTo(48 * MIB);
  }

  /** What {@code dd} calls nocache lets the kernel forget a file that is written out. */
  private static void forget(Path file) throws Exception {
    run("dd", "of=" + file, "oflag=nocache", "conv=notrunc,fdatasync", "count=0", "status=none");
  }

  /** Bytes in the cache; −1 when nobody can tell. */
  private static long cached(Path file) throws Exception {
    String told = run("fincore", "--bytes", "--noheadings", "--output", "RES", file.toString());
    return told.isBlank() ? -1 : Long.parseLong(told.strip());
  }

  private static String run(String... command) throws Exception {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes());
      return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0 ? said : "";
    } catch (IOException noSuchProgram) {
      return "";
    }
  }

  @Test
  void readsNothingWhenMemoryIsShortOrUnknown() throws IOException {
    List<ModelFile> files = List.of(file("a", 1));
    long needed = MIB + CacheReader.RESERVE;
    for (OptionalLong left : List.of(OptionalLong.of(needed - 1), OptionalLong.empty())) {
      CacheReader.Outcome outcome = reader(() -> left).read(files);
      assertThat(outcome.bytes()).isZero();
      assertThat(outcome.why()).isPresent();
    }
    assertThat(reader(() -> OptionalLong.of(needed)).read(files).bytes()).isEqualTo(MIB);
    assertThat(reader(() -> OptionalLong.of(3L << 29)).shortage(18L << 30).orElseThrow())
        .isEqualTo(
            "memory is short: 1.5 GiB available, 18.0 GiB of files and 2.0 GiB for others are"
                + " needed");
  }

  @Test
  void stopsWhenMemoryGetsShort() throws IOException {
    List<OptionalLong> answers = new ArrayList<>(List.of(PLENTY, PLENTY, OptionalLong.of(MIB)));
    CacheReader.Outcome outcome =
        reader(() -> answers.removeFirst()).read(List.of(file("a", 20), file("b", 60)));
    assertThat(outcome.bytes()).isEqualTo(32 * MIB);
    assertThat(outcome.why().orElseThrow()).startsWith("memory is short: ");
  }

  @Test
  void stopsAtTheNextReadOnceTheSignIsRaised() {
    StopSign stop = new StopSign();
    int[] reads = {0};
    CacheReader reader =
        new CacheReader(
            CacheReaderTest::now,
            () -> PLENTY,
            path ->
                new Endless(
                    () -> {
                      if (++reads[0] == 5) {
                        stop.raise("the job ended");
                      }
                    }));
    ModelFile huge = new ModelFile(folder.resolve("huge"), 1L << 36);
    CacheReader.Outcome outcome = reader.read(List.of(huge, huge), stop);
    assertThat(outcome.bytes()).isEqualTo(5 * MIB);
    assertThat(outcome.why()).contains("the job ended");
  }

  /** A clock that says each portion took an hour: without the sign it would rest as long. */
  @Test
  void theSignEndsARest() throws Exception {
    Duration[] steady = {Duration.ZERO};
    StopSign stop = new StopSign();
    CacheReader reader =
        new CacheReader(
            () -> new Now(steady[0], Instant.EPOCH),
            () -> PLENTY,
            path ->
                new Endless(
                    () -> {
                      steady[0] = steady[0].plus(Duration.ofHours(1));
                      Thread.ofVirtual().start(() -> stop.raise("the job ended"));
                    }));
    CacheReader.Outcome outcome =
        reader.read(List.of(new ModelFile(folder.resolve("huge"), 1L << 36)), stop);
    assertThat(outcome.bytes()).isLessThanOrEqualTo(16 * MIB);
    assertThat(outcome.why()).contains("the job ended");
  }

  @Test
  void aFileThatIsGoneEndsItWithItsReason() throws IOException {
    ModelFile gone = new ModelFile(folder.resolve("gone"), 5);
    CacheReader.Outcome outcome =
        reader(() -> PLENTY).read(List.of(file("a", 1), gone, file("b", 1)));
    assertThat(outcome.bytes()).isEqualTo(MIB);
    assertThat(outcome.why().orElseThrow()).contains("a file cannot be read", "gone");
  }

  @Test
  void aFileThatShrankIsReadAsFarAsItGoesAndOneThatGrewNoFurther() throws IOException {
    ModelFile shrank = new ModelFile(file("a", 1).path(), 5 * MIB);
    ModelFile grew = new ModelFile(file("b", 3).path(), 2 * MIB);
    CacheReader.Outcome outcome = reader(() -> PLENTY).read(List.of(shrank, grew));
    assertThat(outcome.bytes()).isEqualTo(3 * MIB);
    assertThat(outcome.why()).isEqualTo(Optional.empty());
  }
}

package dev.swapgate.backends.prefetch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.Now;
import dev.swapgate.gate.core.Phase;
import java.io.IOException;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Each read of a file waits until it is let go on, and is heard of. */
@Timeout(60)
class PrefetcherTest {

  private static final Backend.Id VLLM = new Backend.Id("vllm");
  private static final Backend.Id NINFER = new Backend.Id("ninfer");
  private static final long SIZE = 3 << 20;

  @TempDir Path folder;
  private final BlockingQueue<Path> begun = new LinkedBlockingQueue<>();
  private final BlockingQueue<CacheReader.Outcome> ended = new LinkedBlockingQueue<>();
  private final Semaphore reads = new Semaphore(0);
  private final BlockingQueue<Long> asked = new LinkedBlockingQueue<>();
  private final BlockingQueue<Long> looked = new LinkedBlockingQueue<>();
  private volatile Map<Backend.Id, List<String>> globs = Map.of();
  private volatile OptionalLong available = OptionalLong.of(1L << 40);
  private volatile Duration steady = Duration.ZERO;
  private Prefetcher prefetcher;

  @BeforeEach
  void start() throws IOException {
    folder = folder.toRealPath();
    Files.write(folder.resolve("vllm.bin"), new byte[(int) SIZE]);
    Files.write(folder.resolve("ninfer.bin"), new byte[(int) SIZE]);
    globs = Map.of(VLLM, List.of(folder + "/vllm*"), NINFER, List.of(folder + "/ninfer*"));
    CacheReader reader = new CacheReader(this::now, this::available, this::open);
    prefetcher = new Prefetcher(this::globs, this::now, reader, ended::add);
  }

  @AfterEach
  void stop() {
    prefetcher.close();
  }

  private Map<Backend.Id, List<String>> globs() {
    Map<Backend.Id, List<String>> now = globs;
    looked.add(0L);
    return now;
  }

  private Now now() {
    return new Now(steady, Instant.EPOCH);
  }

  private OptionalLong available() {
    OptionalLong now = available; // Whoever hears that it was asked changes the next answer.
    asked.add(0L);
    return now;
  }

  private ReadableByteChannel open(Path file) {
    begun.add(file.getFileName());
    return new Endless(reads::acquireUninterruptibly);
  }

  private void see(Views views) {
    prefetcher.changed(views.view());
  }

  private static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
    return Optional.ofNullable(queue.poll(10, TimeUnit.SECONDS)).orElseThrow();
  }

  @Test
  void readsTheSelectedEnginesFilesOnceInAJobsLastPart() throws Exception {
    reads.release(100);
    see(Views.running("a", 180));
    next(looked);
    steady = Duration.ofSeconds(100);
    see(Views.running("a", 180).at(0.4));
    assertThat(begun).isEmpty();
    steady = Duration.ofSeconds(179);

    assertThat(next(begun)).as("no view tells that time passes").hasToString("vllm.bin");
    CacheReader.Outcome outcome = next(ended);
    assertThat(outcome.bytes()).isEqualTo(SIZE);
    assertThat(outcome.why()).isEmpty();

    see(Views.running("a", 180).at(0.99));
    see(Views.running("b", 1));
    assertThat(next(begun)).as("the next job's").hasToString("vllm.bin");
    assertThat(next(ended).bytes()).isEqualTo(SIZE);
    assertThat(begun).isEmpty();
  }

  @Test
  void stopsAtOnceWhenTheJobEnds() throws Exception {
    see(Views.running("a", 1));
    next(begun);
    see(Views.running("a", 1).after(Phase.STOPPING_MEDIA));
    reads.release(100);
    CacheReader.Outcome outcome = next(ended);
    assertThat(outcome.why()).contains("the job ended");
    assertThat(outcome.bytes()).as("no read after the one under way").isLessThanOrEqualTo(1 << 20);
  }

  @Test
  void stopsWhenTheEngineBeginsToStart() throws Exception {
    see(Views.running("a", 1));
    next(begun);
    see(Views.running("a", 1).after(Phase.RESTORING));
    reads.release(100);
    assertThat(next(ended).why()).contains("the job ended");
  }

  @Test
  void readsTheOtherEnginesFilesWhenThatIsSelected() throws Exception {
    see(Views.running("a", 1));
    assertThat(next(begun)).hasToString("vllm.bin");
    see(Views.running("a", 1).selecting("ninfer"));
    reads.release(100);
    assertThat(next(ended).why()).contains("ninfer is selected now");
    assertThat(next(begun)).hasToString("ninfer.bin");
    assertThat(next(ended).why()).isEmpty();
  }

  @Test
  void stopsWhenSwapgateStops() throws Exception {
    see(Views.running("a", 1));
    next(begun);
    prefetcher.close();
    reads.release(100);
    assertThat(next(ended).why()).contains("swapgate stops");
  }

  @Test
  void readsNothingWhenMemoryIsShort() throws Exception {
    available = OptionalLong.of(SIZE + CacheReader.RESERVE - 1);
    see(Views.running("a", 1));
    next(asked);
    available = OptionalLong.of(1L << 40);
    reads.release(100);
    see(Views.running("b", 1));
    next(ended);
    assertThat(begun).as("for the second job alone").hasSize(1);
  }

  @Test
  void globsThatNameNothingAndEnginesWithoutThemAreNoError() throws Exception {
    globs = Map.of(VLLM, List.of(folder + "/nowhere/*"));
    see(Views.running("a", 1));
    next(looked);
    see(Views.running("b", 1).selecting("ninfer"));
    next(looked);
    globs = Map.of(VLLM, List.of(folder + "/vllm*"));
    reads.release(100);
    see(Views.running("b", 1));
    assertThat(next(ended).bytes()).as("the file was read again").isEqualTo(SIZE);
  }

  @Test
  void whateverIsThrownCostsOnlyThisJob() throws Exception {
    reads.release(100);
    globs = Map.of(VLLM, List.of("/[")); // The configuration lets none of these in.
    see(Views.running("a", 1));
    next(looked);
    globs = Map.of(VLLM, List.of(folder + "/vllm*"));
    see(Views.running("b", 1));
    assertThat(next(ended).bytes()).isEqualTo(SIZE);
  }
}

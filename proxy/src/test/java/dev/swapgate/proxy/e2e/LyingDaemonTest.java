package dev.swapgate.proxy.e2e;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A few of the worlds that {@code scripts/soak --lies} goes through, side by side. */
@Timeout(value = 600, unit = TimeUnit.SECONDS)
class LyingDaemonTest {
  private static final List<Long> SEEDS = List.of(1L, 2L, 3L);

  @Test
  void everythingHealsOnceItIsHonest(@TempDir Path folder) throws Exception {
    List<Future<?>> worlds = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (long seed : SEEDS) {
        Path own = Files.createDirectory(folder.resolve("seed-" + seed));
        worlds.add(threads.submit(() -> LyingDaemon.lieAndHeal(own, seed)));
      }
    }
    for (Future<?> world : worlds) {
      world.get();
    }
  }
}

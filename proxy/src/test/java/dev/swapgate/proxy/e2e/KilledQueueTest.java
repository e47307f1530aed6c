package dev.swapgate.proxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A few of the kills that {@code scripts/soak --kills 200} does. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class KilledQueueTest {
  private static final long SEED = 1;
  private static final int KILLS = 5;

  @Test
  void aQueueOfTwentyLosesNothingAndNeverOverlaps(@TempDir Path folder) throws Exception {
    try (KilledQueue queue = new KilledQueue(folder, SEED)) {
      assertThat(queue.kill(KILLS).jobs()).isEqualTo(KilledQueue.JOBS);
    }
  }
}

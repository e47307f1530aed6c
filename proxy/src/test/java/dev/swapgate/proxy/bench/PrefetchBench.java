package dev.swapgate.proxy.bench;

import dev.swapgate.backends.gpu.OshiHost;
import dev.swapgate.backends.prefetch.CacheReader;
import dev.swapgate.backends.prefetch.FreeMemory;
import dev.swapgate.backends.prefetch.ModelFiles;
import dev.swapgate.gate.runtime.SteadyClock;
import java.util.List;

/**
 * Reads what globs name into the page cache, as swapgate does. Arguments: the globs. Prints how
 * long it took in milliseconds, how many bytes that were, and why it ended early, if it did.
 */
public final class PrefetchBench {

  private PrefetchBench() {}

  public static void main(String[] globs) {
    SteadyClock clock = SteadyClock.system();
    ModelFiles files = ModelFiles.find(List.of(globs));
    FreeMemory memory = new FreeMemory(new OshiHost());
    memory.get(); // The first question loads OSHI, which a running swapgate has behind it.
    CacheReader.Outcome outcome = new CacheReader(clock::now, memory).read(files.files());
    System.out.printf(
        "%d\t%d\t%s%n", outcome.took().toMillis(), outcome.bytes(), outcome.why().orElse(""));
  }
}

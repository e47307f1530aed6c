package dev.swapgate.backends.prefetch;

import com.sun.management.OperatingSystemMXBean;
import dev.swapgate.backends.gpu.OshiHost;
import java.lang.management.ManagementFactory;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * Memory that could hold files: what the host's programs could still take, and no more than the
 * limit of swapgate's own container, for what is read into the cache counts against whoever read it
 * first. Thread-safe.
 */
public final class FreeMemory implements Supplier<OptionalLong> {
  private static final long MIB = 1L << 20;

  private final OshiHost host;

  public FreeMemory(OshiHost host) {
    this.host = host;
  }

  /** In bytes; empty when the host cannot be read. */
  @Override
  public OptionalLong get() {
    Optional<OshiHost.Memory> memory = host.memory();
    return memory.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(Math.min(memory.get().freeMib() * MIB, limit()));
  }

  /** No more than this can ever be free; in bytes. */
  public OptionalLong most() {
    Optional<OshiHost.Memory> memory = host.memory();
    return memory.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(Math.min(memory.get().totalMib() * MIB, limit()));
  }

  /** That of the container, which the JVM knows; the whole host without one. */
  private static long limit() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean ours
        ? ours.getTotalMemorySize()
        : Long.MAX_VALUE;
  }
}

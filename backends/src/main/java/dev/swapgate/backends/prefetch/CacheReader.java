package dev.swapgate.backends.prefetch;

import dev.swapgate.backends.prefetch.ModelFiles.ModelFile;
import dev.swapgate.gate.core.Now;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * Reads files one after the other, and forgets what it read: the kernel keeps it in its page cache.
 * Java can set neither a thread's I/O priority nor give advice on a file, so it makes room for
 * others in the one way that it has: after each {@value #PORTION} bytes it rests as long as reading
 * them took. So it takes at most half of what the disk can give, less when others use it, and at
 * most half of one core. Stops between two reads of {@value #BUFFER} bytes.
 */
public final class CacheReader {

  /**
   * What other programs must still have once all is read. The cache gives way to whoever needs
   * memory, but not for nothing.
   */
  public static final long RESERVE = 2L << 30;

  static final int BUFFER = 1 << 20;
  static final long PORTION = 16L << 20;

  private final Supplier<Now> clock;
  private final Supplier<OptionalLong> available;
  private final Opener opener;

  /** How a file is opened. */
  interface Opener {
    ReadableByteChannel open(Path file) throws IOException;
  }

  /**
   * @param available bytes of memory that programs could still take; empty when that is not known,
   *     and then nothing is read
   */
  public CacheReader(Supplier<Now> clock, Supplier<OptionalLong> available) {
    this(clock, available, FileChannel::open);
  }

  CacheReader(Supplier<Now> clock, Supplier<OptionalLong> available, Opener opener) {
    this.clock = clock;
    this.available = available;
    this.opener = opener;
  }

  /**
   * What came of it.
   *
   * @param bytes read, whether they came from the disk or from the cache
   * @param took rests included
   * @param why it ended before all was read; empty: all was read
   */
  public record Outcome(long bytes, Duration took, Optional<String> why) {}

  /** Reads all. Blocks. */
  public Outcome read(List<ModelFile> files) {
    return read(files, new StopSign());
  }

  /** Reads until all is read, memory gets short, a file fails or the sign is raised. Blocks. */
  Outcome read(List<ModelFile> files, StopSign stop) {
    Reading reading = new Reading(files, stop);
    Duration begun = clock.get().steady();
    try {
      for (ModelFile file : files) {
        reading.read(file);
      }
    } catch (ClosedByInterruptException e) {
      stop.raise("swapgate stops");
    } catch (IOException e) {
      stop.raise("a file cannot be read: " + e);
    }
    return new Outcome(reading.done, clock.get().steady().minus(begun), stop.why());
  }

  /** Why so much should not be read; empty when there is room for it. */
  Optional<String> shortage(long bytes) {
    OptionalLong left = available.get();
    if (left.isEmpty()) {
      return Optional.of("how much memory is available is not known");
    }
    return left.getAsLong() >= bytes + RESERVE
        ? Optional.empty()
        : Optional.of(
            "memory is short: %s available, %s of files and %s for others are needed"
                .formatted(gib(left.getAsLong()), gib(bytes), gib(RESERVE)));
  }

  /** {@code 18.0 GiB}. */
  public static String gib(long bytes) {
    return Math.round(bytes * 10.0 / (1L << 30)) / 10.0 + " GiB";
  }

  private final class Reading {
    private final long all;
    private final StopSign stop;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
    private long done;
    private long portion = PORTION; // Memory is asked for before the first byte.
    private Duration since = clock.get().steady();

    Reading(List<ModelFile> files, StopSign stop) {
      this.all = files.stream().mapToLong(ModelFile::bytes).sum();
      this.stop = stop;
    }

    /** No more than the file had when its size was seen: that much was promised to fit. */
    void read(ModelFile file) throws IOException {
      if (stop.why().isPresent()) {
        return;
      }
      try (ReadableByteChannel channel = opener.open(file.path())) {
        long left = file.bytes();
        while (left > 0 && mayGoOn()) {
          buffer.clear().limit((int) Math.min(BUFFER, left));
          int read = channel.read(buffer);
          if (read < 0) {
            return;
          }
          left -= read;
          done += read;
          portion += read;
        }
      }
    }

    private boolean mayGoOn() {
      if (portion >= PORTION && stop.why().isEmpty()) {
        portion = 0;
        if (done > 0) {
          stop.await(clock.get().steady().minus(since));
        }
        // What was read still counts as available: cache is given back to whoever asks.
        shortage(all).ifPresent(stop::raise);
        since = clock.get().steady();
      }
      return stop.why().isEmpty();
    }
  }
}

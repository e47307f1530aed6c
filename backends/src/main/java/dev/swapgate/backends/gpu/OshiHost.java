package dev.swapgate.backends.gpu;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import oshi.SystemInfo;
import oshi.hardware.GlobalMemory;

/**
 * What OSHI knows of the host, for display alone: its card memory has no "free" and no process
 * list, and without {@code lspci} it sees no card at all. A host it cannot read is empty, never an
 * exception. Thread-safe.
 */
public final class OshiHost {
  private static final long MIB = 1024L * 1024;

  /** The host's own memory; free is what programs could still take. */
  public record Memory(long totalMib, long freeMib) {}

  /**
   * A card as OSHI lists it.
   *
   * @param totalMib 0 when it is not known
   */
  public record Card(String name, long totalMib) {}

  public Optional<Memory> memory() {
    return tolerant(
        () -> {
          GlobalMemory memory = new SystemInfo().getHardware().getMemory();
          return new Memory(memory.getTotal() / MIB, memory.getAvailable() / MIB);
        });
  }

  /** The cards found; none when there are none or they cannot be listed. */
  public List<Card> cards() {
    return tolerant(
            () ->
                new SystemInfo()
                    .getHardware().getGraphicsCards().stream()
                        .map(card -> new Card(card.getName(), Math.max(0, card.getVRam()) / MIB))
                        .toList())
        .orElse(List.of());
  }

  private static <T> Optional<T> tolerant(Supplier<T> question) {
    try {
      return Optional.of(question.get());
    } catch (RuntimeException | LinkageError unreadable) {
      // A musl host, a hardened container, no native library: nothing to show, nothing broken.
      return Optional.empty();
    }
  }
}

package dev.swapgate.gate.runtime;

import dev.swapgate.gate.core.Backend;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Lets chat in or not, and counts who is inside. Lock-free: a storm of refused chat never waits for
 * the gate, and the gate never for it. {@link #open} and {@link #shut} are the gate's alone; {@link
 * #enter} may be called by any thread.
 *
 * <p>One atomic word holds the flag, the epoch (how often it was opened) and the count, so that
 * nobody can slip in between a look at the flag and a step inside.
 */
public final class Turnstile {

  private static final long COUNT_MASK = 0xFFFF_FFFFL;
  private static final long OPEN_BIT = 1L << 63;
  private static final int EPOCH_SHIFT = 32;
  private static final long EPOCH_MASK = 0x7FFF_FFFFL;

  private final AtomicLong word = new AtomicLong();
  private final Runnable emptied;
  private volatile @Nullable Opening opening;

  /**
   * @param emptied called, by whichever thread left last, when nobody is inside a shut turnstile;
   *     must not block
   */
  public Turnstile(Runnable emptied) {
    this.emptied = emptied;
  }

  private record Opening(Backend.Id engine, long epoch) {}

  /** Right of passage: chat is inside until it is left. */
  public final class Ticket {
    private final Opening opening;
    private final AtomicBoolean left = new AtomicBoolean();

    private Ticket(Opening opening) {
      this.opening = opening;
    }

    /** The engine this ticket is good for, and no other. */
    public Backend.Id engine() {
      return opening.engine();
    }

    /** Which opening of the turnstile it belongs to. */
    public long epoch() {
      return opening.epoch();
    }

    /**
     * Gives the ticket back, once both sides of the exchange have ended. Calling it again does
     * nothing.
     */
    public void leave() {
      if (left.compareAndSet(false, true)) {
        long after = word.decrementAndGet();
        if (count(after) == 0 && !isOpen(after)) {
          emptied.run();
        }
      }
    }
  }

  /** A ticket when it is open; empty when it is shut. Never blocks. */
  public Optional<Ticket> enter() {
    while (true) {
      long seen = word.get();
      if (!isOpen(seen)) {
        return Optional.empty();
      }
      Opening now = opening;
      if (now == null || now.epoch() != epoch(seen)) {
        continue; // Opened anew between the two reads: look again.
      }
      if (word.compareAndSet(seen, seen + 1)) {
        return Optional.of(new Ticket(now));
      }
    }
  }

  public boolean isOpen() {
    return isOpen(word.get());
  }

  /** The engine it is open for; empty when shut. Informs only: use a ticket to act on it. */
  public Optional<Backend.Id> openFor() {
    Opening now = opening;
    return isOpen() && now != null ? Optional.of(now.engine()) : Optional.empty();
  }

  /** How many tickets are out. */
  public int inside() {
    return (int) count(word.get());
  }

  /**
   * Opens it for one engine. The gate's thread only; open already for that engine: nothing; open
   * for another one: shut for a moment first, in which chat is refused.
   */
  void open(Backend.Id engine) {
    Opening before = opening;
    if (isOpen() && before != null && before.engine().equals(engine)) {
      return;
    }
    shut();
    long next = ((before == null ? 0 : before.epoch()) + 1) & EPOCH_MASK;
    opening = new Opening(engine, next);
    word.updateAndGet(seen -> OPEN_BIT | next << EPOCH_SHIFT | count(seen));
  }

  /** Shuts it: after this call nobody enters. The gate's thread only; shut already: nothing. */
  void shut() {
    word.updateAndGet(seen -> seen & ~OPEN_BIT);
  }

  private static boolean isOpen(long seen) {
    return (seen & OPEN_BIT) != 0;
  }

  private static long epoch(long seen) {
    return seen >>> EPOCH_SHIFT & EPOCH_MASK;
  }

  private static long count(long seen) {
    return seen & COUNT_MASK;
  }
}

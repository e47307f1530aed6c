package dev.swapgate.backends.sim;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Memory this process holds on the card, until it ends or gives it back. The channel stays open and
 * is the only handle this process ever has on the file: closing another would give up the lock.
 */
public final class Claim implements AutoCloseable {
  private final PretendCard card;
  private final Holder holder;
  private final FileChannel channel;

  /** Keeps the lock reachable; it ends with the process. */
  private final FileLock lock;

  /** What a process that loads compares with; measured at once, before anything can move. */
  private final int freeMibAfterClaim;

  private volatile ClaimFile file;

  private Claim(
      PretendCard card, Holder holder, FileChannel channel, FileLock lock, ClaimFile file) {
    this.card = card;
    this.holder = holder;
    this.channel = channel;
    this.lock = lock;
    this.file = file;
    this.freeMibAfterClaim = card.free();
  }

  /** Under the card's mutex, after it was seen that there is room. */
  static Claim create(PretendCard card, Holder holder, int mib) {
    String key =
        holder.pid() + "-" + Long.toHexString(ThreadLocalRandom.current().nextLong() >>> 16);
    ClaimFile file = ClaimFile.live(card.directory(), mib, key);
    try {
      FileChannel channel =
          FileChannel.open(file.path(), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      FileLock lock = channel.lock();
      channel.write(ByteBuffer.wrap(holder.line().getBytes(StandardCharsets.UTF_8)));
      CardMutex.shareWithEveryone(file.path());
      card.ownedHere(file.path(), holder);
      return new Claim(card, holder, channel, lock, file);
    } catch (IOException e) {
      throw new CardException("could not make the claim " + file.path(), e);
    }
  }

  int freeMibAfterClaim() {
    return freeMibAfterClaim;
  }

  public int mib() {
    return file.mib();
  }

  /**
   * Brings the claim to this size; nothing happens when it has it.
   *
   * @throws CardException.Full when less is free; the claim then keeps its size
   */
  public void resize(int mib) {
    card.underMutex(
        () -> {
          int before = file.mib();
          if (!lock.isValid()) {
            throw new IllegalStateException(holder.who() + " resized a claim it has given back");
          }
          if (mib == before) {
            return before;
          }
          card.takeOrFail(holder, mib - before, mib);
          ClaimFile resized = file.resized(mib);
          card.ownedHere(resized.path(), holder);
          card.noLongerOwnedHere(file.path());
          file = resized;
          CardJournal.Event event =
              mib > before ? CardJournal.Event.GROW : CardJournal.Event.SHRINK;
          card.journal().add(event, holder, mib, card.free());
          return mib;
        });
  }

  /** Writes down that this process fails although it has its memory. */
  void failed() {
    card.underMutex(
        () -> {
          card.journal().add(CardJournal.Event.FAILED, holder, mib(), card.free());
          return mib();
        });
  }

  /** Gives the memory back at once, without the lag of a process that ends. */
  @Override
  public void close() {
    card.underMutex(
        () -> {
          if (!lock.isValid()) {
            return 0;
          }
          file.delete();
          try {
            channel.close();
          } catch (IOException e) {
            throw new CardException("could not close the claim " + file.path(), e);
          }
          card.noLongerOwnedHere(file.path());
          card.journal().add(CardJournal.Event.RELEASED, holder, mib(), card.free());
          return 0;
        });
  }
}

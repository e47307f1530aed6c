package dev.swapgate.backends.sim;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The one lock under which a card is looked at and changed, across threads, processes and
 * containers that mount the same directory.
 *
 * <p>A POSIX lock belongs to the process, and closing any handle on the file gives it up. So each
 * process opens the file once per card and keeps it open, and a lock of its own orders its threads.
 */
final class CardMutex {
  private static final Map<Path, CardMutex> OPEN = new ConcurrentHashMap<>();

  private final Path file;
  private final ReentrantLock threads = new ReentrantLock();
  private FileChannel channel;

  private CardMutex(Path file) {
    this.file = file;
    this.channel = open(file);
  }

  /** The mutex of the card in this directory; the same one for every caller in this process. */
  static CardMutex of(Path directory) {
    return OPEN.computeIfAbsent(directory, card -> new CardMutex(card.resolve("mutex")));
  }

  <T> T hold(Supplier<T> work) {
    threads.lock();
    try {
      if (!channel.isOpen()) {
        // An interrupt while waiting for the lock closes the channel.
        channel = open(file);
      }
      try (FileLock lock = channel.lock()) {
        return work.get();
      }
    } catch (IOException e) {
      throw new CardException("could not lock the card's mutex file " + file, e);
    } finally {
      threads.unlock();
    }
  }

  private static FileChannel open(Path file) {
    try {
      FileChannel opened =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      shareWithEveryone(file);
      return opened;
    } catch (IOException e) {
      throw new CardException(
          "could not open "
              + file
              + "; the card is a directory that every simulator and nvidia-smi can write to",
          e);
    }
  }

  /** A container's root and the owner of the box use the same files. */
  static void shareWithEveryone(Path file) {
    try {
      Files.setPosixFilePermissions(file, EVERYONE);
    } catch (IOException | UnsupportedOperationException e) {
      // The file is another user's, who has done this already.
      return;
    }
  }

  private static final Set<java.nio.file.attribute.PosixFilePermission> EVERYONE =
      java.nio.file.attribute.PosixFilePermissions.fromString("rw-rw-rw-");
}

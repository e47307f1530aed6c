package dev.swapgate.proxy.app;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state folder, ours alone while this is open: two gates on one box would both command its
 * containers. The kernel gives the lock back however the process ends.
 */
final class StateLock implements AutoCloseable {
  private final FileChannel channel;

  private StateLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Makes the folder if it is not there, and takes it.
   *
   * @throws StartException when it cannot be used, or another swapgate has it
   */
  static StateLock take(Path stateDir) {
    Path file = stateDir.resolve("lock");
    FileChannel channel;
    try {
      createPrivately(stateDir);
      channel =
          FileChannel.open(
              file,
              Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    } catch (IOException e) {
      throw unusable(stateDir, e);
    }
    try {
      FileLock lock = tryLock(channel);
      if (lock == null) {
        throw taken(stateDir, owner(channel));
      }
      channel.truncate(0);
      channel.write(
          ByteBuffer.wrap(
              (ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII)),
          0);
      return new StateLock(channel);
    } catch (IOException e) {
      closeQuietly(channel, e);
      throw unusable(stateDir, e);
    } catch (StartException e) {
      closeQuietly(channel, e);
      throw e;
    }
  }

  private static void createPrivately(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException heldByThisProcess) {
      return null;
    }
  }

  private static Optional<String> owner(FileChannel channel) throws IOException {
    ByteBuffer text = ByteBuffer.allocate(20);
    channel.read(text, 0);
    String pid = new String(text.array(), 0, text.position(), StandardCharsets.US_ASCII).strip();
    return Optional.of(pid).filter(digits -> digits.matches("[0-9]+"));
  }

  private static StartException taken(Path stateDir, Optional<String> pid) {
    return new StartException(
        StartException.UNAVAILABLE,
        "another swapgate"
            + pid.map(number -> " (process " + number + ")").orElse("")
            + " uses the state folder "
            + stateDir
            + "; stop that one, or give this one a state_dir of its own");
  }

  private static StartException unusable(Path stateDir, IOException e) {
    return new StartException(
        StartException.BAD_CONFIGURATION,
        "the state folder "
            + stateDir
            + " cannot be made or written ("
            + e
            + "); let it belong to the user that runs swapgate, or name another one under"
            + " state_dir",
        e);
  }

  private static void closeQuietly(FileChannel channel, Exception reason) {
    try {
      channel.close();
    } catch (IOException e) {
      reason.addSuppressed(e);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}

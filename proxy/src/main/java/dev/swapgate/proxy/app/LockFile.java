package dev.swapgate.proxy.app;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One locked file, in which stands who has it. It is never deleted: a lock on a deleted file would
 * be seen by nobody. The kernel gives the lock back however the process ends.
 */
final class LockFile implements AutoCloseable {

  /**
   * What this process holds. Closing <em>any</em> channel of a file gives all of the process's
   * locks on it back, so a file that is ours must not even be looked into.
   */
  private static final Map<Path, Holder> OURS = new ConcurrentHashMap<>();

  private static final int MOST_BYTES = 4096;

  private static final Set<OpenOption> EXISTING =
      Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);

  private final Path file;
  private final FileChannel channel;

  private LockFile(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /** Who has a lock, as far as the file tells. */
  record Holder(String pid, String stateDir) {
    private static Holder read(FileChannel channel) throws IOException {
      ByteBuffer bytes = ByteBuffer.allocate(MOST_BYTES);
      channel.read(bytes, 0);
      String text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
      String[] lines = text.split("\n", -1);
      boolean written = lines.length >= 2 && lines[0].matches("[0-9]+");
      return written ? new Holder(lines[0], lines[1]) : new Holder("", "");
    }

    private void write(FileChannel channel) throws IOException {
      channel.truncate(0);
      channel.write(
          ByteBuffer.wrap((pid + "\n" + stateDir + "\n").getBytes(StandardCharsets.UTF_8)), 0);
    }

    @Override
    public String toString() {
      return pid.isEmpty() ? "just started" : "process " + pid + ", state folder " + stateDir;
    }
  }

  /**
   * Locks the file; empty when another has it.
   *
   * @param access the file's permissions if it is made now: {@code rw-------}
   * @throws IOException when the file cannot be made, opened or locked
   */
  static Optional<LockFile> take(Path file, String access, Path stateDir) throws IOException {
    Holder us = new Holder(String.valueOf(ProcessHandle.current().pid()), stateDir.toString());
    if (OURS.putIfAbsent(file, us) != null) {
      return Optional.empty();
    }
    boolean held = false;
    FileChannel channel = null;
    try {
      channel = open(file, access);
      if (lock(channel)) {
        us.write(channel);
        held = true;
        return Optional.of(new LockFile(file, channel));
      }
      return Optional.empty();
    } finally {
      if (!held) {
        OURS.remove(file);
        if (channel != null) {
          channel.close();
        }
      }
    }
  }

  /** Who has it now; empty when nobody does or it cannot be told. */
  static Optional<Holder> holder(Path file) {
    Holder us = OURS.get(file);
    if (us != null) {
      return Optional.of(us);
    }
    try (FileChannel channel = FileChannel.open(file, EXISTING)) {
      return lock(channel) ? Optional.empty() : Optional.of(Holder.read(channel));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * Without CREATE first: where sticky folders are protected, even root may not "create" a file
   * there that is another user's.
   */
  private static FileChannel open(Path file, String access) throws IOException {
    try {
      return FileChannel.open(file, EXISTING);
    } catch (NoSuchFileException notThere) {
      try {
        Files.createFile(file);
        // The umask would keep a shared one from other users, who could not see that it is locked.
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(access));
      } catch (FileAlreadyExistsException madeMeanwhile) {
        // By another swapgate: the lock decides.
      }
      return FileChannel.open(file, EXISTING);
    }
  }

  private static boolean lock(FileChannel channel) throws IOException {
    try {
      FileLock lock = channel.tryLock();
      return lock != null;
    } catch (OverlappingFileLockException heldByThisProcess) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
    OURS.remove(file);
  }
}

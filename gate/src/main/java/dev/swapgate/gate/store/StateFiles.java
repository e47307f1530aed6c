package dev.swapgate.gate.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Files and folders that nobody but their owner may read: requests lie in them. */
final class StateFiles {
  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> FOLDER =
      PosixFilePermissions.fromString("rwx------");

  private StateFiles() {}

  /** The folder a file lies in; the root for the root. */
  static Path folderOf(Path file) {
    Path absolute = file.toAbsolutePath();
    Path parent = absolute.getParent();
    return parent == null ? absolute : parent;
  }

  /** Creates the folder with mode 0700; one that is there keeps the mode its owner gave it. */
  static void createFolder(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(FOLDER));
    }
  }

  /** Creates an empty file with mode 0600. */
  static void create(Path file) throws IOException {
    Files.createFile(file, PosixFilePermissions.asFileAttribute(FILE));
  }

  /**
   * Creates the file with mode 0600, or gives the one that is there that mode. Never opens a file
   * that is there: closing any handle on it would drop the lock that SQLite holds in this process.
   */
  static void createOrNarrow(Path file) throws IOException {
    try {
      create(file);
      sync(folderOf(file));
    } catch (FileAlreadyExistsException there) {
      if (Files.isRegularFile(file) && !Files.getPosixFilePermissions(file).equals(FILE)) {
        Files.setPosixFilePermissions(file, FILE);
      }
    }
  }

  /** Makes what was created or renamed in a folder survive a power cut. */
  static void sync(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}

package dev.swapgate.proxy.jobs;

import dev.swapgate.gate.core.JobRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The folder in which files that go along with a job wait for it. */
final class Uploads {
  private final Path root;
  private final SecureRandom random = new SecureRandom();

  Uploads(Path root) {
    this.root = root;
  }

  /** A folder for the files of one request, that nobody else may read. */
  Batch begin() throws IOException {
    byte[] name = new byte[16];
    random.nextBytes(name);
    Files.createDirectories(root);
    Path folder =
        Files.createDirectory(
            root.resolve(HexFormat.of().formatHex(name)),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    return new Batch(root, folder);
  }

  /** The files of one request. Not thread-safe. */
  static final class Batch {
    private final Path root;
    private final Path folder;
    private final List<JobRequest.Attachment> attachments = new ArrayList<>();

    private Batch(Path root, Path folder) {
      this.root = root;
      this.folder = folder;
    }

    List<JobRequest.Attachment> attachments() {
      return List.copyOf(attachments);
    }

    boolean has(String name) {
      return attachments.stream().anyMatch(one -> one.name().equals(name));
    }

    /**
     * Opens a new file. Its name on our disk is ours: a number, and of the sender's name only what
     * is harmless.
     */
    FileChannel add(String name) throws IOException {
      String harmless = name.replaceAll("[^A-Za-z0-9._-]", "_");
      String tail = harmless.substring(Math.max(0, harmless.length() - 80));
      Path file = folder.resolve(attachments.size() + "-" + tail);
      attachments.add(new JobRequest.Attachment(name, file.toString()));
      return FileChannel.open(
          file,
          Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }

    /** Makes the names durable; the bytes were forced by who wrote them. */
    void force() throws IOException {
      for (Path dir : List.of(folder, root)) {
        try (FileChannel channel = FileChannel.open(dir, StandardOpenOption.READ)) {
          channel.force(true);
        }
      }
    }

    /** Forgets all of it. */
    void discard() {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(file);
        }
      } catch (IOException e) {
        throw new UncheckedIOException("cannot remove the upload folder " + folder, e);
      }
    }
  }
}

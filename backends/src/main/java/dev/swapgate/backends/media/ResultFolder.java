package dev.swapgate.backends.media;

import dev.swapgate.gate.port.JobAdapter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Saves the files of one job whole or not at all. Each is written under a temporary name in the
 * same folder and fsynced; {@link #publish} renames them all and fsyncs the folder. A folder that
 * was being written when the power went is simply written again: names that are there are replaced
 * in one step, leftovers are cleared away. One caller at a time.
 */
public final class ResultFolder implements AutoCloseable {

  /** More files than this of one job are refused. */
  public static final int FILES_LIMIT = 1_000;

  private static final String PREFIX = ".swapgate-";
  private static final String SUFFIX = ".part";

  private final Path folder;
  private final long maxFileBytes;

  /** Told apart from that of a call given up on that may still be writing. */
  private final String call = UUID.randomUUID().toString().substring(0, 8);

  private final Map<Path, Staged> staged = new LinkedHashMap<>();
  private final Set<String> taken = new HashSet<>();

  /**
   * A file that waits to be published.
   *
   * @param sum of its bytes
   */
  private record Staged(String name, MessageDigest sum) {
    String line() {
      return HexFormat.of().formatHex(sum.digest()) + "  " + name + "\n";
    }
  }

  private ResultFolder(Path folder, long maxFileBytes) {
    this.folder = folder;
    this.maxFileBytes = maxFileBytes;
  }

  /** Where bytes come from. */
  public interface Source {
    /** The next bytes; an empty list at the end. What goes wrong there is its own answer. */
    List<ByteBuffer> next();
  }

  /** Opens the folder, making it first when it is not there; Unwritable when that cannot be. */
  public static ResultFolder open(Path folder, long maxFileBytes) {
    try {
      if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
        Files.createDirectories(folder);
        Path parent = folder.toAbsolutePath().getParent();
        if (parent != null) {
          fsync(parent);
        }
      }
      if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
        throw AnswerException.unwritable(
            folder + " is a link, not a folder; nothing is saved there");
      }
      clear(folder);
      return new ResultFolder(folder, maxFileBytes);
    } catch (IOException refused) {
      throw unwritable("opening the folder " + folder, refused);
    }
  }

  /** Whether a file in such a folder has its final name, and so is whole. */
  public static boolean isPublished(Path file) {
    return !String.valueOf(file.getFileName()).startsWith(PREFIX);
  }

  private static void clear(Path folder) throws IOException {
    try (DirectoryStream<Path> left = Files.newDirectoryStream(folder, PREFIX + "*" + SUFFIX)) {
      for (Path file : left) {
        Files.delete(file);
      }
    }
  }

  /** Where bytes go. */
  public interface Sink {
    /** Takes all of them; what goes wrong is its own answer. */
    void write(ByteBuffer bytes);
  }

  /**
   * Writes one file under a temporary name.
   *
   * @param told what the server calls it: data, made safe here
   */
  public void add(String told, Source source) {
    write(
        told,
        sink -> {
          for (List<ByteBuffer> part = source.next(); !part.isEmpty(); part = source.next()) {
            part.forEach(sink::write);
          }
        });
  }

  /** As {@link #add}, for bytes that are pushed. */
  public void write(String told, Consumer<Sink> content) {
    if (staged.size() == FILES_LIMIT) {
      throw AnswerException.uncollectable(
          "the job has more than " + FILES_LIMIT + " results, the most that are saved");
    }
    String name = ResultName.unique(ResultName.safe(told), taken);
    Path file = folder.resolve(PREFIX + call + "-" + staged.size() + SUFFIX);
    try (FileChannel channel = created(file, name)) {
      MessageDigest sum = Sha256.begin();
      staged.put(file, new Staged(name, sum));
      AtomicLong size = new AtomicLong();
      content.accept(
          bytes -> {
            if (size.addAndGet(bytes.remaining()) > maxFileBytes) {
              throw AnswerException.uncollectable(
                  name
                      + " is larger than "
                      + maxFileBytes
                      + " bytes, the most that is saved of one");
            }
            sum.update(bytes.duplicate());
            writeAll(channel, bytes, name);
          });
      force(channel, name);
    } catch (IOException unclosed) {
      throw unwritable("closing " + name, unclosed);
    }
  }

  private FileChannel created(Path file, String name) {
    try {
      return FileChannel.open(
          file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    } catch (IOException refused) {
      throw unwritable("creating " + name + " in " + folder, refused);
    }
  }

  private void writeAll(FileChannel channel, ByteBuffer bytes, String name) {
    try {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    } catch (IOException refused) {
      throw unwritable("writing " + name + " into " + folder, refused);
    }
  }

  private void force(FileChannel channel, String name) {
    try {
      channel.force(true);
    } catch (IOException refused) {
      throw unwritable("fsync of " + name + " in " + folder, refused);
    }
  }

  /** Gives every file its name; the names, in the order they were added. */
  public List<String> publish() {
    try {
      publishSums();
      for (Map.Entry<Path, Staged> file : staged.entrySet()) {
        Path published = folder.resolve(file.getValue().name());
        Files.move(file.getKey(), published, StandardCopyOption.ATOMIC_MOVE);
      }
      fsync(folder);
    } catch (IOException refused) {
      throw unwritable("publishing the results in " + folder, refused);
    }
    List<String> names = staged.values().stream().map(Staged::name).toList();
    staged.clear();
    return names;
  }

  private void publishSums() throws IOException {
    String lines = staged.values().stream().map(Staged::line).collect(Collectors.joining());
    Path part = folder.resolve(PREFIX + call + "-sums" + SUFFIX);
    try (FileChannel channel = created(part, JobAdapter.CHECKSUMS)) {
      writeAll(channel, StandardCharsets.UTF_8.encode(lines), JobAdapter.CHECKSUMS);
      force(channel, JobAdapter.CHECKSUMS);
    }
    Files.move(part, folder.resolve(JobAdapter.CHECKSUMS), StandardCopyOption.ATOMIC_MOVE);
  }

  /** Removes what was not published. */
  @Override
  public void close() {
    for (Path file : staged.keySet()) {
      try {
        Files.deleteIfExists(file);
      } catch (IOException leftForTheNextTime) {
        // Opening the folder again clears it away.
      }
    }
  }

  private static void fsync(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private static AnswerException unwritable(String tried, IOException refused) {
    return AnswerException.unwritable(tried + ": " + refused.getMessage());
  }
}

package dev.swapgate.backends.generic;

import dev.swapgate.backends.media.AnswerException;
import dev.swapgate.backends.media.ResultFolder;
import dev.swapgate.backends.media.ResultName;
import dev.swapgate.gate.core.JobRequest;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The folder that a container which runs to its exit shares with us. What the container wrote there
 * is its own: links are neither followed nor saved. One job at a time.
 *
 * @param folder as we see it
 * @param resultsName the folder in it where results are left
 */
record WorkFolder(Path folder, String resultsName) {

  /** The whole request, as JSON. */
  static final String REQUEST = "request.json";

  /** Where files that go along with a request lie. */
  static final String ALONG = "in";

  /** Says which job lies ready; written last, so that what it speaks of is whole. */
  private static final String MARK = ".swapgate-job";

  /**
   * What lies ready.
   *
   * @param runBefore the container's last run before
   */
  record Laid(String mark, String runBefore) {}

  /** Why no job can be laid down here; empty when one can. */
  Optional<String> whyNot() {
    if (!Files.isDirectory(folder)) {
      return Optional.of(
          "work_dir %s is no folder here; make it, and mount it into the container"
              .formatted(folder));
    }
    return Files.isWritable(folder)
        ? Optional.empty()
        : Optional.of(
            "work_dir %s cannot be written by swapgate (user %s); change its owner"
                .formatted(folder, System.getProperty("user.name")));
  }

  /** Rejected when a file's name would have to be changed. */
  static void checked(List<JobRequest.Attachment> attachments) {
    Set<String> taken = new HashSet<>();
    for (JobRequest.Attachment one : attachments) {
      if (!ResultName.unique(ResultName.safe(one.name()), taken).equals(one.name())) {
        throw AnswerException.rejected(
            "a file cannot be called '%s' in the container's folder; give it a plain name"
                .formatted(ResultName.safe(one.name())));
      }
    }
  }

  /** Lays a job down and empties the results; what was there before is gone. */
  void lay(
      String mark,
      String runBefore,
      Map<String, String> files,
      List<JobRequest.Attachment> attachments) {
    checked(attachments);
    clear();
    Path now = folder;
    try {
      empty(folder.resolve(resultsName));
      now = folder.resolve(ALONG);
      empty(now);
      for (JobRequest.Attachment one : attachments) {
        now = folder.resolve(ALONG).resolve(one.name());
        Files.copy(Path.of(one.path()), now, StandardCopyOption.REPLACE_EXISTING);
      }
      for (Map.Entry<String, String> file : files.entrySet()) {
        now = folder.resolve(file.getKey());
        Files.deleteIfExists(now);
        Files.writeString(now, file.getValue(), StandardOpenOption.CREATE_NEW);
      }
      now = folder.resolve(MARK);
      write(now, mark + "\n" + runBefore + "\n");
    } catch (IOException refused) {
      throw unwritable("writing " + now, refused);
    }
  }

  private void write(Path file, String text) throws IOException {
    Path part = folder.resolve(MARK + ".part");
    Files.deleteIfExists(part);
    try (FileChannel channel =
        FileChannel.open(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      channel.write(StandardCharsets.UTF_8.encode(text));
      channel.force(true);
    }
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** A folder with nothing in it, where the container may write as whoever it is. */
  private static void empty(Path place) throws IOException {
    if (Files.exists(place, LinkOption.NOFOLLOW_LINKS)) {
      List<Path> all;
      try (Stream<Path> found = Files.walk(place)) {
        all = found.sorted(Comparator.reverseOrder()).toList();
      }
      for (Path one : all) {
        Files.delete(one);
      }
    }
    Files.createDirectory(place);
    Files.setPosixFilePermissions(place, PosixFilePermissions.fromString("rwxrwxrwx"));
  }

  /** No job lies ready any more. */
  void clear() {
    try {
      Files.deleteIfExists(folder.resolve(MARK));
    } catch (IOException refused) {
      throw unwritable("removing " + folder.resolve(MARK), refused);
    }
  }

  /** The job that lies ready, or that the container has run for. */
  Optional<Laid> laid() {
    Path file = folder.resolve(MARK);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      List<String> lines = Files.readAllLines(file);
      return lines.size() == 2
          ? Optional.of(new Laid(lines.get(0), lines.get(1)))
          : Optional.empty();
    } catch (IOException refused) {
      throw AnswerException.unanswered("reading " + file + ": " + refused);
    }
  }

  /** The files the container left, by path; uncollectable when there is none. */
  List<Path> results() {
    Path place = folder.resolve(resultsName);
    List<Path> files = new ArrayList<>();
    try (Stream<Path> found = Files.walk(place)) {
      found
          .filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
          .sorted()
          .limit(ResultFolder.FILES_LIMIT + 1L)
          .forEach(files::add);
    } catch (IOException refused) {
      throw AnswerException.uncollectable("reading " + place + ": " + refused);
    }
    if (files.isEmpty()) {
      throw AnswerException.uncollectable("its container ended well and left no file in " + place);
    }
    return files;
  }

  private static AnswerException unwritable(String tried, IOException refused) {
    return AnswerException.unwritable(tried + ": " + refused);
  }
}

package dev.swapgate.backends.generic;

import dev.swapgate.backends.media.AnswerException;
import dev.swapgate.backends.media.ResultFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Where the answer of a call lies until it is collected: a folder for each attempt, with one file
 * that is whole. It outlives swapgate, so a job whose answer had come is not done again. What is no
 * longer needed is known at the next job alone; until then the last answer stays.
 */
record Spool(Path folder) {
  private static final int PIECE_BYTES = 64 << 10;

  void save(String mark, String name, ResultFolder.Source source, long maxBytes) {
    try (ResultFolder place = ResultFolder.open(folder.resolve(mark), maxBytes)) {
      place.add(name, source);
      List<String> unused = place.publish();
    }
  }

  /** The whole answer to an attempt. */
  Optional<Path> answer(String mark) {
    Path place = folder.resolve(mark);
    if (!Files.isDirectory(place)) {
      return Optional.empty();
    }
    try (Stream<Path> files = Files.list(place)) {
      return files.filter(ResultFolder::isPublished).findFirst();
    } catch (IOException refused) {
      throw AnswerException.unwritable("reading " + place + ": " + refused.getMessage());
    }
  }

  /** Removes the answers to all attempts but these. */
  void keepOnly(Set<String> marks) {
    if (!Files.isDirectory(folder)) {
      return;
    }
    try (Stream<Path> places = Files.list(folder)) {
      places
          .filter(place -> !marks.contains(String.valueOf(place.getFileName())))
          .forEach(Spool::remove);
    } catch (IOException | UncheckedIOException refused) {
      throw AnswerException.unwritable("clearing " + folder + ": " + refused.getMessage());
    }
  }

  private static void remove(Path place) {
    try (Stream<Path> files = Files.list(place)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
      Files.delete(place);
    } catch (IOException refused) {
      throw new UncheckedIOException(refused);
    }
  }

  /** Copies a file of ours, a piece at a time. */
  static void copy(Path file, ResultFolder.Sink sink) {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
      ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
      while (channel.read(piece) >= 0) {
        sink.write(piece.flip());
        piece.clear();
      }
    } catch (IOException refused) {
      throw AnswerException.unwritable("reading " + file + ": " + refused.getMessage());
    }
  }
}

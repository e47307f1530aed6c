package dev.swapgate.proxy.images;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The answer with its pictures, piece by piece: of the files no more than one piece is in memory.
 * Not thread-safe.
 */
final class PictureStream implements AutoCloseable {

  /** Divisible by three, so that pieces of base64 can be put together. */
  private static final int PIECE_BYTES = 48 * 1024;

  private sealed interface Part {}

  private record Text(String ascii) implements Part {
    byte[] bytes() {
      return ascii.getBytes(StandardCharsets.US_ASCII);
    }
  }

  private record Picture(Path file, long size) implements Part {}

  private final Deque<Part> parts = new ArrayDeque<>();
  private final long length;
  private @Nullable InputStream open;
  private long left;

  private PictureStream(List<Part> parts) {
    this.parts.addAll(parts);
    this.length = parts.stream().mapToLong(PictureStream::length).sum();
  }

  /**
   * @param created when the last of them was made, in seconds since 1970
   * @throws IOException when one of the files is not there
   */
  static PictureStream of(List<Path> files, long created) throws IOException {
    List<Part> parts = new ArrayList<>();
    String before = "{\"created\":" + created + ",\"data\":[{\"b64_json\":\"";
    for (Path file : files) {
      parts.add(new Text(before));
      parts.add(new Picture(file, Files.size(file)));
      before = "\"},{\"b64_json\":\"";
    }
    parts.add(new Text("\"}]}"));
    return new PictureStream(parts);
  }

  /** Bytes in all. */
  long length() {
    return length;
  }

  private static long length(Part part) {
    return switch (part) {
      case Text text -> text.ascii().length();
      case Picture picture -> (picture.size() + 2) / 3 * 4;
    };
  }

  /**
   * The next piece; empty at the end.
   *
   * @throws IOException when a file cannot be read, or is shorter than it was
   */
  Optional<ByteBuffer> next() throws IOException {
    if (open != null && left > 0) {
      return Optional.of(piece(open));
    }
    closeFile();
    Part part = parts.poll();
    return switch (part) {
      case null -> Optional.empty();
      case Text text -> Optional.of(ByteBuffer.wrap(text.bytes()));
      case Picture picture -> {
        open = Files.newInputStream(picture.file());
        left = picture.size();
        yield left == 0 ? next() : Optional.of(piece(open));
      }
    };
  }

  private ByteBuffer piece(InputStream from) throws IOException {
    int size = (int) Math.min(PIECE_BYTES, left);
    byte[] bytes = from.readNBytes(size);
    if (bytes.length < size) {
      throw new EOFException("a result is shorter than it was");
    }
    left -= size;
    return ByteBuffer.wrap(Base64.getEncoder().encode(bytes));
  }

  private void closeFile() throws IOException {
    if (open != null) {
      open.close();
      open = null;
    }
  }

  @Override
  public void close() throws IOException {
    parts.clear();
    closeFile();
  }
}

package dev.swapgate.proxy.http;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Undoes the chunked transfer coding, strictly: the library's own reader takes a size that is no
 * number for the last chunk, and what follows for the next request.
 */
public final class ChunkDecoder {
  private static final int MAX_LINE = 4 * 1024;
  private static final int MAX_TRAILERS = 50;
  private static final int MAX_SIZE_DIGITS = 15;

  private enum At {
    SIZE,
    DATA,
    DATA_END,
    TRAILER,
    END
  }

  private final StringBuilder line = new StringBuilder();
  private final List<String> trailers = new ArrayList<>();
  private At at = At.SIZE;
  private long left;
  private int trailerBytes;

  /**
   * Moves data from {@code in} to {@code out} until one of them is used up or the body has ended.
   *
   * @throws ChunkException the framing is broken
   */
  public void decode(ByteBuffer in, ByteBuffer out) {
    while (in.hasRemaining() && at != At.END) {
      if (at == At.DATA) {
        int part = (int) Math.min(left, Math.min(in.remaining(), out.remaining()));
        if (part == 0) {
          return;
        }
        out.put(in.slice(in.position(), part));
        in.position(in.position() + part);
        left -= part;
        if (left == 0) {
          at = At.DATA_END;
        }
      } else if (lineEnded(in)) {
        String whole = line.substring(0, line.length() - 2);
        line.setLength(0);
        took(whole);
      }
    }
  }

  /** Whether the body, its trailers included, has been seen to its end. */
  public boolean done() {
    return at == At.END;
  }

  /** The trailer lines, unread; complete once it is done. */
  public List<String> trailers() {
    return List.copyOf(trailers);
  }

  private boolean lineEnded(ByteBuffer in) {
    while (in.hasRemaining()) {
      char next = (char) (in.get() & 0xff);
      line.append(next);
      if (next == '\n') {
        if (line.length() < 2 || line.charAt(line.length() - 2) != '\r') {
          throw new ChunkException("a chunk line that ends without CR");
        }
        return true;
      }
      if (line.length() > MAX_LINE) {
        throw new ChunkException("a chunk line of more than " + MAX_LINE + " bytes");
      }
    }
    return false;
  }

  private void took(String whole) {
    switch (at) {
      case SIZE -> {
        left = size(whole);
        at = left == 0 ? At.TRAILER : At.DATA;
      }
      case DATA_END -> {
        if (!whole.isEmpty()) {
          throw new ChunkException("a chunk longer than its size");
        }
        at = At.SIZE;
      }
      case TRAILER -> trailer(whole);
      case DATA, END -> throw new IllegalStateException("no line is read in " + at);
    }
  }

  private void trailer(String whole) {
    if (whole.isEmpty()) {
      at = At.END;
      return;
    }
    trailerBytes += whole.length();
    if (trailers.size() == MAX_TRAILERS || trailerBytes > MAX_LINE) {
      throw new ChunkException("trailers beyond the limit");
    }
    if (HeaderLines.read(whole).isEmpty()) {
      throw new ChunkException("a trailer that is no header line");
    }
    trailers.add(whole);
  }

  private static long size(String whole) {
    int end = whole.indexOf(';');
    String digits = (end < 0 ? whole : whole.substring(0, end)).stripTrailing();
    boolean hex =
        !digits.isEmpty()
            && digits.length() <= MAX_SIZE_DIGITS
            && digits.chars().allMatch(c -> c < 0x7f && Character.digit(c, 16) >= 0)
            && whole.chars().allMatch(c -> c == '\t' || c >= ' ');
    if (!hex) {
      throw new ChunkException("a chunk size that is no hexadecimal number");
    }
    return Long.parseLong(digits, 16);
  }
}

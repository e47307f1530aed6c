package dev.swapgate.backends.sim;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** What a container wrote, line by line, in Docker's frames. Thread-safe. */
final class FakeDockerLog {
  static final int STDOUT = 1;
  static final int STDERR = 2;
  private static final int KEPT = 10_000;
  private static final int MAX_LINE = 1 << 16;
  private static final Duration FOLLOWED_EVERY = Duration.ofMillis(100);

  private final List<Line> lines = new ArrayList<>();
  private long dropped;

  /**
   * @param text its bytes, one a character, for they need not be text at all
   */
  private record Line(int stream, String text) {
    byte[] frame() {
      byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
      return ByteBuffer.allocate(8 + bytes.length)
          .put((byte) stream)
          .put(new byte[3])
          .putInt(bytes.length)
          .put(bytes)
          .array();
    }
  }

  /** Reads until the stream ends. */
  void pump(int stream, InputStream from) {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    try (InputStream in = new BufferedInputStream(from)) {
      for (int next = in.read(); next >= 0; next = in.read()) {
        line.write(next);
        if (next == '\n' || line.size() == MAX_LINE) {
          add(new Line(stream, line.toString(StandardCharsets.ISO_8859_1)));
          line.reset();
        }
      }
    } catch (IOException ended) {
      // The process is gone; what it wrote is kept.
    }
    if (line.size() > 0) {
      add(new Line(stream, line.toString(StandardCharsets.ISO_8859_1)));
    }
  }

  private synchronized void add(Line line) {
    lines.add(line);
    if (lines.size() > KEPT) {
      lines.remove(0);
      dropped++;
    }
  }

  /**
   * Writes the last lines of these streams, and those that come while it goes on.
   *
   * @param tail how many of the past ones
   */
  void write(
      boolean stdout, boolean stderr, int tail, BooleanSupplier goesOn, FakeDockerAnswer.Sink sink)
      throws IOException {
    List<Line> past = since(0);
    List<Line> wanted =
        past.stream().filter(line -> line.stream == STDOUT ? stdout : stderr).toList();
    for (Line line : wanted.subList(Math.max(0, wanted.size() - tail), wanted.size())) {
      sink.write(line.frame());
    }
    long next = past.size() + droppedSoFar();
    boolean last;
    do {
      last = !goesOn.getAsBoolean();
      for (Line line : since(next)) {
        next++;
        if (line.stream == STDOUT ? stdout : stderr) {
          sink.write(line.frame());
        }
      }
      Pause.of(last ? Duration.ZERO : FOLLOWED_EVERY);
    } while (!last && !Thread.currentThread().isInterrupted());
  }

  private synchronized long droppedSoFar() {
    return dropped;
  }

  private synchronized List<Line> since(long number) {
    int from = Math.clamp(number - dropped, 0, lines.size());
    return List.copyOf(lines.subList(from, lines.size()));
  }
}

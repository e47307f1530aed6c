package dev.swapgate.backends.docker;

import com.github.dockerjava.api.model.StreamType;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Puts the frames of a log together to its last lines; a frame may hold part of a line. */
final class LogLines {
  /** Longer lines are cut: they are shown to people, in one row of a table. */
  static final int MAX_CHARS = 500;

  /** Enough for 500 characters of any script; the rest of a line is not kept. */
  private static final int MAX_BYTES = 4 * MAX_CHARS;

  private final int limit;
  private final Deque<String> lines = new ArrayDeque<>();
  private final Map<StreamType, ByteArrayOutputStream> begun = new EnumMap<>(StreamType.class);

  LogLines(int limit) {
    this.limit = limit;
  }

  synchronized void add(StreamType stream, byte[] payload) {
    ByteArrayOutputStream line = begun.computeIfAbsent(stream, s -> new ByteArrayOutputStream());
    for (byte next : payload) {
      if (next == '\n') {
        end(line);
      } else if (line.size() < MAX_BYTES) {
        line.write(next);
      }
    }
  }

  private void end(ByteArrayOutputStream line) {
    String text = line.toString(StandardCharsets.UTF_8).stripTrailing();
    line.reset();
    // Control characters of a container must not reach the terminal of whoever reads them.
    String plain = text.replaceAll("\\p{Cntrl}", " ");
    lines.addLast(plain.length() > MAX_CHARS ? plain.substring(0, MAX_CHARS) : plain);
    if (lines.size() > limit) {
      lines.removeFirst();
    }
  }

  /** Oldest first; what was written without an end of line counts as a line. */
  synchronized List<String> lines() {
    begun.values().stream().filter(line -> line.size() > 0).forEach(this::end);
    return List.copyOf(lines);
  }
}

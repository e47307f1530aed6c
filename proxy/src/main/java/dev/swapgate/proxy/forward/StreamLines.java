package dev.swapgate.proxy.forward;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/**
 * Lets whole lines of a text stream pass at once and keeps an unfinished last line back, so that a
 * stream that breaks can be ended by a line of our own without cutting another in two. No client
 * can use half a line, so nothing is delayed.
 */
final class StreamLines {

  /** A longer line passes in parts: memory has a bound. */
  private static final int MAX_KEPT = 64 * 1024;

  private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
  private byte last;
  private boolean lineEmpty = true;
  private boolean eventEnded = true;

  /** What may pass now. */
  ByteBuffer pass(ByteBuffer bytes) {
    int end = endOfLastLine(bytes);
    if (end == 0 && kept.size() + bytes.remaining() <= MAX_KEPT) {
      keep(bytes);
      return ByteBuffer.allocate(0);
    }
    if (end == 0 || kept.size() + bytes.remaining() - end > MAX_KEPT) {
      end = bytes.remaining();
    }
    ByteBuffer passing = ByteBuffer.allocate(kept.size() + end);
    passing.put(kept.toByteArray());
    kept.reset();
    passing.put(bytes.slice(bytes.position(), end));
    bytes.position(bytes.position() + end);
    keep(bytes);
    passing.flip();
    remember(passing);
    return passing;
  }

  /** The unfinished line, when the stream ends as it should. */
  ByteBuffer rest() {
    ByteBuffer rest = ByteBuffer.wrap(kept.toByteArray());
    kept.reset();
    return rest;
  }

  /** What must come before an event of our own so that it stands alone. */
  String separator() {
    if (eventEnded) {
      return "";
    }
    // After a lone CR the first LF only completes the line end.
    return lineEmpty && last != '\r' ? "\n" : "\n\n";
  }

  private void remember(ByteBuffer passed) {
    for (int i = passed.position(); i < passed.limit(); i++) {
      byte next = passed.get(i);
      boolean endsLine = next == '\r' || (next == '\n' && last != '\r');
      if (endsLine) {
        eventEnded = lineEmpty;
        lineEmpty = true;
      } else if (next != '\n') {
        eventEnded = false;
        lineEmpty = false;
      }
      last = next;
    }
  }

  private void keep(ByteBuffer bytes) {
    while (bytes.hasRemaining()) {
      kept.write(bytes.get());
    }
  }

  private static int endOfLastLine(ByteBuffer bytes) {
    for (int i = bytes.limit() - 1; i >= bytes.position(); i--) {
      if (bytes.get(i) == '\n' || bytes.get(i) == '\r') {
        return i + 1 - bytes.position();
      }
    }
    return 0;
  }
}

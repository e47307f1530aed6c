package dev.swapgate.proxy.bench;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/**
 * One connection's requests as they come in, as far as a load's own server must understand them.
 */
final class Requests {
  private final StringBuilder head = new StringBuilder();
  private long bodyLeft;

  /** A whole request. */
  record Request(String target, String head) {
    /** The value of a field, or the number that stands for it. */
    long number(String name, long otherwise) {
      String wanted = name.toLowerCase(Locale.ROOT) + ":";
      return head.lines()
          .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(wanted))
          .map(line -> Long.parseLong(line.substring(wanted.length()).strip()))
          .findFirst()
          .orElse(otherwise);
    }
  }

  /** Takes in what was read, up to the end of the first request in it. */
  Optional<Request> take(ByteBuffer read) {
    while (read.hasRemaining()) {
      if (bodyLeft > 0) {
        int skipped = (int) Math.min(bodyLeft, read.remaining());
        read.position(read.position() + skipped);
        bodyLeft -= skipped;
      } else {
        head.append((char) (read.get() & 0xff));
        if (endsHead()) {
          bodyLeft = request().number("Content-Length", 0);
        }
      }
      if (bodyLeft == 0 && endsHead()) {
        Request whole = request();
        head.setLength(0);
        return Optional.of(whole);
      }
    }
    return Optional.empty();
  }

  private boolean endsHead() {
    int at = head.length() - 4;
    return at >= 0 && head.indexOf("\r\n\r\n", at) == at;
  }

  private Request request() {
    String text = head.toString();
    String[] words = text.lines().findFirst().orElse("").split(" ");
    return new Request(words.length > 1 ? words[1] : "/", text);
  }

  static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
  }
}

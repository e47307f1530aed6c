package dev.swapgate.proxy.forward;

import dev.swapgate.proxy.http.Field;
import dev.swapgate.proxy.http.HeaderLines;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Collects the bytes of an answer's head and reads them strictly: CRLF only, no folded lines, no
 * blanks around names. Anything else is refused rather than guessed at.
 */
final class ResponseHeadParser {

  private static final int MAX_BYTES = 64 * 1024;
  private static final int MAX_FIELDS = 200;

  private byte[] seen = new byte[1024];
  private int length;

  /** Whether a byte of the present head was seen. */
  boolean begun() {
    return length > 0;
  }

  /** Takes bytes up to the end of the head, and says whether the head is whole. */
  boolean feed(ByteBuffer in) {
    while (in.hasRemaining()) {
      if (length == MAX_BYTES) {
        throw new UpstreamException("a head of more than " + MAX_BYTES + " bytes");
      }
      if (length == seen.length) {
        seen = Arrays.copyOf(seen, length * 2);
      }
      byte next = in.get();
      seen[length++] = next;
      if (next == '\n' && endsWithBlankLine()) {
        return true;
      }
    }
    return false;
  }

  private boolean endsWithBlankLine() {
    return length >= 4
        && seen[length - 2] == '\r'
        && seen[length - 3] == '\n'
        && seen[length - 4] == '\r';
  }

  /** The head that was fed; the parser is then ready for another. */
  ResponseHead take() {
    String text = new String(seen, 0, length - 4, StandardCharsets.ISO_8859_1);
    length = 0;
    List<String> lines = HeaderLines.split(text);
    if (lines.size() - 1 > MAX_FIELDS) {
      throw new UpstreamException("more than " + MAX_FIELDS + " header lines");
    }
    return statusLine(lines.get(0), fields(lines.subList(1, lines.size())));
  }

  private static ResponseHead statusLine(String line, List<Field> fields) {
    boolean wellFormed =
        line.length() >= 12
            && (line.startsWith("HTTP/1.1 ") || line.startsWith("HTTP/1.0 "))
            && HeaderLines.isDecimal(line.substring(9, 12))
            && (line.length() == 12 || line.charAt(12) == ' ')
            && HeaderLines.isText(line);
    int status = wellFormed ? Integer.parseInt(line.substring(9, 12)) : 0;
    if (status < 100 || status > 599) {
      throw new UpstreamException("the status line \"" + shown(line) + "\"");
    }
    String reason = line.length() > 13 ? line.substring(13) : "";
    return new ResponseHead(line.charAt(7) == '1', status, reason, fields);
  }

  /** Header or trailer lines. */
  static List<Field> fields(List<String> lines) {
    List<Field> fields = new ArrayList<>(lines.size());
    for (String line : lines) {
      fields.add(
          HeaderLines.read(line)
              .orElseThrow(() -> new UpstreamException("the header line \"" + shown(line) + "\"")));
    }
    return fields;
  }

  private static String shown(String line) {
    return line.substring(0, Math.min(40, line.length())).replaceAll("[^ -~]", "?");
  }
}

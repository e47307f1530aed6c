package dev.swapgate.proxy.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The one strict reading of header and trailer lines, for requests and answers alike. */
public final class HeaderLines {
  private static final String SEPARATORS = "\"(),/:;<=>?@[\\]{}";
  private static final boolean[] TOKEN = token();

  private HeaderLines() {}

  private static boolean[] token() {
    boolean[] token = new boolean[0x7f];
    for (char c = ' ' + 1; c < token.length; c++) {
      token[c] = SEPARATORS.indexOf(c) < 0;
    }
    return token;
  }

  /** The lines of a head, without the CRLF between them. */
  public static List<String> split(String text) {
    List<String> lines = new ArrayList<>();
    int from = 0;
    for (int end = text.indexOf("\r\n"); end >= 0; end = text.indexOf("\r\n", from)) {
      lines.add(text.substring(from, end));
      from = end + 2;
    }
    lines.add(text.substring(from));
    return lines;
  }

  /**
   * A line without its CRLF: a name, a colon right behind it, and a value without control bytes.
   * Empty: it is none, or the folded rest of one.
   */
  public static Optional<Field> read(String line) {
    int colon = line.indexOf(':');
    if (colon < 0 || !isToken(line, colon) || !isText(line)) {
      return Optional.empty();
    }
    return Optional.of(new Field(line.substring(0, colon), withoutBlanks(line, colon + 1)));
  }

  /** Whether it may be a method or a header's name. */
  static boolean isToken(String name) {
    return isToken(name, name.length());
  }

  private static boolean isToken(String line, int end) {
    for (int i = 0; i < end; i++) {
      char c = line.charAt(i);
      if (c >= TOKEN.length || !TOKEN[c]) {
        return false;
      }
    }
    return end > 0;
  }

  /** Whether it holds no control bytes but tabs. */
  public static boolean isText(String line) {
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c != '\t' && (c < ' ' || c == 0x7f)) {
        return false;
      }
    }
    return true;
  }

  /** Whether it is the length of a body: at most 18 digits, as many as a long holds for sure. */
  public static boolean isLength(String value) {
    return value.length() <= 18 && isDecimal(value);
  }

  /** Whether it is digits and nothing else. */
  public static boolean isDecimal(String value) {
    for (int i = 0; i < value.length(); i++) {
      if (value.charAt(i) < '0' || value.charAt(i) > '9') {
        return false;
      }
    }
    return !value.isEmpty();
  }

  private static String withoutBlanks(String line, int start) {
    int from = start;
    int to = line.length();
    while (from < to && isBlank(line.charAt(from))) {
      from++;
    }
    while (to > from && isBlank(line.charAt(to - 1))) {
      to--;
    }
    return line.substring(from, to);
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t';
  }
}

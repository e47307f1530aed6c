package dev.swapgate.proxy.http;

import java.util.Optional;

/** The one strict reading of header and trailer lines, for requests and answers alike. */
public final class HeaderLines {
  private static final String SEPARATORS = "\"(),/:;<=>?@[\\]{}";

  private HeaderLines() {}

  /**
   * A line without its CRLF: a name, a colon right behind it, and a value without control bytes.
   * Empty: it is none, or the folded rest of one.
   */
  public static Optional<Field> read(String line) {
    int colon = line.indexOf(':');
    if (colon < 0 || !isToken(line.substring(0, colon)) || !isText(line)) {
      return Optional.empty();
    }
    return Optional.of(
        new Field(line.substring(0, colon), withoutBlanks(line.substring(colon + 1))));
  }

  /** Whether it may be a method or a header's name. */
  static boolean isToken(String name) {
    return !name.isEmpty()
        && name.chars().allMatch(c -> c > ' ' && c < 0x7f && SEPARATORS.indexOf(c) < 0);
  }

  /** Whether it holds no control bytes but tabs. */
  public static boolean isText(String line) {
    return line.chars().allMatch(c -> c == '\t' || (c >= ' ' && c != 0x7f));
  }

  private static String withoutBlanks(String value) {
    int from = 0;
    int to = value.length();
    while (from < to && isBlank(value.charAt(from))) {
      from++;
    }
    while (to > from && isBlank(value.charAt(to - 1))) {
      to--;
    }
    return value.substring(from, to);
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t';
  }
}

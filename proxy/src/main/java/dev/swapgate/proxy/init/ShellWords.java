package dev.swapgate.proxy.init;

import java.util.ArrayList;
import java.util.List;

/** Splits a command line into words as a shell would that expands nothing, and joins them again. */
final class ShellWords {
  private ShellWords() {}

  /**
   * Lines that begin with {@code #} are comments.
   *
   * @throws IllegalArgumentException when a quote is not closed
   */
  static List<String> split(String line) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    boolean inWord = false;
    char quote = 0;
    String text = line.replaceAll("(?m)^\\s*#.*$", "").replaceAll("\\\\\\r?\\n", " ");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == quote) {
        quote = 0;
      } else if (quote == '\'') {
        word.append(c);
      } else if (c == '\\' && i + 1 < text.length() && isEscape(quote, text.charAt(i + 1))) {
        word.append(text.charAt(++i));
        inWord = true;
      } else if (quote == 0 && (c == '\'' || c == '"')) {
        quote = c;
        inWord = true;
      } else if (quote == 0 && Character.isWhitespace(c)) {
        if (inWord) {
          words.add(word.toString());
          word.setLength(0);
        }
        inWord = false;
      } else {
        word.append(c);
        inWord = true;
      }
    }
    if (quote != 0) {
      throw new IllegalArgumentException("a " + quote + " is not closed");
    }
    if (inWord) {
      words.add(word.toString());
    }
    return words;
  }

  private static boolean isEscape(char quote, char next) {
    return quote == 0 || next == '"' || next == '\\' || next == '$' || next == '`';
  }

  /** For a shell to read, on one line. */
  static String join(List<String> words) {
    return String.join(" ", words.stream().map(ShellWords::quoted).toList());
  }

  private static String quoted(String word) {
    return word.matches("[A-Za-z0-9_@%+=:,./-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}

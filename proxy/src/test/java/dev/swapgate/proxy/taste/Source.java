package dev.swapgate.proxy.taste;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One Java file, seen in three ways with the same line numbers: as it stands, its code alone, and
 * its comments alone. What stands in a string is in neither of the latter two.
 */
record Source(Path path, List<String> lines, List<String> code, List<String> comments) {
  private static final Pattern PIECE =
      Pattern.compile(
          "(?<comment>//[^\n]*|/\\*.*?\\*/)"
              + "|\"\"\".*?(?<!\\\\)\"\"\""
              + "|\"(?:\\\\.|[^\"\\\\\n])*\""
              + "|'(?:\\\\.|[^'\\\\\n])+'",
          Pattern.DOTALL);

  static Source read(Path root, Path file) {
    try {
      String text = Files.readString(file);
      return new Source(
          root.relativize(file), lines(text), lines(code(text)), lines(comments(text)));
    } catch (IOException e) {
      throw new UncheckedIOException("could not read " + file, e);
    }
  }

  /** The path with forward slashes, from the top of the checkout. */
  String name() {
    return path.toString().replace('\\', '/');
  }

  boolean isMain() {
    return name().contains("/src/main/");
  }

  /** Whether something is on the line, counted from 0, that is neither code nor comment. */
  boolean isInTextBlock(int line) {
    return code.get(line).isBlank() && comments.get(line).isBlank() && !lines.get(line).isBlank();
  }

  /** The folder inside the source tree, {@code dev/swapgate/gate/core}. */
  String folder() {
    String name = name();
    int from = name.indexOf("/java/") + "/java/".length();
    return name.substring(from, name.lastIndexOf('/'));
  }

  private static List<String> lines(String text) {
    return List.of(text.split("\n", -1));
  }

  private static String code(String text) {
    return PIECE.matcher(text).replaceAll(piece -> blank(piece.group()));
  }

  private static String comments(String text) {
    StringBuilder kept = new StringBuilder();
    Matcher pieces = PIECE.matcher(text);
    int from = 0;
    while (pieces.find()) {
      kept.append(blank(text.substring(from, pieces.start())));
      String comment = pieces.group("comment");
      kept.append(comment == null ? blank(pieces.group()) : comment);
      from = pieces.end();
    }
    return kept.append(blank(text.substring(from))).toString();
  }

  private static String blank(String text) {
    return text.replaceAll("[^\n]", " ");
  }
}

package dev.swapgate.backends.media;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;

/**
 * A server's name for a file, made safe to write: no path, no control or other odd characters, no
 * leading dot, no run of dots, at most {@value #LIMIT} bytes, the extension kept.
 */
public final class ResultName {
  public static final int LIMIT = 120;
  private static final int EXTENSION_LIMIT = 12;

  private ResultName() {}

  public static String safe(String told) {
    String last = told.substring(Math.max(told.lastIndexOf('/'), told.lastIndexOf('\\')) + 1);
    String plain =
        last.strip()
            .replaceAll("[^\\p{L}\\p{M}\\p{N} ._()\\[\\]+,=@~#-]", "_")
            .replaceAll("\\.{2,}", ".")
            .replaceAll("^[. ]+|[. ]+$", "");
    int dot = plain.lastIndexOf('.');
    String extension =
        dot > 0 && plain.length() - dot <= EXTENSION_LIMIT ? plain.substring(dot) : "";
    String stem = plain.substring(0, plain.length() - extension.length());
    if (stem.isBlank()) {
      stem = "result";
    }
    return cut(stem, LIMIT - length(extension)) + extension;
  }

  /** The name, numbered when it is taken; {@code taken} holds names in lower case and gets it. */
  public static String unique(String name, Set<String> taken) {
    int dot = name.lastIndexOf('.');
    String stem = dot > 0 ? name.substring(0, dot) : name;
    String extension = dot > 0 ? name.substring(dot) : "";
    String free = name;
    for (int n = 2; !taken.add(free.toLowerCase(Locale.ROOT)); n++) {
      String number = "-" + n;
      free = cut(stem, LIMIT - length(extension) - number.length()) + number + extension;
    }
    return free;
  }

  private static int length(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  private static String cut(String text, int bytes) {
    String kept = text;
    while (length(kept) > bytes) {
      kept = kept.substring(0, kept.offsetByCodePoints(kept.length(), -1));
    }
    return kept.stripTrailing();
  }
}

package dev.swapgate.proxy.config;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes as people write them: {@code 31GiB}, {@code 512MiB}. */
final class Sizes {

  static final Pattern FORM = Pattern.compile("(\\d{1,9})(B|KiB|MiB|GiB|TiB)");

  private Sizes() {}

  /** In bytes; empty when the text is no size. */
  static Optional<Long> parse(String text) {
    Matcher parts = FORM.matcher(text);
    if (!parts.matches()) {
      return Optional.empty();
    }
    return Optional.of(Long.parseLong(parts.group(1)) << shift(parts.group(2)));
  }

  /** In the largest unit that divides it. */
  static String text(long bytes) {
    for (String unit : new String[] {"TiB", "GiB", "MiB", "KiB"}) {
      int shift = shift(unit);
      if (bytes != 0 && bytes % (1L << shift) == 0) {
        return (bytes >> shift) + unit;
      }
    }
    return bytes + "B";
  }

  private static int shift(String unit) {
    return switch (unit) {
      case "KiB" -> 10;
      case "MiB" -> 20;
      case "GiB" -> 30;
      case "TiB" -> 40;
      default -> 0;
    };
  }
}

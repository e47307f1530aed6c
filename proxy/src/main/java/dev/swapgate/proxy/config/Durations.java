package dev.swapgate.proxy.config;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: {@code 900s}, {@code 15m}, {@code 1h30m}, {@code 500ms}. */
public final class Durations {

  static final Pattern FORM =
      Pattern.compile(
          "(?:(\\d{1,6})d)?(?:(\\d{1,6})h)?(?:(\\d{1,6})m)?(?:(\\d{1,9})s)?(?:(\\d{1,9})ms)?");

  private Durations() {}

  /** Empty when the text is no duration. A bare number is none: it has no unit. */
  public static Optional<Duration> parse(String text) {
    Matcher parts = FORM.matcher(text);
    if (text.isEmpty() || !parts.matches()) {
      return Optional.empty();
    }
    return Optional.of(
        Duration.ofDays(number(parts, 1))
            .plusHours(number(parts, 2))
            .plusMinutes(number(parts, 3))
            .plusSeconds(number(parts, 4))
            .plusMillis(number(parts, 5)));
  }

  /** A short text that {@link #parse} reads as the same duration. */
  public static String text(Duration duration) {
    if (duration.toMillisPart() != 0) {
      long seconds = duration.toSeconds();
      return (seconds > 0 ? seconds + "s" : "") + duration.toMillisPart() + "ms";
    }
    long seconds = duration.toSeconds();
    if (seconds == 0 || seconds % 60 != 0) {
      return seconds + "s";
    }
    if (seconds % 86_400 == 0) {
      return seconds / 86_400 + "d";
    }
    return seconds % 3600 == 0 ? seconds / 3600 + "h" : seconds / 60 + "m";
  }

  private static long number(Matcher parts, int group) {
    String digits = parts.group(group);
    return digits == null ? 0 : Long.parseLong(digits);
  }
}

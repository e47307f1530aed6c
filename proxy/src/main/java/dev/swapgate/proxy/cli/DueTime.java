package dev.swapgate.proxy.cli;

import dev.swapgate.gate.core.TimeWindow;
import dev.swapgate.proxy.config.Durations;
import java.time.Instant;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeParseException;

/**
 * Reads {@code --when}. A time of day is made a moment here, since the box may live in another zone
 * than whoever types.
 */
final class DueTime {

  private DueTime() {}

  /** {@code now}, {@code idle}, or a moment with its offset. */
  static String onTheWire(String text, Instant now, ZoneId zone) {
    if (text.equals("now") || text.equals("idle")) {
      return text;
    }
    if (text.startsWith("+")) {
      return Durations.parse(text.substring(1))
          .map(length -> now.plus(length).toString())
          .orElseThrow(() -> unreadable(text));
    }
    try {
      if (text.indexOf('T') < 0) {
        ZonedDateTime here = now.atZone(zone);
        ZonedDateTime today = here.with(LocalTime.parse(text));
        return (today.isAfter(here) ? today : today.plusDays(1)).toInstant().toString();
      }
      return OffsetDateTime.parse(text).toInstant().toString();
    } catch (DateTimeParseException e) {
      throw unreadable(text);
    }
  }

  /** Hours of the day with the zone they are meant in, as above. */
  static String hoursOnTheWire(String text, ZoneId zone) {
    return TimeWindow.parse(text, zone)
        .map(TimeWindow::text)
        .orElseThrow(
            () ->
                new CliException(
                    ExitCode.REFUSED,
                    "--window " + text + ": write 01:00-06:30; it may cross midnight"));
  }

  private static CliException unreadable(String text) {
    return new CliException(
        ExitCode.REFUSED,
        "--when "
            + text
            + ": write now, idle, 23:30 (the next one here), 2027-01-31T02:00:00Z or +90m");
  }
}

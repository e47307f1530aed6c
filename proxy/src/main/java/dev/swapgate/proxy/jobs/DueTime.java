package dev.swapgate.proxy.jobs;

import dev.swapgate.gate.runtime.Gate;
import dev.swapgate.proxy.http.HttpProblem;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.function.Function;

/**
 * From when a job is due, as people say it: {@code now}, a length of time ({@code 90m}), a time of
 * day ({@code 23:30}, the next one by the box's own zone) or a moment with its offset ({@code
 * 2027-01-31T02:00:00Z}).
 */
final class DueTime {
  private final Function<String, Optional<Duration>> durations;
  private final ZoneId zone;

  DueTime(Function<String, Optional<Duration>> durations, ZoneId zone) {
    this.durations = durations;
    this.zone = zone;
  }

  /** Empty for now. */
  Optional<Gate.When> parse(String text, Instant now) {
    if (text.equals("now")) {
      return Optional.empty();
    }
    Instant due =
        durations
            .apply(text.startsWith("+") ? text.substring(1) : text)
            .map(now::plus)
            .or(() -> timeOfDay(text, now))
            .or(() -> moment(text))
            .orElseThrow(
                () ->
                    new HttpProblem(
                        400,
                        "bad_when",
                        "when must be now, idle, a length such as 90m, a time of day such as"
                            + " 23:30, or a moment such as 2027-01-31T02:00:00Z; was "
                            + text));
    return Optional.of(new Gate.When(due));
  }

  private Optional<Instant> timeOfDay(String text, Instant now) {
    try {
      LocalTime time = LocalTime.parse(text);
      ZonedDateTime here = now.atZone(zone);
      ZonedDateTime today = here.with(time);
      return Optional.of((today.isAfter(here) ? today : today.plusDays(1)).toInstant());
    } catch (DateTimeParseException notATimeOfDay) {
      return Optional.empty();
    }
  }

  private static Optional<Instant> moment(String text) {
    try {
      return Optional.of(OffsetDateTime.parse(text).toInstant());
    } catch (DateTimeParseException notAMoment) {
      return Optional.empty();
    }
  }
}

package dev.swapgate.gate.core;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Optional;

/**
 * Hours of each day in which a job may run, such as {@code 01:00-06:30 Europe/Berlin}; they may
 * cross midnight. On the day the clocks change an hour that does not exist counts as the one after
 * it, and of an hour that exists twice the first is meant.
 *
 * @param until the moment by which the engine is to be back; equal to {@code from}: the whole day
 */
public record TimeWindow(LocalTime from, LocalTime until, ZoneId zone) {

  /**
   * Reads {@code 01:00-06:30}, by this zone, or {@code 01:00-06:30 Europe/Berlin}; empty when it is
   * neither.
   */
  public static Optional<TimeWindow> parse(String text, ZoneId zone) {
    String[] parts = text.strip().split(" +", 2);
    String[] hours = parts[0].split("-", -1);
    if (hours.length != 2) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new TimeWindow(
              LocalTime.parse(hours[0]),
              LocalTime.parse(hours[1]),
              parts.length == 2 ? ZoneId.of(parts[1]) : zone));
    } catch (DateTimeException notHours) {
      return Optional.empty();
    }
  }

  /** As {@link #parse} reads it. */
  public String text() {
    return from + "-" + until + " " + zone;
  }

  /** One day's hours. */
  private record Hours(Instant from, Instant until) {
    boolean hold(Instant moment) {
      return !moment.isBefore(from) && moment.isBefore(until);
    }
  }

  private Hours on(LocalDate day) {
    LocalDate last = until.isAfter(from) ? day : day.plusDays(1);
    return new Hours(
        day.atTime(from).atZone(zone).toInstant(), last.atTime(until).atZone(zone).toInstant());
  }

  /** When the hours end in which that moment lies; empty when it lies outside. */
  public Optional<Instant> end(Instant moment) {
    LocalDate today = moment.atZone(zone).toLocalDate();
    for (LocalDate day = today.minusDays(1); !day.isAfter(today); day = day.plusDays(1)) {
      Hours hours = on(day);
      if (hours.hold(moment)) {
        return Optional.of(hours.until());
      }
    }
    return Optional.empty();
  }

  /** True when what takes this long from that moment on is over before the hours end. */
  public boolean fits(Instant moment, Duration length) {
    return end(moment).filter(end -> !moment.plus(length).isAfter(end)).isPresent();
  }

  /** The next moment after this one at which the hours begin. */
  public Instant next(Instant moment) {
    LocalDate today = moment.atZone(zone).toLocalDate();
    Instant begin = on(today).from();
    return begin.isAfter(moment) ? begin : on(today.plusDays(1)).from();
  }

  /** How long the hours last on a day without a change of the clocks. */
  public Duration length() {
    Duration length = Duration.between(from, until);
    return length.isPositive() ? length : length.plusDays(1);
  }
}

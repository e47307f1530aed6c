package dev.swapgate.gate.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Hours of the day, on every day of the year. */
class TimeWindowTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  private static TimeWindow window(String text) {
    return TimeWindow.parse(text, BERLIN).orElseThrow();
  }

  private static Instant at(String moment) {
    return Instant.parse(moment);
  }

  @Test
  void isReadBackAsItIsWritten() {
    TimeWindow window = window("01:00-06:30");
    assertThat(window.text()).isEqualTo("01:00-06:30 Europe/Berlin");
    assertThat(TimeWindow.parse(window.text(), ZoneOffset.UTC)).contains(window);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "01:00", "1-2", "25:00-06:00", "01:00-06:00-07:00", "1:00-2:00 Mars"})
  void whatIsNoHoursIsNotRead(String text) {
    assertThat(TimeWindow.parse(text, BERLIN)).isEmpty();
  }

  @ParameterizedTest(name = "{0}: {1} until {2}")
  @CsvSource({
    "01:00-06:30, 2026-11-30T00:30:00Z, 2026-11-30T05:30:00Z",
    "01:00-06:30, 2026-11-30T00:00:00Z, 2026-11-30T05:30:00Z",
    "22:00-02:00, 2026-11-30T21:30:00Z, 2026-12-01T01:00:00Z",
    "22:00-02:00, 2026-12-01T00:59:59Z, 2026-12-01T01:00:00Z",
    // The night in which 02:00 to 03:00 does not exist: the end comes an hour of the clock earlier.
    "01:00-06:30, 2027-03-28T00:30:00Z, 2027-03-28T04:30:00Z",
    "01:00-02:30, 2027-03-28T00:59:00Z, 2027-03-28T01:30:00Z",
    // The night in which it comes twice: the hours end with the first.
    "01:00-02:30, 2026-10-25T00:10:00Z, 2026-10-25T00:30:00Z",
    "02:30-04:00, 2026-10-25T00:30:00Z, 2026-10-25T03:00:00Z",
    "00:00-00:00, 2026-11-30T12:00:00Z, 2026-11-30T23:00:00Z"
  })
  void endsWhenItsHoursDo(String hours, String now, String end) {
    assertThat(window(hours).end(at(now))).contains(at(end));
  }

  @ParameterizedTest(name = "{0} at {1}")
  @CsvSource({
    "01:00-06:30, 2026-11-29T23:59:59Z",
    "01:00-06:30, 2026-11-30T05:30:00Z",
    "22:00-02:00, 2026-11-30T20:59:59Z",
    "22:00-02:00, 2026-12-01T01:00:00Z",
    "01:00-02:30, 2026-10-25T01:10:00Z"
  })
  void isOverOutsideOfThem(String hours, String now) {
    assertThat(window(hours).end(at(now))).isEmpty();
  }

  @ParameterizedTest(name = "{0} after {1}: {2}")
  @CsvSource({
    "01:00-06:30, 2026-11-30T05:30:00Z, 2026-12-01T00:00:00Z",
    "01:00-06:30, 2026-11-29T20:00:00Z, 2026-11-30T00:00:00Z",
    "02:30-04:00, 2027-03-28T00:00:00Z, 2027-03-28T01:30:00Z",
    "02:30-04:00, 2027-03-27T12:00:00Z, 2027-03-28T01:30:00Z"
  })
  void beginsAgain(String hours, String now, String begin) {
    assertThat(window(hours).next(at(now))).isEqualTo(at(begin));
  }

  @ParameterizedTest(name = "{0} min before the end of the hours: {1}")
  @CsvSource({"59, false", "60, true", "61, true"})
  void whatMustBeOverByTheirEndFitsOnlyBeforeThat(long minutes, boolean fits) {
    Instant end = at("2026-11-30T05:30:00Z");
    assertThat(
            window("01:00-06:30").fits(end.minus(Duration.ofMinutes(minutes)), Duration.ofHours(1)))
        .isEqualTo(fits);
  }

  @Test
  void lastsAsLongAsItsHours() {
    assertThat(window("22:00-02:30").length()).isEqualTo(Duration.ofMinutes(270));
    assertThat(window("01:00-02:30").length()).isEqualTo(Duration.ofMinutes(90));
  }
}

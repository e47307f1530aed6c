package dev.swapgate.backends.prefetch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.gate.core.Now;
import dev.swapgate.gate.core.Phase;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Reading takes 40 s in all of these, so 52 s before the end are early enough. */
class PrefetchRuleTest {

  private static final Duration READING = Duration.ofSeconds(40);

  private static boolean isTime(Views views, long second) {
    return PrefetchRule.isTime(
        views.view(),
        new PrefetchRule.Seen(Duration.ZERO, 0),
        READING,
        new Now(Duration.ofSeconds(second), Instant.EPOCH));
  }

  @ParameterizedTest
  @CsvSource({"0,false", "127,false", "128,true", "179,true", "180,true", "999,true"})
  void readsOnceNoMoreIsLeftOfTheJobThanReadingNeeds(long second, boolean reads) {
    assertThat(isTime(Views.running("a", 180), second)).isEqualTo(reads);
  }

  @Test
  void readsAtOnceForAJobThatIsShorterThanReading() {
    assertThat(isTime(Views.running("a", 30), 0)).isTrue();
  }

  /** At 100 s, 2/3 done: 50 s are left by that, though 180 s were expected of it. */
  @ParameterizedTest
  @CsvSource({"0.5,false", "0.65,false", "0.66,true", "1,true", "0,false"})
  void progressTellsToo(double progress, boolean reads) {
    assertThat(isTime(Views.running("a", 180).at(progress), 100)).isEqualTo(reads);
  }

  /** 10 s at 15 % would be 57 s more, and at 19 % less than 52: both say nothing yet. */
  @Test
  void theFirstFifthOfProgressTellsNothing() {
    assertThat(isTime(Views.running("a", 180).at(0.19), 10)).isFalse();
    assertThat(isTime(Views.running("a", 180).at(0.2), 10)).isTrue();
  }

  /** As after a restart of swapgate: from 50 to 75 % in 60 s is 60 s for the rest. */
  @ParameterizedTest
  @CsvSource({"160,0.5,false", "160,0.69,false", "160,0.75,false", "160,0.8,true"})
  void progressCountsFromWhereItWasFirstSeen(long second, double progress, boolean reads) {
    assertThat(
            PrefetchRule.isTime(
                Views.running("a", 1000).at(progress).view(),
                new PrefetchRule.Seen(Duration.ofSeconds(100), 0.5),
                READING,
                new Now(Duration.ofSeconds(second), Instant.EPOCH)))
        .isEqualTo(reads);
  }

  @Test
  void aJumpAtTheBeginningTellsNothing() {
    assertThat(isTime(Views.running("a", 180).at(0.9), 5)).isFalse();
    assertThat(isTime(Views.running("a", 180).at(0.9), 6)).isTrue();
  }

  @Test
  void waitsForTheLastJobOfTheVisit() {
    Views last = Views.running("a", 180);
    assertThat(isTime(last.waiting(1, 180), 170)).as("one more of 180 s").isFalse();
    assertThat(isTime(last.waiting(1, 49), 170)).as("61 s until the engine").isFalse();
    assertThat(isTime(last.waiting(1, 48), 170)).as("60 s until the engine").isTrue();
    assertThat(isTime(last.waiting(3, 0), 170)).as("three that are not due").isTrue();
  }

  @Test
  void readsNothingWhileALeaseWillKeepTheCard() {
    assertThat(isTime(Views.running("a", 180).withLease(), 170)).isFalse();
  }

  @ParameterizedTest
  @EnumSource(value = Phase.class, mode = EnumSource.Mode.EXCLUDE, names = "RUNNING")
  void readsOnlyWhileAJobRuns(Phase phase) {
    assertThat(isTime(Views.running("a", 180).after(phase), 170)).isFalse();
  }

  @Test
  void aMediaServerWithoutAJobIsNoReason() {
    assertThat(isTime(Views.running("a", 180).after(Phase.RUNNING), 170)).isFalse();
  }
}

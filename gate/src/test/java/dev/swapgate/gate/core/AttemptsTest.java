package dev.swapgate.gate.core;

import static dev.swapgate.gate.core.Boxes.NOON;
import static dev.swapgate.gate.core.Boxes.VLLM;
import static dev.swapgate.gate.core.Boxes.at;
import static dev.swapgate.gate.core.Boxes.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.gate.core.Attempts.Attempt;
import dev.swapgate.gate.core.ContainerSighting.Run;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AttemptsTest {
  private static final Run FIRST = new Run("id-of-vllm", NOON);
  private static final Run NEXT = new Run("id-of-vllm", NOON.plusSeconds(50));
  private static final CommandEnd DONE = new CommandEnd.Done();
  private static final CommandEnd FAILED = new CommandEnd.Failed("no");
  private static final CommandEnd UNKNOWN = new CommandEnd.Unknown("no answer");

  private final Attempts attempts = new Attempts();

  /** Sent at 100 s, with 20 s for its end. */
  private Attempt send(Note.Verb verb, Optional<Run> run) {
    return attempts.send(VLLM, verb, run, seconds(10), seconds(20), at(100));
  }

  private void sent(Note.Verb verb, Optional<Run> run, CommandEnd end) {
    attempts.ended(send(verb, run).number(), end, at(110));
  }

  private void looked(ContainerSighting seen, long askedSeconds) {
    attempts.looked(
        VLLM,
        new Sightings.Look(seen, seconds(askedSeconds), seconds(askedSeconds).plusMillis(100)));
  }

  private static ContainerSighting running(Run run) {
    return Boxes.running(VLLM, run.startedAt());
  }

  private Attempt last(Note.Verb verb) {
    return attempts.last(VLLM, verb).orElseThrow();
  }

  @Nested
  class Noted {
    @Test
    void aCommandIsUnderWayUntilItsEnd() {
      Attempt stop = send(Note.Verb.STOP, Optional.of(FIRST));
      assertThat(attempts.underWay()).contains(stop);
      assertThat(stop.isUnderWay()).isTrue();
      assertThat(stop.deadline()).isEqualTo(seconds(120));

      Optional<Attempt> over = attempts.ended(stop.number(), DONE, at(105));
      assertThat(attempts.underWay()).isEmpty();
      assertThat(over).contains(last(Note.Verb.STOP));
      assertThat(over.orElseThrow().isUnderWay()).isFalse();
      assertThat(attempts.lastEnd(VLLM)).isEqualTo(seconds(105));
    }

    @Test
    void itsNoteSaysForWhichRunItWasMeantAndHowItEnded() {
      Attempt stop = send(Note.Verb.STOP, Optional.of(FIRST));
      assertThat(stop.note())
          .isEqualTo(
              new Note(
                  VLLM,
                  Note.Verb.STOP,
                  stop.number(),
                  Optional.of(FIRST),
                  NOON.plusSeconds(100),
                  Optional.empty()));

      attempts.ended(stop.number(), DONE, at(105));
      assertThat(last(Note.Verb.STOP).note().end()).contains(DONE);
    }

    @Test
    void aLateAnswerNeverChangesAResult() {
      Attempt stop = send(Note.Verb.STOP, Optional.of(FIRST));
      attempts.ended(stop.number(), UNKNOWN, at(120));

      assertThat(attempts.ended(stop.number(), DONE, at(121))).isEmpty();
      assertThat(last(Note.Verb.STOP).end()).contains(UNKNOWN);
    }

    @Test
    void theAnswerToAnOlderCommandDoesNotEndTheOneUnderWay() {
      Attempt stop = send(Note.Verb.STOP, Optional.of(FIRST));
      attempts.ended(stop.number(), UNKNOWN, at(120));
      Attempt kill = send(Note.Verb.KILL, Optional.of(FIRST));

      attempts.ended(stop.number(), DONE, at(121));
      assertThat(attempts.underWay()).contains(kill);
      assertThat(kill.number()).isGreaterThan(stop.number());
    }

    @Test
    void whatIsLearnedOfAnotherCommandLeavesTheOneUnderWay() {
      sent(Note.Verb.STOP, Optional.of(FIRST), UNKNOWN);
      Attempt start = send(Note.Verb.START, Optional.empty());

      looked(Boxes.down(VLLM), 111);
      assertThat(attempts.underWay()).contains(start);
    }

    @Test
    void theLastEndIsTheLatestOfAllVerbs() {
      assertThat(attempts.lastEnd(VLLM)).as("no look is too old").isNegative();
      attempts.ended(send(Note.Verb.START, Optional.empty()).number(), DONE, at(130));
      attempts.ended(send(Note.Verb.STOP, Optional.of(FIRST)).number(), DONE, at(120));
      send(Note.Verb.KILL, Optional.of(FIRST));

      assertThat(attempts.lastEnd(VLLM)).isEqualTo(seconds(130));
    }
  }

  /** DESIGN 2: at start-up a noted command without an end is unknown. */
  @Nested
  class Remembered {
    private Note note(Note.Verb verb, long number, Optional<CommandEnd> end) {
      return new Note(VLLM, verb, number, Optional.of(FIRST), NOON.plusSeconds(20), end);
    }

    @Test
    void aNotedCommandWithoutAnEndIsUnknown() {
      attempts.remember(
          List.of(note(Note.Verb.STOP, 7, Optional.empty())),
          id -> seconds(90),
          seconds(25),
          at(100));

      assertThat(attempts.isUnsettled(VLLM)).isTrue();
      assertThat(attempts.underWay()).isEmpty();
      assertThat(last(Note.Verb.STOP).end().orElseThrow()).isInstanceOf(CommandEnd.Unknown.class);
      assertThat(last(Note.Verb.STOP).grace()).isEqualTo(seconds(25));
      assertThat(last(Note.Verb.STOP).deadline()).isEqualTo(seconds(100));
    }

    @Test
    void aNotedStopCountsForTheRunItWasMeantFor() {
      attempts.remember(
          List.of(note(Note.Verb.STOP, 7, Optional.of(DONE))),
          id -> seconds(90),
          seconds(25),
          at(100));

      assertThat(attempts.wasOrderedDown(VLLM, FIRST)).isTrue();
      assertThat(attempts.wasOrderedDown(VLLM, NEXT)).isFalse();
    }

    @Test
    void aNotedStartIsNeitherOpenNorCountedAgain() {
      attempts.remember(
          List.of(note(Note.Verb.START, 7, Optional.of(DONE))),
          id -> seconds(90),
          seconds(25),
          at(100));

      assertThat(attempts.isUnsettled(VLLM)).isFalse();
      assertThat(last(Note.Verb.START).accounted()).isTrue();
    }

    @ParameterizedTest(name = "sent 80 s ago with a budget of {0} s: settled by looks until {1} s")
    @CsvSource({"90, 124, false", "90, 125, true", "60, 115, false", "60, 116, true"})
    void aNotedStartMayStillComeWithinItsBudget(long budget, long second, boolean settled) {
      attempts.remember(
          List.of(note(Note.Verb.START, 7, Optional.empty())),
          id -> seconds(budget),
          seconds(25),
          at(100));
      looked(Boxes.down(VLLM), 101);
      looked(Boxes.down(VLLM), second);

      assertThat(attempts.isUnsettled(VLLM)).isEqualTo(!settled);
    }

    @Test
    void numbersGoOnWhereTheEarlierProcessEnded() {
      attempts.remember(
          List.of(
              note(Note.Verb.STOP, 7, Optional.of(DONE)),
              note(Note.Verb.START, 3, Optional.of(DONE))),
          id -> seconds(90),
          seconds(25),
          at(100));

      assertThat(send(Note.Verb.KILL, Optional.of(FIRST)).number()).isEqualTo(8);
    }
  }

  @Nested
  class OrderedDown {
    @Test
    void aStopCountsHoweverItEnded() {
      assertThat(attempts.wasOrderedDown(VLLM, FIRST)).isFalse();
      sent(Note.Verb.STOP, Optional.of(FIRST), FAILED);
      assertThat(attempts.wasOrderedDown(VLLM, FIRST)).isTrue();
    }

    @Test
    void aKillCountsToo() {
      sent(Note.Verb.KILL, Optional.of(FIRST), UNKNOWN);
      assertThat(attempts.wasOrderedDown(VLLM, FIRST)).isTrue();
      assertThat(attempts.wasOrderedDown(VLLM, NEXT)).isFalse();
    }

    @Test
    void aStartDoesNot() {
      sent(Note.Verb.START, Optional.of(FIRST), DONE);
      assertThat(attempts.wasOrderedDown(VLLM, FIRST)).isFalse();
    }

    @ParameterizedTest(name = "started {0} s after the stop was sent: {1}")
    @CsvSource({"-10, true", "0, true", "1, false"})
    void aStopForAnUnseenRunCountsForTheRunsThatBeganBefore(long after, boolean counts) {
      sent(Note.Verb.STOP, Optional.empty(), UNKNOWN);
      Run run = new Run("id-of-vllm", NOON.plusSeconds(100 + after));
      assertThat(attempts.wasOrderedDown(VLLM, run)).isEqualTo(counts);
    }
  }

  /** DESIGN 2: "unknown stop": look until down; a newer StartedAt settles it, not before. */
  @Nested
  class SettlingAStop {
    @Test
    void isSettledOnceItIsSeenDown() {
      sent(Note.Verb.STOP, Optional.of(FIRST), UNKNOWN);
      looked(running(FIRST), 111);
      assertThat(attempts.isUnsettled(VLLM)).isTrue();

      looked(Boxes.down(VLLM), 112);
      assertThat(attempts.isUnsettled(VLLM)).isFalse();
    }

    @Test
    void aLookAskedBeforeItsEndSettlesNothing() {
      sent(Note.Verb.STOP, Optional.of(FIRST), UNKNOWN);
      looked(Boxes.down(VLLM), 110);
      assertThat(attempts.isUnsettled(VLLM)).isTrue();
    }

    @Test
    void isNotSettledWhileItsAnswerIsOut() {
      send(Note.Verb.STOP, Optional.of(FIRST));
      assertThat(attempts.isUnsettled(VLLM)).as("it is under way, not unknown").isFalse();
      looked(Boxes.down(VLLM), 111);
      assertThat(last(Note.Verb.STOP).settled()).isFalse();
    }

    @ParameterizedTest(name = "{0}, a newer run seen at {1} s: settled {2}")
    @CsvSource({
      "unknown, 119, false",
      "unknown, 120, false",
      "unknown, 121, true",
      "done,    119, true",
      "failed,  119, true"
    })
    void aNewerRunSettlesAnUnknownStopOnlyAfterItsDeadline(
        String end, long asked, boolean settled) {
      CommandEnd how = end.equals("unknown") ? UNKNOWN : end.equals("done") ? DONE : FAILED;
      sent(Note.Verb.STOP, Optional.of(FIRST), how);
      looked(running(NEXT), asked);
      assertThat(attempts.isUnsettled(VLLM)).isEqualTo(!settled);
    }

    @Test
    void theSameRunNeverSettlesIt() {
      sent(Note.Verb.KILL, Optional.of(FIRST), DONE);
      looked(running(FIRST), 500);
      assertThat(attempts.isUnsettled(VLLM)).isTrue();
    }
  }

  /** DESIGN 2: "unknown start": two looks must agree, on "down" 15 s apart. */
  @Nested
  class SettlingAStart {
    @Test
    void aKnownEndNeedsNoLook() {
      sent(Note.Verb.START, Optional.empty(), DONE);
      assertThat(attempts.isUnsettled(VLLM)).isFalse();
    }

    @Test
    void aFailedStartIsCertainToo() {
      sent(Note.Verb.START, Optional.empty(), FAILED);
      assertThat(attempts.isUnsettled(VLLM)).isFalse();
    }

    @ParameterizedTest(name = "down at 111 s and at {0} s: settled {1}")
    @CsvSource({"112, false", "126, false", "134, false", "135, true"})
    void downIsBelievedFifteenSecondsAfterDockerMayHaveTakenTheStartUp(
        long second, boolean settled) {
      sent(Note.Verb.START, Optional.empty(), UNKNOWN);
      looked(Boxes.down(VLLM), 111);
      assertThat(attempts.isUnsettled(VLLM)).isTrue();
      looked(Boxes.down(VLLM), second);
      assertThat(attempts.isUnsettled(VLLM)).isEqualTo(!settled);
    }

    @Test
    void runningIsBelievedWhenASecondLookAgrees() {
      sent(Note.Verb.START, Optional.empty(), UNKNOWN);
      looked(running(NEXT), 111);
      assertThat(attempts.isUnsettled(VLLM)).isTrue();
      looked(running(NEXT), 112);
      assertThat(attempts.isUnsettled(VLLM)).isFalse();
    }

    @Test
    void aStartIsOpenAgainWhenTheRunThatSettledItIsOverTooSoon() {
      sent(Note.Verb.START, Optional.empty(), UNKNOWN);
      looked(running(NEXT), 111);
      looked(running(NEXT), 112);
      looked(Boxes.down(VLLM), 113);
      assertThat(attempts.isUnsettled(VLLM)).isTrue();
      looked(Boxes.down(VLLM), 134);
      assertThat(attempts.isUnsettled(VLLM)).isTrue();
      looked(Boxes.down(VLLM), 135);
      assertThat(attempts.isUnsettled(VLLM)).isFalse();
    }

    @Test
    void theSecondLookMustBeAskedAfterTheFirstWasAnswered() {
      sent(Note.Verb.START, Optional.empty(), UNKNOWN);
      attempts.looked(VLLM, new Sightings.Look(running(NEXT), seconds(111), seconds(115)));
      attempts.looked(VLLM, new Sightings.Look(running(NEXT), seconds(114), seconds(116)));
      assertThat(attempts.isUnsettled(VLLM)).isTrue();

      attempts.looked(VLLM, new Sightings.Look(running(NEXT), seconds(115), seconds(117)));
      assertThat(attempts.isUnsettled(VLLM)).isFalse();
    }

    @Test
    void aLookThatDisagreesBeginsTheCountAnew() {
      sent(Note.Verb.START, Optional.empty(), UNKNOWN);
      looked(Boxes.down(VLLM), 111);
      looked(running(NEXT), 120);
      looked(Boxes.down(VLLM), 130);
      assertThat(attempts.isUnsettled(VLLM)).as("down only since 130 s").isTrue();
      looked(Boxes.down(VLLM), 145);
      assertThat(attempts.isUnsettled(VLLM)).isFalse();
    }

    @Test
    void itsFailureIsCountedOnce() {
      sent(Note.Verb.START, Optional.empty(), FAILED);
      assertThat(last(Note.Verb.START).accounted()).isFalse();
      attempts.account(VLLM);
      assertThat(last(Note.Verb.START).accounted()).isTrue();
      assertThat(last(Note.Verb.START).end()).contains(FAILED);
    }

    @Test
    void aLookKeepsWhatWasCounted() {
      sent(Note.Verb.START, Optional.empty(), UNKNOWN);
      attempts.account(VLLM);
      looked(running(NEXT), 111);
      assertThat(last(Note.Verb.START).accounted()).isTrue();
    }
  }

  /** DESIGN 4: ours if our last start precedes its StartedAt by less than the start budget. */
  @Nested
  class Ours {
    private boolean isOurs(long secondsAfterTheStart) {
      Instant startedAt = NOON.plusSeconds(100 + secondsAfterTheStart);
      return attempts.isOurs(VLLM, new Run("id-of-vllm", startedAt), seconds(60));
    }

    @Test
    void nothingIsOursThatWasNeverStarted() {
      assertThat(isOurs(1)).isFalse();
      sent(Note.Verb.STOP, Optional.empty(), DONE);
      assertThat(isOurs(1)).isFalse();
    }

    @ParameterizedTest(name = "{0} s after a start that was answered: {1}")
    @CsvSource({"-2, false", "-1, true", "0, true", "59, true", "60, false"})
    void aRunIsOursWithinTheStartBudget(long after, boolean ours) {
      sent(Note.Verb.START, Optional.empty(), DONE);
      assertThat(isOurs(after)).isEqualTo(ours);
    }

    @ParameterizedTest(name = "{0} s after a start whose end is unknown: {1}")
    @CsvSource({"-2, false", "-1, true", "59, true", "300, true"})
    void anUnknownStartIsOursWheneverItTakesEffect(long after, boolean ours) {
      sent(Note.Verb.START, Optional.empty(), UNKNOWN);
      assertThat(isOurs(after)).isEqualTo(ours);
    }
  }
}

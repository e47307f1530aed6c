package dev.swapgate.proxy.door;

import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.gate.core.GateEvent;
import dev.swapgate.gate.core.Now;
import dev.swapgate.gate.runtime.Gate.RefusedException;
import dev.swapgate.proxy.RecordedGate;
import dev.swapgate.proxy.RecordedStore;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When the card is taken, how long it is kept, and by whom. */
class DoorVisitTest {
  private static final Duration IDLE = Duration.ofMinutes(10);
  private static final Duration LONGEST_WORK = Duration.ofMinutes(30);

  private final RecordedGate gate = new RecordedGate(new RecordedStore());
  private Duration now = Duration.ofHours(1);
  private Optional<String> work = Optional.of("");
  private DoorVisit visit;

  @BeforeEach
  void asleep() {
    visit =
        new DoorVisit(
            gate,
            this::now,
            DoorViews.COMFYUI,
            new ServerWork(() -> work, Runnable::run, this::now, LONGEST_WORK),
            IDLE);
    gate.view = DoorViews.asleep();
  }

  private Now now() {
    return new Now(now, RecordedGate.THEN.plus(now));
  }

  /** As the door's timer does it, each second. */
  private void pass(Duration time) {
    for (long second = 0; second < time.toSeconds(); second++) {
      now = now.plusSeconds(1);
      visit.look();
    }
  }

  private void awakeFor(Duration keep) {
    visit.want(keep);
    gate.view = DoorViews.awake();
    visit.look();
    gate.asked.clear();
  }

  private boolean hasEnded() {
    return gate.asked.contains("release l7");
  }

  @Test
  void whoeverComesSharesOneLease() {
    visit.want(DoorVisit.SHORT);
    visit.want(IDLE);
    gate.view = DoorViews.coming();
    visit.look();
    visit.want(DoorVisit.SHORT);

    // 60 s, the way of 20 s that it took last time, and some slack.
    assertThat(gate.asked()).hasSize(2).startsWith("lease comfyui PT1M50S heartbeat=PT41S");
    assertThat(gate.asked().get(1)).startsWith("beat l7 PT10M");
    assertThat(visit.stand()).isEqualTo(new Stand.Coming());
  }

  @Test
  void aProgramsVisitEndsAMinuteAfterItsLastRequest() {
    awakeFor(DoorVisit.SHORT);
    pass(Duration.ofSeconds(50));
    visit.want(DoorVisit.SHORT);
    pass(Duration.ofSeconds(59));
    assertThat(hasEnded()).isFalse();

    pass(Duration.ofSeconds(1));

    assertThat(hasEnded()).isTrue();
  }

  @Test
  void aBrowsersVisitEndsWhenItHasBeenIdle() {
    awakeFor(IDLE);
    visit.want(DoorVisit.SHORT);
    pass(IDLE.minusSeconds(1));
    assertThat(hasEnded()).isFalse();

    pass(Duration.ofSeconds(1));

    assertThat(hasEnded()).isTrue();
  }

  /** However long its start took. */
  @Test
  void theTimeCountsFromWhenTheServerAnswers() {
    visit.want(DoorVisit.SHORT);
    visit.waits();
    gate.view = DoorViews.coming();
    pass(Duration.ofMinutes(5));
    visit.waitsNoMore();
    gate.view = DoorViews.awake();
    pass(Duration.ofSeconds(60));
    assertThat(hasEnded()).isFalse();

    pass(Duration.ofSeconds(1));

    assertThat(hasEnded()).isTrue();
  }

  @Test
  void aVisitThatNobodyWaitsForIsCalledOff() {
    visit.want(DoorVisit.SHORT);
    gate.view = DoorViews.coming();
    pass(Duration.ofSeconds(61));

    assertThat(hasEnded()).isTrue();
  }

  @Test
  void itGoesOnWhileTheServersQueueIsNotEmpty() {
    awakeFor(DoorVisit.SHORT);
    for (int render = 0; render < 40; render++) {
      work = Optional.of("render " + render);
      pass(Duration.ofMinutes(1));
    }
    // While it renders it may be too busy to answer.
    work = Optional.empty();
    pass(Duration.ofMinutes(1));
    assertThat(hasEnded()).isFalse();

    work = Optional.of("");
    pass(Duration.ofSeconds(66));

    assertThat(hasEnded()).isTrue();
  }

  @Test
  void aQueueThatStandsStillDoesNotKeepTheCard() {
    awakeFor(DoorVisit.SHORT);
    work = Optional.of("render 1");
    pass(LONGEST_WORK);
    assertThat(hasEnded()).isFalse();

    pass(Duration.ofMinutes(3));

    assertThat(hasEnded()).isTrue();
  }

  /** One that cannot tell whether it works is not taken to work. */
  @Test
  void aServerThatTellsNothingKeepsNothing() {
    work = Optional.empty();
    awakeFor(DoorVisit.SHORT);

    pass(Duration.ofSeconds(60));

    assertThat(hasEnded()).isTrue();
  }

  @Test
  void theGateHearsOfItOftenEnough() {
    awakeFor(IDLE);

    pass(Duration.ofMinutes(5));

    assertThat(gate.asked()).hasSizeBetween(29, 31).allMatch(one -> one.startsWith("beat l7"));
  }

  @Test
  void aLeaseTakenByHandIsLeftAsItIs() {
    gate.view = DoorViews.awakeForOther();
    visit.want(IDLE);
    pass(Duration.ofMinutes(1));
    assertThat(gate.asked()).isEmpty();

    gate.view = DoorViews.awakeWithoutLease();
    pass(Duration.ofSeconds(1));

    assertThat(gate.asked()).singleElement().asString().startsWith("lease comfyui");
  }

  @Test
  void aLeaseThatSomebodyMadeTheirOwnIsTheirs() {
    visit.want(IDLE);
    gate.view = DoorViews.awakeForOther();
    pass(Duration.ofMinutes(11));

    assertThat(gate.asked()).noneMatch(one -> one.startsWith("release"));
  }

  /** Whoever began it may still be there, and its work as well. */
  @Test
  void aVisitOfAnEarlierProcessGoesOn() {
    gate.view = DoorViews.awake();
    visit.look();
    assertThat(gate.asked()).containsExactly("beat l7 PT10M30S");

    pass(IDLE);

    assertThat(hasEnded()).isTrue();
  }

  @Test
  void whoLooksOnTakesNothing() {
    visit.prolong(IDLE);
    visit.look();

    assertThat(gate.asked()).isEmpty();
    assertThat(visit.stand()).isEqualTo(new Stand.Asleep());
  }

  @Test
  void aRefusalIsToldWithItsReason() {
    gate.refuses =
        Optional.of(
            new RefusedException(RefusedException.Kind.CONFLICT, "comfyui has no container"));
    visit.want(DoorVisit.SHORT);

    assertRefused("no_visit", "comfyui has no container", 170);
    pass(Duration.ofSeconds(6));
    assertThat(visit.stand()).isEqualTo(new Stand.Asleep());
  }

  @Test
  void aServerThatFailedIsLeftAloneUntilItsTime() {
    gate.view = DoorViews.aside(now.plusSeconds(75));

    assertRefused("set_aside", "it exited with code 1", 75);
    visit.want(DoorVisit.SHORT);
    assertThat(gate.asked()).isEmpty();

    now = now.plusSeconds(75);
    assertThat(visit.stand()).isEqualTo(new Stand.Asleep());
  }

  @Test
  void inMaintenanceNothingIsWoken() {
    gate.view = DoorViews.maintenance();

    visit.want(IDLE);

    assertRefused("maintenance", "in maintenance", 170);
    assertThat(gate.asked()).isEmpty();
  }

  @Test
  void whoWaitsHearsWhyTheVisitEndedAndItIsNotTakenAgain() {
    visit.want(IDLE);
    visit.waits();
    gate.view = DoorViews.coming();
    visit.look();
    visit.happened(
        new GateEvent(
            RecordedGate.THEN,
            GateEvent.Level.INFO,
            "lease",
            "l7 has ended: it was given back",
            "",
            ""));
    gate.view = DoorViews.asleep();
    gate.asked.clear();
    visit.look();

    assertRefused("visit_over", "it was given back", 170);
    visit.waitsNoMore();
    pass(Duration.ofMinutes(1));
    assertThat(gate.asked()).isEmpty();
  }

  private void assertRefused(String code, String why, int seconds) {
    assertThat(visit.stand())
        .isInstanceOfSatisfying(
            Stand.Refused.class,
            refused -> {
              assertThat(refused.error().status()).isEqualTo(503);
              assertThat(refused.error().code()).isEqualTo(code);
              assertThat(refused.error().message()).contains(why);
              assertThat(refused.error().retryAfterSeconds()).hasValue(seconds);
            });
  }
}

package dev.swapgate.gate.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.gate.core.Backend;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TurnstileTest {
  private static final Backend.Id VLLM = new Backend.Id("vllm");
  private static final Backend.Id NINFER = new Backend.Id("ninfer");

  private final AtomicInteger emptied = new AtomicInteger();
  private final Turnstile turnstile = new Turnstile(emptied::incrementAndGet);

  private Turnstile.Ticket entered() {
    return turnstile.enter().orElseThrow();
  }

  @Test
  void isShutAtFirst() {
    assertThat(turnstile.isOpen()).isFalse();
    assertThat(turnstile.openFor()).isEmpty();
    assertThat(turnstile.enter()).isEmpty();
    assertThat(turnstile.inside()).isZero();
  }

  @Test
  void letsChatInForTheEngineItIsOpenFor() {
    turnstile.open(VLLM);

    Turnstile.Ticket ticket = entered();

    assertThat(ticket.engine()).isEqualTo(VLLM);
    assertThat(turnstile.openFor()).contains(VLLM);
    assertThat(turnstile.inside()).isEqualTo(1);
  }

  @Test
  void letsNobodyInOnceShutButLetsThoseInsideFinish() {
    turnstile.open(VLLM);
    Turnstile.Ticket inside = entered();

    turnstile.shut();

    assertThat(turnstile.enter()).isEmpty();
    assertThat(turnstile.openFor()).isEmpty();
    assertThat(turnstile.inside()).isEqualTo(1);
    assertThat(inside.engine()).isEqualTo(VLLM);
  }

  @Test
  void countsEveryOpeningAsAnEpoch() {
    turnstile.open(VLLM);
    long first = entered().epoch();
    turnstile.open(VLLM);
    long again = entered().epoch();
    turnstile.shut();
    turnstile.open(VLLM);
    long second = entered().epoch();
    turnstile.open(NINFER);
    Turnstile.Ticket third = entered();

    assertThat(again).as("open already for that engine").isEqualTo(first);
    assertThat(List.of(second, third.epoch())).containsExactly(first + 1, first + 2);
    assertThat(third.engine()).isEqualTo(NINFER);
    assertThat(turnstile.inside()).isEqualTo(4);
  }

  @Test
  void keepsATicketGoodForItsOwnEngineAfterAnotherOpening() {
    turnstile.open(VLLM);
    Turnstile.Ticket old = entered();
    turnstile.shut();
    turnstile.open(NINFER);

    assertThat(old.engine()).isEqualTo(VLLM);
    old.leave();
    assertThat(turnstile.inside()).isZero();
    assertThat(emptied).as("left while it was open").hasValue(0);
  }

  @Test
  void takesATicketBackOnce() {
    turnstile.open(VLLM);
    Turnstile.Ticket twice = entered();
    Turnstile.Ticket other = entered();

    twice.leave();
    twice.leave();

    assertThat(turnstile.inside()).isEqualTo(1);
    other.leave();
    assertThat(turnstile.inside()).isZero();
  }

  @Test
  void tellsOnceWhenTheLastOneLeftAShutTurnstile() {
    turnstile.open(VLLM);
    Turnstile.Ticket first = entered();
    Turnstile.Ticket last = entered();
    turnstile.shut();
    turnstile.shut();

    first.leave();
    assertThat(emptied).hasValue(0);
    last.leave();
    last.leave();
    first.leave();

    assertThat(emptied).hasValue(1);
  }

  @Test
  void tellsNothingWhileItIsOpenOrWhenItIsShutEmpty() {
    turnstile.open(VLLM);
    entered().leave();
    turnstile.shut();
    turnstile.enter();

    assertThat(emptied).hasValue(0);
    assertThat(turnstile.inside()).as("the gate looks for itself after it shut").isZero();
  }

  /** Goal: in a storm, each shutting is answered once, and no ticket is lost or counted twice. */
  @Test
  void losesNobodyInAStorm() throws Exception {
    int rounds = 200;
    int callers = 4;
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int round = 0; round < rounds; round++) {
        CountDownLatch empty = new CountDownLatch(1);
        Turnstile storm = new Turnstile(empty::countDown);
        storm.open(VLLM);
        Turnstile.Ticket gate = storm.enter().orElseThrow();
        CountDownLatch shut = new CountDownLatch(1);
        List<Future<Integer>> entered = new ArrayList<>();
        for (int caller = 0; caller < callers; caller++) {
          entered.add(threads.submit(() -> enterAndLeaveUntilRefused(storm, shut)));
        }

        storm.shut();
        shut.countDown();
        gate.leave();

        assertThat(empty.await(10, TimeUnit.SECONDS)).as("told that it is empty").isTrue();
        for (Future<Integer> each : entered) {
          assertThat(each.get(10, TimeUnit.SECONDS)).as("entered after it was shut").isZero();
        }
        assertThat(storm.inside()).isZero();
      }
    }
  }

  private static int enterAndLeaveUntilRefused(Turnstile turnstile, CountDownLatch shut)
      throws InterruptedException {
    for (Optional<Turnstile.Ticket> ticket = turnstile.enter();
        ticket.isPresent();
        ticket = turnstile.enter()) {
      ticket.get().leave();
    }
    shut.await();
    return turnstile.enter().isPresent() ? 1 : 0;
  }
}

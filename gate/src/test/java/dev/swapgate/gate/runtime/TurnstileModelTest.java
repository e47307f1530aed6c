package dev.swapgate.gate.runtime;

import dev.swapgate.gate.core.Backend;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Goal: whatever the threads' steps are interleaved to, the turnstile answers as if every call had
 * happened at one moment. So nobody enters after it was shut, nobody enters for an engine that is
 * no longer the one it is open for, and the count is the number of tickets that are out.
 *
 * <p>Chat enters and leaves in three threads; the gate, one caller at a time, opens and shuts.
 */
public final class TurnstileModelTest {
  private static final int THREADS = 3;

  private final AtomicInteger emptied = new AtomicInteger();
  private final Turnstile turnstile = new Turnstile(emptied::incrementAndGet);
  private final Turnstile.Ticket[] held = new Turnstile.Ticket[THREADS + 2];
  private int openings;
  private int mayEmpty;
  private boolean mustEmpty;
  private int emptiedBefore;

  public TurnstileModelTest() {
    open();
  }

  @Operation
  public String enter(@Param(gen = ThreadIdGen.class) int thread) {
    if (held[thread] != null) {
      return "inside already";
    }
    Optional<Turnstile.Ticket> ticket = turnstile.enter();
    held[thread] = ticket.orElse(null);
    return told(ticket);
  }

  private static String told(Optional<Turnstile.Ticket> ticket) {
    return ticket.map(given -> given.engine() + " " + given.epoch()).orElse("refused");
  }

  @Operation
  public boolean leave(@Param(gen = ThreadIdGen.class) int thread) {
    Turnstile.Ticket ticket = held[thread];
    if (ticket == null) {
      return false;
    }
    held[thread] = null;
    ticket.leave();
    ticket.leave();
    return true;
  }

  /** A whole stay: what an observer could tell apart is only how it was let in. */
  @Operation
  public String visit() {
    Optional<Turnstile.Ticket> ticket = turnstile.enter();
    ticket.ifPresent(Turnstile.Ticket::leave);
    return told(ticket);
  }

  @Operation
  public void count() {
    int inside = turnstile.inside();
    if (inside < 0 || inside > 2 * THREADS) {
      throw new IllegalStateException(inside + " inside");
    }
  }

  /** As the gate does it: never from one engine to another without shutting in between. */
  @Operation(nonParallelGroup = "gate")
  public void open() {
    if (!turnstile.isOpen()) {
      openings++;
      turnstile.open(new Backend.Id("engine" + openings % 2));
      mustEmpty = false;
    }
  }

  /** As the gate does it: shut, then look whether anybody is to be waited for. */
  @Operation(nonParallelGroup = "gate")
  public void shut() {
    mayEmpty += turnstile.isOpen() ? 1 : 0;
    turnstile.shut();
    if (!mustEmpty) {
      emptiedBefore = emptied.get();
      mustEmpty = turnstile.inside() > 0;
    }
  }

  @Validate
  public void countsTheTicketsThatAreOutAndTellsWhenTheLastOneLeft() {
    int out = 0;
    for (Turnstile.Ticket ticket : held) {
      out += ticket == null ? 0 : 1;
    }
    if (turnstile.inside() != out) {
      throw new IllegalStateException(turnstile.inside() + " inside, " + out + " tickets out");
    }
    if (emptied.get() > mayEmpty) {
      throw new IllegalStateException(
          "told empty " + emptied + " times, shut at most " + mayEmpty + " times");
    }
    if (mustEmpty && out == 0 && emptied.get() == emptiedBefore) {
      throw new IllegalStateException("the gate waits for the last to leave and was never told");
    }
  }

  @Test
  @Timeout(120)
  void answersAsIfEveryCallHappenedAtOneMoment() {
    options().iterations(8).check(TurnstileModelTest.class);
  }

  /** The one that chance seldom draws: two leave while it is being shut. */
  @Test
  @Timeout(120)
  void tellsOnceWhenTwoLeaveWhileItIsShut() throws NoSuchMethodException {
    options().iterations(0).addCustomScenario(twoLeaveWhileItIsShut()).check(getClass());
  }

  private static ModelCheckingOptions options() {
    return new ModelCheckingOptions()
        .invocationsPerIteration(500)
        .threads(THREADS)
        .actorsBefore(1)
        .actorsPerThread(3)
        .actorsAfter(0);
  }

  private static ExecutionScenario twoLeaveWhileItIsShut() throws NoSuchMethodException {
    Actor visit = actor("visit");
    return new ExecutionScenario(
        List.of(),
        List.of(List.of(visit), List.of(visit), List.of(actor("shut"))),
        List.of(),
        actor("countsTheTicketsThatAreOutAndTellsWhenTheLastOneLeft"));
  }

  private static Actor actor(String method) throws NoSuchMethodException {
    return new Actor(TurnstileModelTest.class.getMethod(method), List.of());
  }
}

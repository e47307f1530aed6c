package dev.swapgate.proxy.clients;

import dev.swapgate.gate.core.Now;
import dev.swapgate.gate.core.StepTimes.Sample;
import dev.swapgate.proxy.chat.Door;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * Calls of one client, begun at random moments of random swaps: how many of them get an answer.
 *
 * @param calls how many were begun
 * @param answered how many the engine answered in the end
 * @param requests how many requests they took
 */
record Survival(int calls, int answered, int requests) {
  private static final int SWAPS = 500;
  private static final int CALLS_PER_SWAP = 20;

  /**
   * What is tried.
   *
   * @param restore how long the engine usually takes from its start to ready
   * @param spread how far a step's time lies from its usual one at most, as a share
   * @param learned whether the gate has seen one such swap before
   */
  record Trial(Duration tailHold, Duration restore, double spread, boolean learned, long seed) {}

  static Survival of(ModelledClient client, Trial trial) {
    Random random = new Random(trial.seed());
    Door door = new Door(client.path(), trial.tailHold());
    int answered = 0;
    int requests = 0;
    for (int i = 0; i < SWAPS; i++) {
      List<Sample> known = trial.learned() ? course(trial, random).samples() : List.<Sample>of();
      SwapCourse swap = course(trial, random);
      for (int j = 0; j < CALLS_PER_SWAP; j++) {
        Duration begun = Duration.ofMillis((long) (random.nextDouble() * swap.length().toMillis()));
        Call call = call(client, door, swap, known, begun);
        answered += call.answered() ? 1 : 0;
        requests += call.requests();
      }
    }
    return new Survival(SWAPS * CALLS_PER_SWAP, answered, requests);
  }

  private static SwapCourse course(Trial trial, Random random) {
    return new SwapCourse(trial.restore(), trial.spread(), random);
  }

  double share() {
    return (double) answered / calls;
  }

  double requestsPerCall() {
    return (double) requests / calls;
  }

  private record Call(boolean answered, int requests) {}

  private static Call call(
      ModelledClient client, Door door, SwapCourse swap, List<Sample> known, Duration begun) {
    Duration time = begun;
    for (int requests = 1; ; requests++) {
      if (time.compareTo(swap.length()) >= 0) {
        return new Call(true, requests);
      }
      Duration hold = door.hold(swap.outlook(time, known), SwapCourse.at(time));
      Duration silence = min(hold, client.patience());
      if (swap.length().minus(time).compareTo(silence) <= 0) {
        return new Call(true, requests);
      }
      time = time.plus(silence);
      Now now = SwapCourse.at(time);
      boolean left = hold.compareTo(client.patience()) >= 0;
      Optional<Duration> wait =
          left
              ? client.rule().next(requests, RetryRule.TIMED_OUT, 0)
              : client
                  .rule()
                  .next(requests, door.status(), door.retryAfter(swap.outlook(time, known), now));
      if (wait.isEmpty()) {
        return new Call(false, requests);
      }
      time = time.plus(wait.get());
    }
  }

  private static Duration min(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}

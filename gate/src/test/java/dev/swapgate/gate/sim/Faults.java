package dev.swapgate.gate.sim;

import java.util.SplittableRandom;

/**
 * How bad one schedule's world is: for each kind of fault the chance that it strikes where it can.
 * Drawn from the seed, so that some worlds are bad in one way only and some in all.
 */
record Faults(
    double commandFails,
    double replyLost,
    double commandHangs,
    double lateEffect,
    double lookFails,
    double lookSlow,
    double probeFlaps,
    double exitsAtOnce,
    double diesPerMinute,
    double neverReady,
    double storeFails,
    double serverLosesReply,
    double jobErrors,
    double handPerMinute,
    double crashPerMinute,
    double outagePerMinute,
    double strangerPerMinute,
    double clockJumpPerMinute) {

  static Faults none() {
    return new Faults(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  }

  static Faults draw(SplittableRandom random) {
    double badness = random.nextDouble(0.2, 1.0);
    return new Faults(
        some(random, 0.15 * badness),
        some(random, 0.15 * badness),
        some(random, 0.10 * badness),
        some(random, 0.15 * badness),
        some(random, 0.10 * badness),
        some(random, 0.10 * badness),
        some(random, 0.20 * badness),
        some(random, 0.10 * badness),
        some(random, 0.10 * badness),
        some(random, 0.05 * badness),
        some(random, 0.10 * badness),
        some(random, 0.15 * badness),
        some(random, 0.15 * badness),
        some(random, 0.30 * badness),
        some(random, 0.20 * badness),
        some(random, 0.05 * badness),
        some(random, 0.05 * badness),
        some(random, 0.05 * badness));
  }

  private static double some(SplittableRandom random, double most) {
    return random.nextInt(3) == 0 ? 0 : random.nextDouble(most / 4, most);
  }
}

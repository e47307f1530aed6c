package dev.swapgate.gate.core;

import java.time.Duration;
import java.util.Optional;

/**
 * How long to wait between two probes of a backend that is not ready yet: short where it may become
 * ready now, so that nobody waits for chat that is there, and long where asking would only disturb
 * its loading.
 */
public final class ProbePace {

  /** Seen later than this, a first pass would be felt. */
  public static final Duration LEAST = Duration.ofMillis(50);

  /** Between passes: a second one at once would prove nothing. As far apart as the card is read. */
  public static final Duration BETWEEN_PASSES = CardWatch.INTERVAL;

  /** Waiting adds at most so much to a load: a hundredth. */
  private static final int SHARE = 100;

  /** Around the learned time, a twentieth to either side: loads of one machine vary by about it. */
  private static final int NEAR_SHARE = 20;

  private static final Duration NEAR = Duration.ofSeconds(1);

  private ProbePace() {}

  /**
   * The wait after a probe.
   *
   * @param passes passes in a row so far
   * @param loading for how long it has been starting
   * @param learned how long it usually takes; empty when not known
   * @param interval the longest wait
   */
  public static Duration pause(
      int passes, Duration loading, Optional<Duration> learned, Duration interval) {
    Duration wanted = passes > 0 ? BETWEEN_PASSES : beforeOne(loading, learned);
    return Durations.min(wanted, interval);
  }

  private static Duration beforeOne(Duration loading, Optional<Duration> learned) {
    boolean near = learned.filter(usual -> isNear(loading, usual)).isPresent();
    return near ? LEAST : Durations.max(LEAST, loading.dividedBy(SHARE));
  }

  private static boolean isNear(Duration loading, Duration usual) {
    Duration margin = Durations.max(NEAR, usual.dividedBy(NEAR_SHARE));
    return loading.minus(usual).abs().compareTo(margin) <= 0;
  }
}

package dev.swapgate.gate.core;

import java.time.Duration;
import java.util.Optional;

/**
 * When the batch engine serves in the selected one's place: between visits, while media work keeps
 * coming and the selected engine is the slower one to load. A selected engine that is up is never
 * replaced by it, and it goes once no media work was seen for {@code batch_quiet}. Pure.
 */
final class BatchEngineRule {

  private BatchEngineRule() {}

  /** The batch engine, where it is to serve now. */
  static Optional<Engine> serves(Situation s, Now now) {
    return s.box()
        .batchEngine()
        .filter(id -> !id.equals(s.selected()))
        .flatMap(s.box()::engine)
        .filter(
            batch -> s.sightings().isDown(s.selected()) && isFit(s, batch) && isFaster(s, batch))
        .filter(batch -> keepsComing(s, batch, now));
  }

  /** One that failed is left alone until it was quiet again. */
  private static boolean isFit(Situation s, Engine batch) {
    return s.restores().failures(batch.id()) == 0
        && s.sightings().missingSince(batch.id()).isEmpty();
  }

  /** Its owner says so by naming it, unless both are known and it is not. */
  private static boolean isFaster(Situation s, Engine batch) {
    RetryAfterEstimator estimator = s.estimator();
    Duration slow = estimator.restore(s.box().engine(s.selected()).orElseThrow());
    Duration fast = estimator.restore(batch);
    return slow.isZero() || fast.compareTo(slow) < 0;
  }

  private static boolean keepsComing(Situation s, Engine batch, Now now) {
    if (s.jobs().queued().stream().anyMatch(job -> OwnerPolicy.isWaiting(s, job, now))) {
      return true;
    }
    if (!s.sightings().isDown(batch.id())) {
      return quietAt(s).filter(at -> now.steady().compareTo(at) < 0).isPresent();
    }
    // On the way home from a visit that began soon after the one before it.
    return s.lastJobEnd().isPresent()
        && s.lastVisit().isPresent()
        && s.swap()
            .filter(swap -> swap.since().compareTo(s.lastVisit().get().plus(quiet(s))) < 0)
            .isPresent();
  }

  /** Steady time at which the media work seen so far is long enough ago; empty: none was seen. */
  static Optional<Duration> quietAt(Situation s) {
    return s.lastJobEnd().map(Situation.JobEnd::at).or(s::lastVisit).map(at -> at.plus(quiet(s)));
  }

  private static Duration quiet(Situation s) {
    return s.box().policy().batchQuiet();
  }
}

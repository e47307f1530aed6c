package dev.swapgate.backends.prefetch;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.GateView;
import dev.swapgate.gate.core.Now;
import dev.swapgate.gate.core.Phase;
import java.time.Duration;

/**
 * When the selected engine's files are read: in the last part of the last job of a visit. Pure.
 *
 * <p>The engine comes next when no job waits and no lease is held, or when all that lies between
 * this job's end and the engine's start is short. The last part has begun when what is left of the
 * job is no more than reading needs: by what was learned of such jobs, with nothing learned by the
 * backend's {@code generation}; or by its progress, once {@value #TELLING} of it were seen to be
 * done. Too early costs some memory for some seconds, too late only the gain.
 */
final class PrefetchRule {

  /** Further jobs, stop and release together, before the engine is started. */
  private static final Duration SOON = Duration.ofMinutes(1);

  /** Of progress: less tells more of the workflow's beginning than of its end. */
  private static final double TELLING = 0.2;

  /** Nodes whose results are kept are done at once. */
  private static final Duration GLANCE = Duration.ofSeconds(5);

  /** Steps differ from run to run by some 10 %, and a rest of a second costs nothing. */
  private static final double MARGIN = 1.25;

  private static final Duration LEAST = Duration.ofSeconds(2);

  private PrefetchRule() {}

  /**
   * Since when a job is watched: another swapgate may have begun it.
   *
   * @param steady when it was first seen to run
   * @param progress how far it had come then
   */
  record Seen(Duration steady, double progress) {
    static Seen of(GateView view, Now now) {
      return new Seen(now.steady(), PrefetchRule.progress(view));
    }
  }

  /**
   * @param seen when the job of the view was first seen
   * @param reading how long reading will take
   */
  static boolean isTime(GateView view, Seen seen, Duration reading, Now now) {
    Duration lead = LEAST.plusMillis(Math.round(reading.toMillis() * MARGIN));
    return isRunning(view)
        && engineIsNext(view)
        && (isWithin(lead, byTheClock(view, now)) || isWithin(lead, byProgress(view, seen, now)));
  }

  /** Whether a job has the card. */
  static boolean isRunning(GateView view) {
    return view.phase() == Phase.RUNNING && view.work().isPresent();
  }

  private static boolean engineIsNext(GateView view) {
    return view.leases().isEmpty()
        && (view.queued() == 0
            || isWithin(SOON, view.outlook().later().minus(restore(view, view.selected()))));
  }

  private static Duration restore(GateView view, Backend.Id engine) {
    return view.engines().stream()
        .filter(one -> one.id().equals(engine))
        .flatMap(one -> one.lastReady().stream())
        .findFirst()
        .orElse(Duration.ZERO);
  }

  private static Duration byTheClock(GateView view, Now now) {
    return view.outlook().stepExpected().minus(now.steady().minus(view.outlook().stepStarted()));
  }

  private static Duration byProgress(GateView view, Seen seen, Now now) {
    Duration watched = now.steady().minus(seen.steady());
    double done = progress(view) - seen.progress();
    double left = 1 - progress(view);
    return done < TELLING || isWithin(GLANCE, watched)
        ? Duration.ofDays(1)
        : Duration.ofMillis(Math.round(watched.toMillis() * left / done));
  }

  private static double progress(GateView view) {
    return view.work().map(work -> work.progress().orElse(0)).orElse(0.0);
  }

  private static boolean isWithin(Duration limit, Duration length) {
    return length.compareTo(limit) <= 0;
  }
}

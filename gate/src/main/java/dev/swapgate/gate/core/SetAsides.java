package dev.swapgate.gate.core;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Media backends whose visits failed: each is set aside for a while, so that chat does not pay for
 * it again and again. Not thread-safe; belongs to the gate's loop.
 */
public final class SetAsides {

  /** How long after the first, second and any later failed visit in a row (DESIGN 4). */
  private static final List<Duration> WAITS =
      List.of(Duration.ofMinutes(1), Duration.ofMinutes(5), Duration.ofMinutes(15));

  /** Visits in a row that fail before its jobs fail too. */
  public static final int VISITS = 3;

  private record Aside(int inARow, Duration until, String reason) {}

  private final Map<Backend.Id, Aside> asides = new HashMap<>();

  /** A visit failed by the backend's fault; returns how many did in a row. */
  public int failed(Backend.Id media, String reason, Now now) {
    Aside before = asides.get(media);
    int inARow = before == null ? 1 : before.inARow() + 1;
    Duration wait = WAITS.get(Math.min(inARow, WAITS.size()) - 1);
    asides.put(media, new Aside(inARow, now.steady().plus(wait), reason));
    return inARow;
  }

  public void succeeded(Backend.Id media) {
    asides.remove(media);
  }

  public boolean isAside(Backend.Id media, Now now) {
    Aside aside = asides.get(media);
    return aside != null && now.steady().compareTo(aside.until()) < 0;
  }

  /** Steady time until which it is set aside; zero when it is not. */
  public Duration until(Backend.Id media) {
    Aside aside = asides.get(media);
    return aside == null ? Duration.ZERO : aside.until();
  }

  /** How it is told while it lasts. */
  public Optional<GateView.Aside> view(Backend.Id media, Now now) {
    return isAside(media, now)
        ? Optional.of(new GateView.Aside(until(media), reason(media)))
        : Optional.empty();
  }

  public String reason(Backend.Id media) {
    Aside aside = asides.get(media);
    return aside == null ? "" : aside.reason();
  }
}

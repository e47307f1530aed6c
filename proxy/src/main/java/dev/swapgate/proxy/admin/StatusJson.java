package dev.swapgate.proxy.admin;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.GateView;
import dev.swapgate.gate.core.Now;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** {@code GET status} on the wire (DESIGN 8). */
record StatusJson(
    String phase,
    @Nullable String owner,
    String selected,
    boolean chatOpen,
    String reason,
    @Nullable Swap swap,
    int inside,
    int held,
    Jobs jobs,
    @Nullable Work work,
    List<One> engines,
    List<One> media,
    Card card,
    Host host,
    List<Map<String, Object>> fallback,
    String version) {

  /**
   * The swap under way.
   *
   * @param leftSeconds what is left of it by expectation: not clamped, as Retry-After is
   */
  record Swap(String since, long elapsedSeconds, int retryAfterSeconds, long leftSeconds) {}

  /** The job that runs; null progress is one that is not told. */
  record Work(String job, String backend, @Nullable Double progress) {
    static Work of(GateView.Work work) {
      return new Work(
          work.job().value(),
          work.backend().value(),
          work.progress().isPresent() ? work.progress().getAsDouble() : null);
    }
  }

  record Jobs(int queued, int running) {}

  record One(
      String name,
      String container,
      String state,
      boolean ready,
      @Nullable Long lastReadySeconds,
      boolean leasable) {
    static One of(GateView.BackendView view) {
      return new One(
          view.id().value(),
          view.container(),
          view.state(),
          view.ready(),
          view.lastReady().map(Duration::toSeconds).orElse(null),
          view.leasable());
    }
  }

  record Card(String name, @Nullable Long totalMib, @Nullable Long freeMib, String source) {}

  record Host(@Nullable Long memoryFreeMib) {}

  static StatusJson of(GateView view, int retryAfterSeconds, Now now, Surroundings around) {
    return new StatusJson(
        view.phase().word(),
        view.owner().map(Backend.Id::value).orElse(null),
        view.selected().value(),
        view.chatOpen(),
        view.reason(),
        view.swap()
            .map(
                swap ->
                    new Swap(
                        swap.since().toString(),
                        Math.max(0, now.steady().minus(swap.sinceSteady()).toSeconds()),
                        retryAfterSeconds,
                        view.outlook().left(now).toSeconds()))
            .orElse(null),
        view.inside(),
        around.held(),
        new Jobs(view.queued(), view.running()),
        view.work().map(Work::of).orElse(null),
        view.engines().stream().map(One::of).toList(),
        view.media().stream().map(One::of).toList(),
        new Card(
            around.cardName(),
            known(view.card().totalMib()),
            known(view.card().freeMib()),
            view.card().source()),
        new Host(orNull(around.memoryFreeMib())),
        around.fallback(),
        around.version());
  }

  private static @Nullable Long known(long mib) {
    return mib < 0 ? null : mib;
  }

  private static @Nullable Long orNull(OptionalLong mib) {
    return mib.isPresent() ? mib.getAsLong() : null;
  }
}

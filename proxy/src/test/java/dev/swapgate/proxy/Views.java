package dev.swapgate.proxy;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.GateView;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.Outlook;
import dev.swapgate.gate.core.Phase;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Views of a box with vllm and comfyui, for those who only look on. */
public final class Views {

  private Views() {}

  /** Chat is served. */
  public static GateView open() {
    return of(Phase.SERVING, "vllm", true, Optional.empty(), Duration.ZERO, "chat is open", 100);
  }

  /** In a swap that began after so many seconds and was expected to last so long. */
  public static GateView swap(Phase phase, String owner, long began, long expected, long free) {
    return of(
        phase,
        owner,
        false,
        Optional.of(
            new GateView.Swap(RecordedGate.THEN.plusSeconds(began), Duration.ofSeconds(began))),
        Duration.ofSeconds(expected),
        "a job of comfyui runs",
        free);
  }

  /** A job of comfyui runs, and has come so far. */
  public static GateView working(String job, double progress) {
    GateView view = swap(Phase.RUNNING, "comfyui", 0, 180, 20000);
    return new GateView(
        view.phase(),
        view.owner(),
        view.selected(),
        view.chatOpen(),
        view.reason(),
        view.refusal(),
        view.swap(),
        view.outlook(),
        view.inside(),
        view.queued(),
        1,
        view.engines(),
        view.media(),
        view.leases(),
        view.card(),
        view.dockerReachable(),
        Optional.of(
            new GateView.Work(
                new Job.Id(job), new Backend.Id("comfyui"), OptionalDouble.of(progress))));
  }

  /** No engine can be brought back. */
  public static GateView degraded(String reason) {
    return of(
        Phase.DEGRADED,
        "vllm",
        false,
        Optional.of(new GateView.Swap(RecordedGate.THEN, Duration.ZERO)),
        Duration.ZERO,
        reason,
        -1);
  }

  private static GateView of(
      Phase phase,
      String owner,
      boolean open,
      Optional<GateView.Swap> swap,
      Duration expected,
      String reason,
      long free) {
    return new GateView(
        phase,
        Optional.of(new Backend.Id(owner)),
        new Backend.Id("vllm"),
        open,
        reason,
        phase == Phase.DEGRADED ? GateView.Refusal.DEGRADED : GateView.Refusal.RATE_LIMIT,
        swap,
        new Outlook(
            expected,
            swap.map(GateView.Swap::sinceSteady).orElse(Duration.ZERO),
            Duration.ZERO,
            Duration.ofSeconds(30),
            Duration.ofSeconds(900)),
        2,
        3,
        0,
        List.of(backend("vllm", open)),
        List.of(backend("comfyui", false)),
        List.of(),
        new GateView.CardView(free < 0 ? -1 : 32607, free, free < 0 ? "unknown" : "nvidia-smi"),
        true);
  }

  private static GateView.BackendView backend(String id, boolean ready) {
    return new GateView.BackendView(
        new Backend.Id(id), id, ready ? "ready" : "down", ready, Optional.empty(), false);
  }
}

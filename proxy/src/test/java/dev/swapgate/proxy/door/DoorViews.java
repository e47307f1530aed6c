package dev.swapgate.proxy.door;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.GateView;
import dev.swapgate.gate.core.LeaseTerms;
import dev.swapgate.gate.core.Outlook;
import dev.swapgate.gate.core.Phase;
import dev.swapgate.proxy.RecordedGate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** How the gate stands, as a door looks at it. */
final class DoorViews {
  static final Backend.Id COMFYUI = new Backend.Id("comfyui");
  private static final Backend.Id VLLM = new Backend.Id("vllm");
  private static final List<GateView.LeaseView> NONE = List.of();

  private DoorViews() {}

  static GateView asleep() {
    return view(Phase.SERVING, VLLM, "down", NONE, Optional.empty());
  }

  /** On the way to the card by the door's own lease. */
  static GateView coming() {
    return view(Phase.DRAINING, COMFYUI, "down", ours(), Optional.empty());
  }

  static GateView awake() {
    return view(Phase.RUNNING, COMFYUI, "ready", ours(), Optional.empty());
  }

  /** It runs for a job. */
  static GateView awakeWithoutLease() {
    return view(Phase.RUNNING, COMFYUI, "ready", NONE, Optional.empty());
  }

  /** It runs because somebody leased it by hand. */
  static GateView awakeForOther() {
    return view(Phase.RUNNING, COMFYUI, "ready", lease("hand", LeaseTerms.PLAIN), Optional.empty());
  }

  static GateView aside(Duration until) {
    return view(
        Phase.SERVING,
        VLLM,
        "down",
        NONE,
        Optional.of(new GateView.Aside(until, "it exited with code 1")));
  }

  static GateView maintenance() {
    return view(Phase.MAINTENANCE, VLLM, "down", NONE, Optional.empty());
  }

  private static List<GateView.LeaseView> ours() {
    return lease("l7", DoorVisit.TERMS);
  }

  private static List<GateView.LeaseView> lease(String id, LeaseTerms terms) {
    return List.of(
        new GateView.LeaseView(id, "comfyui", RecordedGate.THEN.plusSeconds(600), false, terms));
  }

  private static GateView view(
      Phase phase,
      Backend.Id owner,
      String state,
      List<GateView.LeaseView> leases,
      Optional<GateView.Aside> aside) {
    boolean open = phase == Phase.SERVING;
    return new GateView(
        phase,
        Optional.of(owner),
        VLLM,
        open,
        open ? "chat is open" : "2 answers of <vllm> may finish",
        GateView.Refusal.RATE_LIMIT,
        Optional.empty(),
        new Outlook(
            Duration.ZERO,
            Duration.ZERO,
            Duration.ofSeconds(125),
            Duration.ofSeconds(30),
            Duration.ofSeconds(900)),
        2,
        3,
        0,
        List.of(),
        List.of(
            new GateView.BackendView(
                COMFYUI,
                "comfy-box",
                state,
                state.equals("ready"),
                Optional.of(Duration.ofSeconds(20)),
                true,
                aside)),
        leases,
        new GateView.CardView(32607, 100, "nvidia-smi"),
        true);
  }
}

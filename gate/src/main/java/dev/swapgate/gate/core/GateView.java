package dev.swapgate.gate.core;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How the gate stands, as one immutable value. It informs; nobody may act on it as if it still
 * held.
 *
 * @param owner the backend that should hold the card now; empty for nobody
 * @param reason one sentence for people: why it is so
 * @param refusal how chat is refused while it is not open
 * @param swap the swap under way, if any
 * @param outlook when chat is expected to be open again
 * @param work the job that runs, if any
 */
public record GateView(
    Phase phase,
    Optional<Backend.Id> owner,
    Backend.Id selected,
    boolean chatOpen,
    String reason,
    Refusal refusal,
    Optional<Swap> swap,
    Outlook outlook,
    int inside,
    int queued,
    int running,
    List<BackendView> engines,
    List<BackendView> media,
    List<LeaseView> leases,
    CardView card,
    boolean dockerReachable,
    Optional<Work> work) {
  public GateView {
    engines = List.copyOf(engines);
    media = List.copyOf(media);
    leases = List.copyOf(leases);
  }

  /** Without a job that runs. */
  public GateView(
      Phase phase,
      Optional<Backend.Id> owner,
      Backend.Id selected,
      boolean chatOpen,
      String reason,
      Refusal refusal,
      Optional<Swap> swap,
      Outlook outlook,
      int inside,
      int queued,
      int running,
      List<BackendView> engines,
      List<BackendView> media,
      List<LeaseView> leases,
      CardView card,
      boolean dockerReachable) {
    this(
        phase,
        owner,
        selected,
        chatOpen,
        reason,
        refusal,
        swap,
        outlook,
        inside,
        queued,
        running,
        engines,
        media,
        leases,
        card,
        dockerReachable,
        Optional.empty());
  }

  /**
   * The job that runs.
   *
   * @param progress in [0, 1]; empty while its server tells none
   */
  public record Work(Job.Id job, Backend.Id backend, OptionalDouble progress) {}

  /** The swap under way. */
  public record Swap(Instant since, Duration sinceSteady) {}

  /** How a request is refused. */
  public enum Refusal {
    /** 429: the card is away and comes back. */
    RATE_LIMIT,
    /** 503 {@code degraded}: the engine cannot be brought back for now; still trying. */
    DEGRADED,
    /** 503 {@code stopped_by_hand}: the owner of the box stopped the engine. */
    STOPPED_BY_HAND
  }

  /**
   * One backend.
   *
   * @param state {@code missing down starting running ready paused stopping unknown}
   * @param lastReady how long it last took from its start to ready
   * @param leasable whether the card can be leased to it
   * @param aside present while it gets no visit, because the last one failed
   */
  public record BackendView(
      Backend.Id id,
      String container,
      String state,
      boolean ready,
      Optional<Duration> lastReady,
      boolean leasable,
      Optional<Aside> aside) {

    /** One that is not set aside. */
    public BackendView(
        Backend.Id id,
        String container,
        String state,
        boolean ready,
        Optional<Duration> lastReady,
        boolean leasable) {
      this(id, container, state, ready, lastReady, leasable, Optional.empty());
    }
  }

  /**
   * A media backend that is set aside.
   *
   * @param until steady time of its end
   */
  public record Aside(Duration until, String reason) {}

  /** One lease. */
  public record LeaseView(
      String id, String backend, Instant until, boolean byHand, LeaseTerms terms) {}

  /**
   * The card's memory as last read.
   *
   * @param totalMib −1 when unknown
   * @param freeMib −1 when unknown
   * @param source {@code nvidia-smi} or {@code unknown}
   */
  public record CardView(long totalMib, long freeMib, String source) {}
}

package dev.swapgate.gate.runtime;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.GateView;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobRequest;
import dev.swapgate.gate.core.JobTerms;
import dev.swapgate.gate.core.LeaseTerms;
import dev.swapgate.gate.port.GateListener;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * What the street side may ask of the gate. All methods are thread-safe and return at once; a stage
 * completes when the gate has decided and what must be on disk is there, or fails with {@link
 * RefusedException}.
 */
public interface Gate {

  Turnstile turnstile();

  /** How the gate stands; informs only. */
  GateView view();

  /** What a refused client is told now, in [min, max] of the configuration. */
  int retryAfterSeconds();

  /**
   * Accepts jobs, all of them or none: completes once they are on disk. A known key gives the jobs
   * it belongs to.
   *
   * @return one answer for each job, in their order
   */
  CompletionStage<List<Accepted>> submit(Handed handed);

  /** As {@link #submit(Handed)}, for one job on plain terms. */
  default CompletionStage<Accepted> submit(
      Backend.Id backend,
      JobRequest request,
      Optional<When> when,
      Optional<String> idempotencyKey) {
    return submit(new Handed(backend, List.of(request), when, JobTerms.PLAIN, idempotencyKey))
        .thenApply(List::getFirst);
  }

  /** Cancels a job; completes once that is noted. A job that ended already is refused. */
  CompletionStage<Job> cancel(Job.Id job);

  /** Makes this engine the one that is restored. Completes once it is remembered. */
  CompletionStage<GateView> select(Backend.Id engine);

  /**
   * Hands the card to a media backend, or to nobody.
   *
   * @param backend empty for nobody ({@code lease none})
   */
  CompletionStage<GateView.LeaseView> lease(
      Optional<Backend.Id> backend, Duration length, LeaseTerms terms);

  /**
   * A lease is still wanted: puts the end of its heartbeat off, never its own end.
   *
   * @param length how long it is to last from now; empty: its end stays
   */
  CompletionStage<GateView.LeaseView> beat(String lease, Optional<Duration> length);

  /** Ends a lease. */
  CompletionStage<GateView> release(String lease);

  CompletionStage<GateView> maintenance(boolean on);

  /** Adds a listener; it hears of what happens from now on. */
  void listen(GateListener listener);

  /**
   * What is handed in together.
   *
   * @param requests one for each job, at least one
   * @param terms for all of them; the name of a batch is given by the gate
   */
  record Handed(
      Backend.Id backend,
      List<JobRequest> requests,
      Optional<When> when,
      JobTerms terms,
      Optional<String> idempotencyKey) {
    public Handed {
      requests = List.copyOf(requests);
      if (requests.isEmpty()) {
        throw new IllegalArgumentException("nothing was handed in");
      }
    }
  }

  /** When a job is due. */
  record When(Instant notBefore) {}

  /**
   * A job that was accepted.
   *
   * @param position 1 for the next one
   * @param startsIn until its run begins, as far as is known
   * @param outage how long chat is expected to wait for it
   */
  record Accepted(Job job, int position, Duration startsIn, Duration outage) {}

  /** Why something that was asked will not be done; nothing was changed by asking. */
  final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The kinds of refusal. */
    public enum Kind {
      /** No such backend, job or lease. */
      NOT_FOUND,
      /** What was asked can never be done. */
      INVALID,
      /** It clashes with how things stand. */
      CONFLICT,
      /** A limit of the configuration is reached. */
      FULL,
      /** The disk would not take it. */
      STORAGE
    }

    private final Kind kind;

    public RefusedException(Kind kind, String message) {
      super(message);
      this.kind = kind;
    }

    public Kind kind() {
      return kind;
    }
  }
}

package dev.swapgate.proxy;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.GateEvent;
import dev.swapgate.gate.core.GateView;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobRequest;
import dev.swapgate.gate.core.JobTerms;
import dev.swapgate.gate.core.LeaseTerms;
import dev.swapgate.gate.core.Outlook;
import dev.swapgate.gate.core.Phase;
import dev.swapgate.gate.port.GateListener;
import dev.swapgate.gate.runtime.Gate;
import dev.swapgate.gate.runtime.Turnstile;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;

/** A gate that notes what it is asked and answers as it is told. */
public final class RecordedGate implements Gate {
  public static final Instant THEN = Instant.parse("2026-11-30T10:00:00Z");

  private final Turnstile turnstile = new Turnstile(() -> {});
  private final List<GateListener> listeners = new CopyOnWriteArrayList<>();
  public final List<String> asked = new CopyOnWriteArrayList<>();
  public final List<JobRequest> requests = new CopyOnWriteArrayList<>();
  public final List<JobTerms> terms = new CopyOnWriteArrayList<>();
  public final RecordedStore store;
  public volatile GateView view = during();
  public volatile Optional<RefusedException> refuses = Optional.empty();

  public RecordedGate(RecordedStore store) {
    this.store = store;
  }

  /** A swap that has run for ten of its seconds. */
  public static GateView during() {
    return new GateView(
        Phase.RUNNING,
        Optional.of(new Backend.Id("comfyui")),
        new Backend.Id("vllm"),
        false,
        "a job of comfyui runs",
        GateView.Refusal.RATE_LIMIT,
        Optional.of(new GateView.Swap(THEN, Duration.ofSeconds(5))),
        new Outlook(
            Duration.ofSeconds(180),
            Duration.ofSeconds(5),
            Duration.ZERO,
            Duration.ofSeconds(30),
            Duration.ofSeconds(900)),
        0,
        2,
        1,
        List.of(
            new GateView.BackendView(
                new Backend.Id("vllm"),
                "vllm-box",
                "down",
                false,
                Optional.of(Duration.ofSeconds(480)),
                false)),
        List.of(
            new GateView.BackendView(
                new Backend.Id("comfyui"), "comfyui", "ready", true, Optional.empty(), true)),
        List.of(
            new GateView.LeaseView(
                "l1", "comfyui", THEN.plusSeconds(1800), true, LeaseTerms.PLAIN)),
        new GateView.CardView(32607, 107, "nvidia-smi"),
        true);
  }

  public void tell(GateEvent event) {
    listeners.forEach(listener -> listener.happened(event));
  }

  public void tellChanged() {
    listeners.forEach(listener -> listener.changed(view));
  }

  private <T> CompletionStage<T> answer(String what, T value) {
    asked.add(what);
    return refuses
        .<CompletionStage<T>>map(CompletableFuture::failedStage)
        .orElseGet(() -> CompletableFuture.completedStage(value));
  }

  @Override
  public Turnstile turnstile() {
    return turnstile;
  }

  @Override
  public GateView view() {
    return view;
  }

  @Override
  public int retryAfterSeconds() {
    return 170;
  }

  @Override
  public CompletionStage<List<Accepted>> submit(Handed handed) {
    List<Accepted> answers = new ArrayList<>();
    for (JobRequest request : handed.requests()) {
      requests.add(request);
      Job job = job("j" + requests.size(), handed);
      if (refuses.isEmpty()) {
        store.insert(job, request, handed.idempotencyKey().orElse(""));
      }
      answers.add(new Accepted(job, 3, Duration.ofMillis(1500), Duration.ofSeconds(240)));
    }
    terms.add(handed.terms());
    return answer(
        "submit "
            + handed.backend()
            + " when="
            + handed.when().map(When::notBefore)
            + " key="
            + handed.idempotencyKey(),
        answers);
  }

  private static Job job(String name, Handed handed) {
    return new Job(
        new Job.Id(name),
        handed.backend(),
        "shape",
        Job.State.QUEUED,
        0,
        Optional.empty(),
        THEN,
        handed.when().map(When::notBefore),
        Optional.empty(),
        Optional.empty(),
        "",
        List.of(),
        handed.requests().size() > 1 ? handed.terms().inBatch(new Job.Id("b-1")) : handed.terms());
  }

  @Override
  public CompletionStage<Job> cancel(Job.Id job) {
    return answer(
        "cancel " + job,
        store.job(job).orElseThrow().ended(Job.State.CANCELLED, "cancelled", List.of(), THEN));
  }

  @Override
  public CompletionStage<GateView> select(Backend.Id engine) {
    return answer("select " + engine, view);
  }

  @Override
  public CompletionStage<GateView.LeaseView> lease(
      Optional<Backend.Id> backend, Duration length, LeaseTerms terms) {
    String name = backend.map(Backend.Id::value).orElse("none");
    return answer(
        "lease "
            + name
            + " "
            + length
            + terms.heartbeat().map(one -> " heartbeat=" + one).orElse("")
            + (terms.yields() ? " yields" : ""),
        new GateView.LeaseView("l7", name, THEN.plus(length), false, terms));
  }

  @Override
  public CompletionStage<GateView.LeaseView> beat(String lease, Optional<Duration> length) {
    return answer(
        "beat " + lease + length.map(one -> " " + one).orElse(""),
        new GateView.LeaseView(
            lease, "comfyui", THEN.plus(length.orElse(Duration.ZERO)), false, LeaseTerms.PLAIN));
  }

  @Override
  public CompletionStage<GateView> release(String lease) {
    return answer("release " + lease, view);
  }

  @Override
  public CompletionStage<GateView> maintenance(boolean on) {
    return answer("maintenance " + on, view);
  }

  @Override
  public void listen(GateListener listener) {
    listeners.add(listener);
  }

  /** What was asked so far. */
  public List<String> asked() {
    return new ArrayList<>(asked);
  }
}

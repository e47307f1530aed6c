package dev.swapgate.proxy.chat;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.GateView;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.LeaseTerms;
import dev.swapgate.gate.core.Outlook;
import dev.swapgate.gate.core.Phase;
import dev.swapgate.gate.port.GateListener;
import dev.swapgate.gate.runtime.Gate;
import dev.swapgate.gate.runtime.SteadyClock;
import dev.swapgate.gate.runtime.Turnstile;
import dev.swapgate.gate.runtime.TurnstileControl;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;

/** A gate whose turnstile the test turns. */
final class FakeGate implements Gate {
  static final Backend.Id ENGINE = new Backend.Id("vllm");

  private final SteadyClock clock;
  private final List<GateListener> listeners = new CopyOnWriteArrayList<>();
  final CompletableFuture<Void> emptied = new CompletableFuture<>();
  private final Turnstile turnstile = new Turnstile(() -> emptied.complete(null));
  volatile GateView.Refusal refusal = GateView.Refusal.RATE_LIMIT;
  volatile String reason = "a media job runs";
  volatile Duration left = Duration.ofSeconds(174);

  FakeGate(SteadyClock clock) {
    this.clock = clock;
  }

  void open() {
    TurnstileControl.open(turnstile, ENGINE.value());
  }

  void shut() {
    TurnstileControl.shut(turnstile);
  }

  void cut(int retryAfterSeconds) {
    listeners.forEach(listener -> listener.cut(ENGINE, retryAfterSeconds));
  }

  @Override
  public Turnstile turnstile() {
    return turnstile;
  }

  @Override
  public GateView view() {
    boolean open = turnstile.isOpen();
    return new GateView(
        open ? Phase.SERVING : Phase.RUNNING,
        Optional.of(ENGINE),
        ENGINE,
        open,
        reason,
        refusal,
        Optional.empty(),
        new Outlook(
            left,
            clock.now().steady(),
            Duration.ZERO,
            Duration.ofSeconds(30),
            Duration.ofMinutes(15)),
        turnstile.inside(),
        0,
        0,
        List.of(),
        List.of(),
        List.of(),
        new GateView.CardView(-1, -1, "unknown"),
        true);
  }

  @Override
  public int retryAfterSeconds() {
    return view().outlook().retryAfterSeconds(clock.now());
  }

  @Override
  public void listen(GateListener listener) {
    listeners.add(listener);
  }

  @Override
  public CompletionStage<List<Accepted>> submit(Handed handed) {
    throw new UnsupportedOperationException("chat submits no jobs");
  }

  @Override
  public CompletionStage<Job> cancel(Job.Id job) {
    throw new UnsupportedOperationException("chat cancels no jobs");
  }

  @Override
  public CompletionStage<GateView> select(Backend.Id engine) {
    throw new UnsupportedOperationException("chat selects no engine");
  }

  @Override
  public CompletionStage<GateView.LeaseView> lease(
      Optional<Backend.Id> backend, Duration length, LeaseTerms terms) {
    throw new UnsupportedOperationException("chat takes no lease");
  }

  @Override
  public CompletionStage<GateView.LeaseView> beat(String lease, Optional<Duration> length) {
    throw new UnsupportedOperationException("chat takes no lease");
  }

  @Override
  public CompletionStage<GateView> release(String lease) {
    throw new UnsupportedOperationException("chat ends no lease");
  }

  @Override
  public CompletionStage<GateView> maintenance(boolean on) {
    throw new UnsupportedOperationException("chat keeps its hands off");
  }
}

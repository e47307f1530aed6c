package dev.swapgate.proxy.chat;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.port.GateListener;
import dev.swapgate.gate.runtime.Gate;
import dev.swapgate.gate.runtime.SteadyClock;
import dev.swapgate.gate.runtime.Turnstile;
import dev.swapgate.proxy.forward.ResponseHead;
import dev.swapgate.proxy.forward.UpstreamAddress;
import dev.swapgate.proxy.forward.UpstreamPool;
import dev.swapgate.proxy.http.ErrorAnswer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.xnio.XnioIoThread;

/**
 * The way from the turnstile to the engines: takes a ticket, forwards, and ends what still runs
 * when the gate's drain is over. Thread-safe; never waits for the gate's thread, nor blocks it.
 */
final class EngineProxy implements GateListener, Passage.House {

  private final Gate gate;
  private final SteadyClock clock;
  private final ModelsCache models;
  private final Duration writeStall;
  private final Map<Backend.Id, UpstreamAddress> addresses;
  private volatile Map<Backend.Id, ModelNames> names;
  private final UpstreamPool pool = new UpstreamPool();
  private final Set<Passage> under = ConcurrentHashMap.newKeySet();

  EngineProxy(Gate gate, SteadyClock clock, ChatSettings settings, ModelsCache models) {
    this.gate = gate;
    this.clock = clock;
    this.models = models;
    this.writeStall = settings.limits().writeStall();
    this.addresses =
        settings.engines().entrySet().stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    Map.Entry::getKey, e -> UpstreamAddress.of(e.getValue().url())));
    this.names = names(settings);
  }

  private static Map<Backend.Id, ModelNames> names(ChatSettings settings) {
    return settings.engines().entrySet().stream()
        .filter(e -> !e.getValue().models().isEmpty())
        .collect(
            Collectors.toUnmodifiableMap(
                Map.Entry::getKey, e -> new ModelNames(e.getValue().models())));
  }

  /** The names of models apply from the next request on. */
  void reconfigure(ChatSettings settings) {
    names = names(settings);
  }

  /**
   * Forwards a request if the turnstile lets it in.
   *
   * @return false: it is shut, and nothing was done
   */
  boolean enter(ChatRequest request) {
    Passage passage = new Passage(this, request);
    // Known before it enters, so that a cut cannot fall between the two.
    under.add(passage);
    Optional<Turnstile.Ticket> ticket = gate.turnstile().enter();
    if (ticket.isEmpty()) {
      under.remove(passage);
      return false;
    }
    begin(passage, request, ticket.get());
    return true;
  }

  private void begin(Passage passage, ChatRequest request, Turnstile.Ticket ticket) {
    UpstreamAddress address = addresses.get(ticket.engine());
    if (address == null) {
      under.remove(passage);
      ticket.leave();
      throw new IllegalStateException("no address is configured for engine " + ticket.engine());
    }
    passage.admit(ticket);
    ModelNames renaming = names.get(ticket.engine());
    if (renaming == null || !renaming.concerns(request)) {
      passage.begin(address);
      return;
    }
    // Reading through megabytes of JSON is no work for an I/O thread.
    XnioIoThread thread = request.exchange().getIoThread();
    thread
        .getWorker()
        .execute(
            () -> {
              renaming.rename(request.body());
              thread.execute(() -> passage.begin(address));
            });
  }

  @Override
  public void cut(Backend.Id engine, int retryAfterSeconds) {
    for (Passage passage : under) {
      passage.thread().execute(() -> passage.cut(engine, retryAfterSeconds));
    }
  }

  @Override
  public SteadyClock clock() {
    return clock;
  }

  @Override
  public UpstreamPool pool() {
    return pool;
  }

  @Override
  public boolean isOpen() {
    return gate.turnstile().isOpen();
  }

  @Override
  public ErrorAnswer refusal(Profile profile) {
    return Refusal.of(gate.view(), gate.retryAfterSeconds(), profile);
  }

  @Override
  public Duration writeStall() {
    return writeStall;
  }

  @Override
  public AnswerCopy copyOf(ChatRequest request, Backend.Id engine, ResponseHead head) {
    return models.copyOf(request, engine, head);
  }

  @Override
  public void left(Passage passage) {
    under.remove(passage);
  }
}

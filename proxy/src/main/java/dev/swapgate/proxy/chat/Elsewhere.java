package dev.swapgate.proxy.chat;

import dev.swapgate.gate.core.GateView;
import dev.swapgate.gate.runtime.SteadyClock;
import dev.swapgate.proxy.fallback.Fallback;
import dev.swapgate.proxy.fallback.FallbackSettings.When;
import io.undertow.util.Headers;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The way to the fallback providers while the turnstile is shut. Thread-safe; never waits for a
 * provider, nor blocks an I/O thread.
 */
final class Elsewhere implements FallbackPassage.House {

  private final Supplier<Fallback> fallback;
  private final SteadyClock clock;
  private final Duration writeStall;
  private final BooleanSupplier open;
  private final Set<FallbackPassage> under = ConcurrentHashMap.newKeySet();

  /**
   * @param fallback the present one; asked for each request, so that it can be replaced
   */
  Elsewhere(
      Supplier<Fallback> fallback, SteadyClock clock, Duration writeStall, BooleanSupplier open) {
    this.fallback = fallback;
    this.clock = clock;
    this.writeStall = writeStall;
    this.open = open;
  }

  /**
   * Tries a provider if this request may go to one.
   *
   * @param declined called later on the I/O thread when nothing came of it and the client has
   *     nothing yet
   * @return false: it may not, and nothing was done
   */
  boolean begin(ChatRequest request, GateView view, Consumer<Declined> declined) {
    Fallback to = fallback.get();
    if (!to.concerns(request.client(), when(view), request.method(), request.path())
        || !isJson(request)
        || request.exchange().getRequestHeaders().contains(Fallback.ONWARD)
        || !to.enter()) {
      return false;
    }
    FallbackPassage passage = new FallbackPassage(this, to, request, declined);
    under.add(passage);
    passage.begin();
    return true;
  }

  private static When when(GateView view) {
    return switch (view.refusal()) {
      case RATE_LIMIT -> When.DURING_SWAP;
      case DEGRADED -> When.DEGRADED;
      case STOPPED_BY_HAND -> When.STOPPED_BY_HAND;
    };
  }

  private static boolean isJson(ChatRequest request) {
    String type = request.exchange().getRequestHeaders().getFirst(Headers.CONTENT_TYPE);
    return request.body().size() > 0
        && type != null
        && type.toLowerCase(Locale.ROOT).contains("json");
  }

  /** Ends visibly what is still under way; swapgate stops. */
  void stop() {
    for (FallbackPassage passage : under) {
      try {
        passage.thread().execute(passage::stop);
      } catch (RejectedExecutionException e) {
        // The listener is closed, and every connection with it.
        return;
      }
    }
  }

  @Override
  public SteadyClock clock() {
    return clock;
  }

  @Override
  public boolean isOpen() {
    return open.getAsBoolean();
  }

  @Override
  public Duration writeStall() {
    return writeStall;
  }

  @Override
  public void left(FallbackPassage passage) {
    under.remove(passage);
  }
}

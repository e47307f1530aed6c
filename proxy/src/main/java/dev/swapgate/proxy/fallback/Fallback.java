package dev.swapgate.proxy.fallback;

import dev.swapgate.gate.core.Now;
import dev.swapgate.proxy.fallback.FallbackCounters.Local;
import dev.swapgate.proxy.fallback.FallbackSettings.When;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleSupplier;

/**
 * All of a configuration's {@code fallback}: the pool, the way to its members, what was counted.
 * One object, which lives as long as its part of the configuration. Thread-safe.
 */
public final class Fallback implements AutoCloseable {

  private final FallbackSettings settings;
  private final ProviderPool pool;
  private final ProviderClient client = new ProviderClient();
  private final FallbackCounters counters = new FallbackCounters();
  private final AtomicInteger inFlight = new AtomicInteger();

  public Fallback(FallbackSettings settings) {
    this(settings, () -> ThreadLocalRandom.current().nextDouble());
  }

  /**
   * @param chance from 0 to below 1: picks members by weight, and lengthens cooldowns
   */
  public Fallback(FallbackSettings settings, DoubleSupplier chance) {
    this.settings = settings;
    this.pool = new ProviderPool(settings.providers(), settings.byWeight(), chance);
  }

  public FallbackSettings settings() {
    return settings;
  }

  public FallbackCounters counters() {
    return counters;
  }

  /** Whether such a request goes elsewhere while the turnstile is shut for this reason. */
  public boolean concerns(String profile, When when, String method, String path) {
    return settings.isOn()
        && settings.allows(profile, when)
        && method.equals("POST")
        && settings.providers().stream().anyMatch(one -> one.paths().contains(path));
  }

  /** Takes a place among the requests that are with providers; {@link #leave} gives it back. */
  public boolean enter() {
    if (inFlight.incrementAndGet() <= settings.inFlight()) {
      return true;
    }
    inFlight.decrementAndGet();
    counters.notSent(Local.FULL);
    return false;
  }

  public void leave() {
    inFlight.decrementAndGet();
  }

  /** Requests that are with providers now. */
  public int inFlight() {
    return inFlight.get();
  }

  /**
   * The calls for one request.
   *
   * @param model the client's name of it; empty when it names none
   */
  public Attempts attempts(String path, Optional<String> model) {
    return new Attempts(pool, client, counters, settings.tries(), path, model);
  }

  /** Ends the cooldown that has this key; false when there is none. */
  public boolean clear(String key, Now now) {
    return pool.clear(key, now.steady());
  }

  /** Each provider as {@code GET status} shows it. */
  public List<Map<String, Object>> status(Now now) {
    return new FallbackStatus(pool.cooling(now.steady()), counters.calls(), now)
        .of(settings.providers());
  }

  /** Hangs up on all providers. */
  @Override
  public void close() {
    client.close();
  }
}

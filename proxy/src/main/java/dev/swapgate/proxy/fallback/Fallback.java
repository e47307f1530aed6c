package dev.swapgate.proxy.fallback;

import dev.swapgate.gate.core.Now;
import dev.swapgate.proxy.fallback.FallbackCounters.Local;
import dev.swapgate.proxy.fallback.FallbackSettings.When;
import java.util.LinkedHashMap;
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

  /**
   * Goes along with each request. Who has it sends it nowhere else: two boxes that are each other's
   * fallback would pass it to and fro.
   */
  public static final String ONWARD = "X-Swapgate-Fallback";

  private static final List<Verdict.Kind> FAILURES =
      List.of(Verdict.Kind.LIMIT, Verdict.Kind.FAULT, Verdict.Kind.GONE);

  private final FallbackSettings settings;
  private final DoubleSupplier chance;
  private final ProviderPool pool;
  private final ProviderClient client = new ProviderClient();
  private final FallbackCounters counters;
  private final AtomicInteger inFlight = new AtomicInteger();

  public Fallback(FallbackSettings settings) {
    this(settings, () -> ThreadLocalRandom.current().nextDouble());
  }

  /**
   * @param chance from 0 to below 1: picks members by weight, and lengthens cooldowns
   */
  public Fallback(FallbackSettings settings, DoubleSupplier chance) {
    this(settings, chance, new FallbackCounters());
  }

  private Fallback(FallbackSettings settings, DoubleSupplier chance, FallbackCounters counters) {
    this.settings = settings;
    this.chance = chance;
    this.counters = counters;
    this.pool = new ProviderPool(settings.providers(), settings.byWeight(), chance);
  }

  /**
   * What takes its place when the configuration has changed: it goes on counting, and knows what is
   * set aside of the providers that are as they were.
   */
  public Fallback successor(FallbackSettings next) {
    Fallback successor = new Fallback(next, chance, counters);
    successor.pool.adopt(pool);
    return successor;
  }

  /** Takes no new calls; those under way come to their end. */
  public void retire() {
    client.retire();
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

  /**
   * How many things are set aside.
   *
   * @param kind {@code limit}, {@code fault} or {@code gone}
   */
  public record Aside(String provider, String kind) {}

  /** What is set aside now, counted; each provider has all its kinds. */
  public Map<Aside, Integer> aside(Now now) {
    Map<Aside, Integer> counts = new LinkedHashMap<>();
    for (Provider provider : settings.providers()) {
      for (Verdict.Kind kind : FAILURES) {
        counts.put(new Aside(provider.name(), kind.word()), 0);
      }
    }
    for (Cooldown one : pool.cooling(now.steady())) {
      counts.merge(new Aside(one.key().provider(), one.kind().word()), 1, Integer::sum);
    }
    return counts;
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

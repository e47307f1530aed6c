package dev.swapgate.proxy.fallback;

import dev.swapgate.gate.core.Now;
import dev.swapgate.proxy.fallback.FallbackCounters.Local;
import dev.swapgate.proxy.http.Field;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The calls to providers for one request, one after the other: the one owner of retries. Not
 * thread-safe.
 */
public final class Attempts {

  private static final Logger LOG = LoggerFactory.getLogger(Attempts.class);

  private final ProviderPool pool;
  private final ProviderClient client;
  private final FallbackCounters counters;
  private final int most;
  private final String path;
  private final Optional<String> model;
  private final Set<CooldownKey> tried = new HashSet<>();
  private int made;
  private Duration began = Duration.ZERO;

  Attempts(
      ProviderPool pool,
      ProviderClient client,
      FallbackCounters counters,
      int most,
      String path,
      Optional<String> model) {
    this.pool = pool;
    this.client = client;
    this.counters = counters;
    this.most = most;
    this.path = path;
    this.model = model;
  }

  /** Whether anything was sent. */
  public boolean isMade() {
    return made > 0;
  }

  /** The member to ask next. */
  public Selection next(Now now) {
    Selection next = made >= most ? new Selection.Nobody() : pool.choose(path, model, tried, now);
    if (made == 0) {
      switch (next) {
        case Selection.Cooling cooling -> counters.notSent(Local.COOLING);
        case Selection.Nobody nobody -> counters.notSent(Local.NOT_SERVED);
        case Selection.Chosen chosen -> {}
      }
    }
    return next;
  }

  /**
   * Sends the request.
   *
   * @param body in parts, which must not change any more
   */
  public ProviderCall call(
      Choice choice,
      List<Field> headers,
      List<ByteBuffer> body,
      ProviderCall.Receiver receiver,
      Now now) {
    made++;
    began = now.steady();
    return client.call(choice, path, headers, body, receiver);
  }

  /** Learns how the last call ended, and says what it means. */
  public Verdict ended(Choice choice, ProviderEnd end, Now now) {
    Verdict verdict = pool.report(choice, end, began, now);
    counters.called(choice.provider(), verdict.kind().word());
    if (verdict.isFailure()) {
      tried.add(choice.covered(verdict.cover()));
      LOG.atLevel(verdict.isNews() ? Level.WARN : Level.DEBUG)
          .log(
              "event=fallback_{} cooldown={} provider={} why=\"{}\" seconds={}",
              verdict.kind().word(),
              choice.covered(verdict.cover()).text(),
              choice.provider().name(),
              verdict.why(),
              verdict.length().toSeconds());
    }
    return verdict;
  }

  /** The client left before the call had ended: nothing is learned of the provider. */
  public void left(Choice choice) {
    counters.called(choice.provider(), "left");
  }
}

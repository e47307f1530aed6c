package dev.swapgate.proxy.metrics;

import dev.swapgate.gate.core.GateView;
import java.util.List;

/** What is read at each scrape. Must be cheap and thread-safe. */
public interface Readings {

  GateView view();

  /** Requests that are held silently now. */
  int held();

  /** How many requests were answered by whom, and how, since the start. */
  List<Answered> answered();

  /** Calls to fallback providers, and requests for which none was made; none without them. */
  default List<Elsewhere> fallback() {
    return List.of();
  }

  /** What is set aside now: a provider, or a key or model of it. */
  default List<Aside> aside() {
    return List.of();
  }

  /**
   * A count of calls, or of requests for which nothing was sent.
   *
   * @param provider empty: swapgate itself refused
   * @param end how calls ended; else why nothing was sent
   */
  record Elsewhere(String provider, String end, long count) {}

  /**
   * How many things of a provider are set aside.
   *
   * @param kind {@code limit}, {@code fault} or {@code gone}
   */
  record Aside(String provider, String kind, int count) {}

  /**
   * A count of answers.
   *
   * @param by {@code gate}, {@code engine:name} or {@code fallback:name}
   * @param code the status, or {@code gone}, {@code cut}, {@code broken} for what did not come to
   *     its end
   */
  record Answered(String by, String code, long requests) {}
}

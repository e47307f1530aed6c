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

  /**
   * A count of answers.
   *
   * @param by {@code gate}, {@code engine:name} or {@code fallback:name}
   * @param code the status, or {@code gone}, {@code cut}, {@code broken} for what did not come to
   *     its end
   */
  record Answered(String by, String code, long requests) {}
}

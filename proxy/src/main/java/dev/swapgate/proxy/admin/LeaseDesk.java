package dev.swapgate.proxy.admin;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.GateView;
import dev.swapgate.gate.core.LeaseTerms;
import dev.swapgate.gate.runtime.Gate;
import dev.swapgate.proxy.http.Answer;
import dev.swapgate.proxy.http.Ask;
import dev.swapgate.proxy.http.Decisions;
import dev.swapgate.proxy.http.HttpProblem;
import dev.swapgate.proxy.http.JsonBody;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The card for use by hand. Thread-safe. */
final class LeaseDesk {

  private static final Duration LONGEST = Duration.ofDays(7);
  private static final Duration LEAST_HEARTBEAT = Duration.ofSeconds(10);
  private static final Duration LONGEST_HEARTBEAT = Duration.ofHours(1);

  private final Gate gate;
  private final Function<String, Optional<Duration>> durations;
  private final Supplier<Duration> usual;

  /**
   * @param durations how a length of time is read
   * @param usual how long a lease is that names no length
   */
  LeaseDesk(Gate gate, Function<String, Optional<Duration>> durations, Supplier<Duration> usual) {
    this.gate = gate;
    this.durations = durations;
    this.usual = usual;
  }

  Answer take(Ask ask) {
    JsonBody body = JsonBody.parse(ask.body(), Set.of("backend", "for", "heartbeat", "yields"));
    String backend = body.text("backend");
    Optional<Backend.Id> media =
        backend.equals("none") ? Optional.empty() : Optional.of(new Backend.Id(backend));
    LeaseTerms terms = new LeaseTerms(heartbeat(body), body.has("yields") && body.flag("yields"));
    return Answer.json(
        200,
        LeaseJson.of(Decisions.await(gate.lease(media, length(body).orElseGet(usual), terms))));
  }

  /** It is still wanted, and perhaps longer than was thought. */
  Answer beat(Ask ask) {
    JsonBody body =
        JsonBody.parse(ask.body().length == 0 ? new byte[] {'{', '}'} : ask.body(), Set.of("for"));
    return Answer.json(
        200, LeaseJson.of(Decisions.await(gate.beat(ask.parameter("id"), length(body)))));
  }

  Answer all(Ask ask) {
    return Answer.json(
        200, Map.of("leases", gate.view().leases().stream().map(LeaseJson::of).toList()));
  }

  void release(Ask ask) {
    Decisions.await(gate.release(ask.parameter("id")));
  }

  private Optional<Duration> length(JsonBody body) {
    return within(body, "for", Duration.ofMillis(1), LONGEST, "such as 30m, at most 7d");
  }

  private Optional<Duration> heartbeat(JsonBody body) {
    return within(
        body, "heartbeat", LEAST_HEARTBEAT, LONGEST_HEARTBEAT, "such as 60s, from 10s to 1h");
  }

  private Optional<Duration> within(
      JsonBody body, String field, Duration least, Duration most, String advice) {
    return body.optionalText(field)
        .map(
            text ->
                durations
                    .apply(text)
                    .filter(one -> one.compareTo(least) >= 0 && one.compareTo(most) <= 0)
                    .orElseThrow(
                        () ->
                            new HttpProblem(
                                400,
                                "bad_field",
                                field + " must be a length of time " + advice + "; was " + text)));
  }

  /** A lease on the wire; a null heartbeat is one that lasts without. */
  record LeaseJson(
      String id,
      String backend,
      String until,
      boolean byHand,
      @Nullable Long heartbeatSeconds,
      boolean yields) {
    static LeaseJson of(GateView.LeaseView lease) {
      return new LeaseJson(
          lease.id(),
          lease.backend(),
          lease.until().toString(),
          lease.byHand(),
          lease.terms().heartbeat().map(Duration::toSeconds).orElse(null),
          lease.terms().yields());
    }
  }
}

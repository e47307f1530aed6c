package dev.swapgate.proxy.metrics;

import dev.swapgate.gate.core.GateView;
import dev.swapgate.gate.core.Phase;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The metrics that show how things stand at the moment they are asked for. */
final class ReadMetrics {

  private static final double MIB = 1024.0 * 1024;

  /**
   * Why chat cannot be served, as closed words: the gate's own sentence names pids and containers.
   */
  private static final List<String> REASONS = List.of("card_held", "docker", "engine");

  private ReadMetrics() {}

  static void register(PrometheusRegistry registry, Readings readings) {
    fallback(registry, readings);
    one(registry, readings, "chat_open", "1 while chat is let in", v -> v.chatOpen() ? 1 : 0);
    one(registry, readings, "queue", "Jobs that wait", GateView::queued);
    one(registry, readings, "inside", "Chat requests inside the turnstile", GateView::inside);
    gauge("held", "Chat requests that are held until the engine is back")
        .callback(to -> to.call(readings.held()))
        .register(registry);
    gauge("phase", "1 for the present phase, 0 for the others")
        .labelNames("phase")
        .callback(
            to -> {
              Phase now = readings.view().phase();
              for (Phase phase : Phase.values()) {
                to.call(phase == now ? 1 : 0, phase.word());
              }
            })
        .register(registry);
    gauge("degraded", "1 for the reason for which no engine can be brought back")
        .labelNames("reason")
        .callback(
            to -> {
              String reason = reason(readings.view());
              REASONS.forEach(one -> to.call(one.equals(reason) ? 1 : 0, one));
            })
        .register(registry);
    gauge("card_memory_bytes", "The card's memory as last read; absent while it cannot be read")
        .labelNames("kind")
        .callback(
            to -> {
              GateView.CardView card = readings.view().card();
              if (card.totalMib() >= 0) {
                to.call(card.totalMib() * MIB, "total");
              }
              if (card.freeMib() >= 0) {
                to.call(card.freeMib() * MIB, "free");
              }
            })
        .register(registry);
    CounterWithCallback.builder()
        .name("swapgate_requests_total")
        .help("Chat requests, by who answered and how")
        .labelNames("answered_by", "code")
        .callback(
            to ->
                readings
                    .answered()
                    .forEach(one -> to.call((double) one.requests(), one.by(), one.code())))
        .register(registry);
  }

  /** What was sent to a provider and failed, apart from what we refused to send. */
  private static void fallback(PrometheusRegistry registry, Readings readings) {
    CounterWithCallback.builder()
        .name("swapgate_fallback_calls_total")
        .help("Calls to fallback providers, by how they ended")
        .labelNames("provider", "end")
        .callback(
            to ->
                readings.fallback().stream()
                    .filter(one -> !one.provider().isEmpty())
                    .forEach(one -> to.call((double) one.count(), one.provider(), one.end())))
        .register(registry);
    CounterWithCallback.builder()
        .name("swapgate_fallback_not_sent_total")
        .help("Requests for which no fallback provider was asked, by why")
        .labelNames("why")
        .callback(
            to ->
                readings.fallback().stream()
                    .filter(one -> one.provider().isEmpty())
                    .forEach(one -> to.call((double) one.count(), one.end())))
        .register(registry);
    gauge("fallback_aside", "Providers, keys and models that are set aside now")
        .labelNames("provider", "kind")
        .callback(
            to -> readings.aside().forEach(one -> to.call(one.count(), one.provider(), one.kind())))
        .register(registry);
  }

  private static void one(
      PrometheusRegistry registry,
      Readings readings,
      String name,
      String help,
      ToDoubleFunction<GateView> value) {
    gauge(name, help)
        .callback(to -> to.call(value.applyAsDouble(readings.view())))
        .register(registry);
  }

  private static GaugeWithCallback.Builder gauge(String name, String help) {
    return GaugeWithCallback.builder().name("swapgate_" + name).help(help);
  }

  private static String reason(GateView view) {
    if (view.phase() != Phase.DEGRADED) {
      return "";
    }
    if (!view.dockerReachable()) {
      return "docker";
    }
    return view.reason().startsWith("the card is held") ? "card_held" : "engine";
  }
}

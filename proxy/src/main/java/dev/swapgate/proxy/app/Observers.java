package dev.swapgate.proxy.app;

import dev.swapgate.backends.gpu.OshiHost;
import dev.swapgate.backends.prefetch.CacheReader;
import dev.swapgate.backends.prefetch.FreeMemory;
import dev.swapgate.backends.prefetch.Prefetcher;
import dev.swapgate.gate.core.GateView;
import dev.swapgate.gate.port.JobStore;
import dev.swapgate.gate.runtime.Gate;
import dev.swapgate.gate.runtime.SteadyClock;
import dev.swapgate.proxy.chat.AdmissionHandler;
import dev.swapgate.proxy.chat.ChatWitness;
import dev.swapgate.proxy.fallback.Fallback;
import dev.swapgate.proxy.fallback.FallbackCounters;
import dev.swapgate.proxy.history.ChatTally;
import dev.swapgate.proxy.history.SwapRecorder;
import dev.swapgate.proxy.http.Answer;
import dev.swapgate.proxy.http.AnswerHandler;
import dev.swapgate.proxy.http.SecurityHeaders;
import dev.swapgate.proxy.metrics.Metrics;
import dev.swapgate.proxy.metrics.Readings;
import dev.swapgate.proxy.notify.Notifier;
import io.undertow.Handlers;
import io.undertow.server.HttpHandler;
import io.undertow.util.Methods;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Those who look on: metrics, history, notices, prefetch. They listen, and nothing waits for them.
 */
final class Observers implements AutoCloseable {
  private final SteadyClock clock;
  private final Metrics metrics;
  private final ChatTally tally = new ChatTally();
  private final SwapRecorder recorder;
  private final Notifier notifier;
  private final Prefetcher prefetcher;

  private Observers(
      LiveConfig live, SteadyClock clock, JobStore store, Metrics metrics, OshiHost host) {
    this.clock = clock;
    this.metrics = metrics;
    this.recorder = new SwapRecorder(store, clock, tally, metrics::waited);
    this.notifier = new Notifier(live.get().notices(), clock);
    this.prefetcher =
        new Prefetcher(
            () -> live.get().prefetch(),
            clock::now,
            new CacheReader(clock::now, new FreeMemory(host)),
            read -> metrics.prefetched(read.bytes(), read.took()));
  }

  /** Begins to listen to the gate. */
  static Observers of(
      LiveConfig live,
      SteadyClock clock,
      Gate gate,
      JobStore store,
      Metrics metrics,
      OshiHost host) {
    Observers observers = new Observers(live, clock, store, metrics, host);
    gate.listen(metrics);
    gate.listen(observers.recorder);
    gate.listen(observers.notifier);
    gate.listen(observers.prefetcher);
    return observers;
  }

  SwapRecorder recorder() {
    return recorder;
  }

  /** Lets the metrics read what is shown when they are asked for. */
  void show(Gate gate, AdmissionHandler chat, Supplier<Fallback> fallback) {
    metrics.show(
        new Readings() {
          @Override
          public GateView view() {
            return gate.view();
          }

          @Override
          public int held() {
            return chat.held();
          }

          @Override
          public List<Elsewhere> fallback() {
            return elsewhere(fallback.get().counters());
          }

          @Override
          public List<Aside> aside() {
            return fallback.get().aside(clock.now()).entrySet().stream()
                .map(one -> new Aside(one.getKey().provider(), one.getKey().kind(), one.getValue()))
                .toList();
          }

          @Override
          public List<Answered> answered() {
            return chat.counters().counts().entrySet().stream()
                .map(
                    one ->
                        new Answered(
                            one.getKey().answeredBy(), one.getKey().outcome(), one.getValue()))
                .toList();
          }
        });
  }

  private static List<Readings.Elsewhere> elsewhere(FallbackCounters counters) {
    List<Readings.Elsewhere> all = new ArrayList<>();
    counters
        .calls()
        .forEach(
            (call, count) -> all.add(new Readings.Elsewhere(call.provider(), call.end(), count)));
    counters
        .notSent()
        .forEach((why, count) -> all.add(new Readings.Elsewhere("", why.word(), count)));
    return all;
  }

  ChatWitness witness() {
    return new ChatWitness() {
      @Override
      public void refused(int seconds) {
        tally.refused(clock.now().steady(), seconds);
      }

      @Override
      public void refused() {
        tally.refused();
      }

      @Override
      public void held() {
        tally.held();
      }
    };
  }

  /** {@code /metrics}. */
  HttpHandler metricsHandler(Executor executor) {
    return new AnswerHandler(
        executor, 0, ask -> new Answer.Text(200, metrics.contentType(), metrics.scrape()));
  }

  /** A listener's whole site: {@code /metrics} for whoever asks, and nothing else. */
  HttpHandler metricsSite(Executor executor) {
    HttpHandler metrics = metricsHandler(executor);
    return new SecurityHeaders(
        Handlers.path(
                exchange ->
                    AnswerHandler.send(
                        exchange, Answer.problem(404, "no_route", "only /metrics is served here")))
            .addExactPath(
                "/metrics",
                exchange -> {
                  if (exchange.getRequestMethod().equals(Methods.GET)) {
                    metrics.handleRequest(exchange);
                  } else {
                    AnswerHandler.send(
                        exchange, Answer.problem(405, "bad_method", "this can only be read"));
                  }
                }));
  }

  @Override
  public void close() {
    prefetcher.close();
    notifier.close();
    recorder.close();
  }
}

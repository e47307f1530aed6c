package dev.swapgate.proxy.metrics;

import dev.swapgate.gate.core.GateEvent;
import dev.swapgate.gate.core.GateView;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.StepTimes;
import dev.swapgate.gate.port.GateListener;
import dev.swapgate.proxy.history.ChatTally;
import dev.swapgate.proxy.history.JobEnds;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * What is counted as it happens. The gate's thread adds to counters and histograms, which neither
 * block nor write. Thread-safe.
 */
public final class Metrics implements GateListener {

  /** From a drained engine (under a second) to a load of 690 s and a long render. */
  private static final double[] STEPS = {
    0.5, 1, 2, 5, 10, 20, 30, 60, 120, 180, 240, 300, 420, 600, 900, 1800, 3600
  };

  /** The floor of Retry-After is 30 s; an error of 900 s is a whole range. */
  private static final double[] MISSES = {1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 900};

  private static final double[] CALLS = {0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 10, 30, 60};

  /** Requests of one figure in one second beyond this are as good as this many. */
  private static final int MOST_OBSERVED = 1000;

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final PrometheusTextFormatWriter writer = PrometheusTextFormatWriter.create();
  private final JobEnds ends = new JobEnds();
  private final Histogram steps =
      Histogram.builder()
          .name("swapgate_step_seconds")
          .help("How long a step of a swap took")
          .labelNames("step", "backend")
          .classicOnly()
          .classicUpperBounds(STEPS)
          .withoutExemplars()
          .register(registry);
  private final Histogram misses =
      Histogram.builder()
          .name("swapgate_retry_after_error_seconds")
          .help("Retry-After given minus the true wait: by how much it was too_long or too_short")
          .labelNames("told")
          .classicOnly()
          .classicUpperBounds(MISSES)
          .withoutExemplars()
          .register(registry);
  private final Histogram calls =
      Histogram.builder()
          .name("swapgate_docker_call_seconds")
          .help("How long calls of Docker took; an unknown end is one that nothing proves")
          .labelNames("call", "end")
          .classicOnly()
          .classicUpperBounds(CALLS)
          .withoutExemplars()
          .register(registry);
  private final Counter jobs =
      Counter.builder()
          .name("swapgate_jobs_total")
          .help("Jobs that ended, by how")
          .labelNames("backend", "end")
          .withoutExemplars()
          .register(registry);
  private final Counter prefetchedBytes =
      Counter.builder()
          .name("swapgate_prefetch_bytes_total")
          .help("Read of engines' files before they are started, from the disk or the cache")
          .withoutExemplars()
          .register(registry);
  private final Counter prefetchedSeconds =
      Counter.builder()
          .name("swapgate_prefetch_seconds_total")
          .help("How long that took, rests included")
          .withoutExemplars()
          .register(registry);

  /** Counts from now on; {@link #show} adds what is read. */
  public Metrics() {
    misses.initLabelValues("too_long");
    misses.initLabelValues("too_short");
  }

  /** Adds what is read at each scrape. Call once. */
  public void show(Readings readings) {
    ReadMetrics.register(registry, readings);
    for (GateView.BackendView media : readings.view().media()) {
      for (Job.State state : Job.State.values()) {
        if (state.isFinal()) {
          jobs.initLabelValues(media.id().value(), word(state));
        }
      }
    }
  }

  @Override
  public void learned(StepTimes.Sample sample) {
    steps
        .labelValues(
            sample.key().step().name().toLowerCase(Locale.ROOT), sample.key().backend().value())
        .observe(seconds(sample.took()));
  }

  @Override
  public void happened(GateEvent event) {
    ends.of(event).ifPresent(end -> jobs.labelValues(end.backend(), word(end.state())).inc());
  }

  /** Chat can come in again: what was told is compared with what came. */
  public void waited(List<ChatTally.Miss> seen) {
    for (ChatTally.Miss miss : seen) {
      String told = miss.tooLong().isNegative() ? "too_short" : "too_long";
      double error = seconds(miss.tooLong().abs());
      for (int n = Math.min(miss.requests(), MOST_OBSERVED); n > 0; n--) {
        misses.labelValues(told).observe(error);
      }
    }
  }

  /** Files of an engine were read. */
  public void prefetched(long bytes, Duration took) {
    prefetchedBytes.inc(bytes);
    prefetchedSeconds.inc(seconds(took));
  }

  void dockerCall(String call, String end, Duration took) {
    calls.labelValues(call, end).observe(seconds(took));
  }

  /** All of them, in the text format of Prometheus. */
  public String scrape() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      writer.write(bytes, registry.scrape());
    } catch (IOException e) {
      throw new UncheckedIOException("memory cannot fail to be written", e);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  /** What {@link #scrape} is, as a media type. */
  public String contentType() {
    return writer.getContentType();
  }

  private static String word(Job.State state) {
    return state.name().toLowerCase(Locale.ROOT);
  }

  private static double seconds(Duration length) {
    return length.toNanos() / 1e9;
  }
}

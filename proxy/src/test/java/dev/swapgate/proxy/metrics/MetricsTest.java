package dev.swapgate.proxy.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.GateEvent;
import dev.swapgate.gate.core.GateView;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.Phase;
import dev.swapgate.gate.core.StepTimes;
import dev.swapgate.proxy.RecordedGate;
import dev.swapgate.proxy.Views;
import dev.swapgate.proxy.history.ChatTally;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What Prometheus reads is what happened, under the names that are promised. */
class MetricsTest {
  private final Metrics metrics = new Metrics();
  private volatile GateView view = Views.open();

  MetricsTest() {
    metrics.show(
        new Readings() {
          @Override
          public GateView view() {
            return view;
          }

          @Override
          public int held() {
            return 4;
          }

          @Override
          public List<Elsewhere> fallback() {
            return List.of(
                new Elsewhere("openrouter", "good", 5),
                new Elsewhere("openrouter", "fault", 2),
                new Elsewhere("", "cooling", 3));
          }

          @Override
          public List<Aside> aside() {
            return List.of(new Aside("openrouter", "limit", 1));
          }

          @Override
          public List<Answered> answered() {
            return List.of(new Answered("gate", "429", 7), new Answered("engine:vllm", "200", 9));
          }
        });
  }

  private Exposition scraped() {
    return Exposition.parse(metrics.scrape());
  }

  private static GateEvent end(String job, Job.State state) {
    return new GateEvent(
        RecordedGate.THEN,
        GateEvent.Level.INFO,
        "job",
        "job " + job,
        "comfyui",
        job,
        Optional.of(state));
  }

  @Test
  void hasThePromisedNamesFromTheFirstScrapeOn() {
    assertThat(scraped().types())
        .contains(
            entry("swapgate_chat_open", "gauge"),
            entry("swapgate_phase", "gauge"),
            entry("swapgate_requests_total", "counter"),
            entry("swapgate_retry_after_error_seconds", "histogram"),
            entry("swapgate_jobs_total", "counter"),
            entry("swapgate_queue", "gauge"),
            entry("swapgate_inside", "gauge"),
            entry("swapgate_held", "gauge"),
            entry("swapgate_degraded", "gauge"),
            entry("swapgate_card_memory_bytes", "gauge"));
  }

  @Test
  void showsHowThingsStand() {
    assertThat(scraped().samples())
        .contains(
            entry("swapgate_chat_open", 1.0),
            entry("swapgate_phase{phase=\"serving\"}", 1.0),
            entry("swapgate_phase{phase=\"running\"}", 0.0),
            entry("swapgate_queue", 3.0),
            entry("swapgate_inside", 2.0),
            entry("swapgate_held", 4.0),
            entry("swapgate_card_memory_bytes{kind=\"free\"}", 100.0 * (1 << 20)),
            entry("swapgate_requests_total{answered_by=\"gate\",code=\"429\"}", 7.0),
            entry("swapgate_requests_total{answered_by=\"engine:vllm\",code=\"200\"}", 9.0));

    view = Views.swap(Phase.RUNNING, "comfyui", 5, 180, -1);
    assertThat(scraped().samples())
        .contains(entry("swapgate_chat_open", 0.0), entry("swapgate_phase{phase=\"running\"}", 1.0))
        .doesNotContainKey("swapgate_card_memory_bytes{kind=\"free\"}");
  }

  @Test
  void saysInClosedWordsWhyItIsDegraded() {
    view = Views.degraded("the card is held by pid 4711 (python3), 500 MiB");
    assertThat(scraped().samples())
        .contains(
            entry("swapgate_degraded{reason=\"card_held\"}", 1.0),
            entry("swapgate_degraded{reason=\"engine\"}", 0.0));

    view = Views.degraded("vllm exited with code 1: CUDA error at 0x7f");
    assertThat(scraped().samples()).contains(entry("swapgate_degraded{reason=\"engine\"}", 1.0));
    assertThat(metrics.scrape()).doesNotContain("CUDA").doesNotContain("4711");
  }

  @Test
  void countsStepsJobsAndCallsAsTheyEnd() {
    metrics.learned(
        new StepTimes.Sample(
            new StepTimes.Key(StepTimes.Step.START_TO_READY, new Backend.Id("vllm"), ""),
            Duration.ofSeconds(290)));
    metrics.happened(end("one", Job.State.RUNNING));
    metrics.happened(end("one", Job.State.CANCELLED));
    metrics.happened(end("one", Job.State.CANCELLED));
    metrics.happened(end("two", Job.State.DONE));
    metrics.dockerCall("stop", "unknown", Duration.ofSeconds(7));

    assertThat(scraped().samples())
        .contains(
            entry("swapgate_step_seconds_sum{backend=\"vllm\",step=\"start_to_ready\"}", 290.0),
            entry("swapgate_jobs_total{backend=\"comfyui\",end=\"cancelled\"}", 1.0),
            entry("swapgate_jobs_total{backend=\"comfyui\",end=\"done\"}", 1.0),
            entry("swapgate_jobs_total{backend=\"comfyui\",end=\"failed\"}", 0.0),
            entry("swapgate_docker_call_seconds_count{call=\"stop\",end=\"unknown\"}", 1.0));
  }

  @Test
  void tellsApartWhoWasToldTooLongAndTooShort() {
    metrics.waited(
        List.of(
            new ChatTally.Miss(Duration.ofSeconds(20), 3),
            new ChatTally.Miss(Duration.ofSeconds(-40), 2)));

    String name = "swapgate_retry_after_error_seconds_";
    assertThat(scraped().samples())
        .contains(
            entry(name + "sum{told=\"too_long\"}", 60.0),
            entry(name + "count{told=\"too_short\"}", 2.0),
            entry(name + "bucket{told=\"too_short\",le=\"30.0\"}", 0.0),
            entry(name + "bucket{told=\"too_short\",le=\"60.0\"}", 2.0));
  }

  /** The parser itself notices what Prometheus would refuse. */
  @Test
  void readsStrictly() {
    assertThatThrownBy(() -> Exposition.parse("a 1\n")).hasMessageContaining("TYPE");
    assertThatThrownBy(() -> Exposition.parse("# HELP a x\n# TYPE a gauge\na{b=c} 1\n"))
        .hasMessageContaining("no sample");
    assertThatThrownBy(() -> Exposition.parse("# HELP a x\n# TYPE a gauge\na 1\na 2\n"))
        .hasMessageContaining("second sample");
  }

  /** A refusal of ours says nothing about a provider. */
  @Test
  void whatWeRefuseToSendIsCountedApartFromWhatFailed() {
    assertThat(metrics.scrape())
        .contains("swapgate_fallback_calls_total{end=\"good\",provider=\"openrouter\"} 5.0")
        .contains("swapgate_fallback_calls_total{end=\"fault\",provider=\"openrouter\"} 2.0")
        .contains("swapgate_fallback_not_sent_total{why=\"cooling\"} 3.0")
        .contains("swapgate_fallback_aside{kind=\"limit\",provider=\"openrouter\"} 1.0");
  }
}

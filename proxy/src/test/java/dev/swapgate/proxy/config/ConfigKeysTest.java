package dev.swapgate.proxy.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.backends.settings.BackendSettings;
import dev.swapgate.backends.settings.CardSettings;
import dev.swapgate.backends.settings.MediaSettings;
import dev.swapgate.backends.settings.ReadinessSettings;
import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.Budgets;
import dev.swapgate.gate.core.Engine;
import dev.swapgate.gate.core.Media;
import dev.swapgate.gate.core.Policy;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every key, set to something that is not its default. */
class ConfigKeysTest {

  private static final String ALL =
      """
      listen: "[::1]:9000"
      admin: {listen: "0.0.0.0:9001", hosts: [box.lan, "box.lan:9001"]}
      state_dir: state
      results_dir: /srv/results
      docker: {host: "tcp://127.0.0.1:2375"}
      card: {uuid: GPU-1234-abcd, tool: /opt/pretend/nvidia-smi}
      selected: small
      engines:
        big:
          container: big-engine
          url: https://engines.lan/big/
          readiness:
            path: /ready?deep=1
            accept: [200, 204]
            body_contains: "ok"
            headers: {Authorization: "Bearer ${KEY}", X-Key: {file: key.txt}}
            budget: 12m
            interval: 250ms
            timeout: 2s
            passes: 3
          drain: 90s
          stop_grace_period: 45s
          release: 20s
          start: 40s
          vram: 31GiB
          restore: 8m
          attempts: 5
          models: {local: qwen3-32b, "gpt-4o": qwen3-32b}
          prefetch: ["/models/big/*.safetensors", "/models/big/{config,tokenizer}.json"]
        small: {container: small, url: "http://127.0.0.1:8001"}
      media:
        pictures:
          type: ace_step
          container: pictures
          url: http://127.0.0.1:8188
          readiness: {budget: 100s, passes: 1}
          stop_grace_period: 5s
          release: 10s
          start: 15s
          vram: 512MiB
          generation: 1h30m
          job_budget: 2h
          no_progress: 3m
          tries: 4
          max_file: 1GiB
          api_key_file: key.txt
        other: {type: comfyui, container: o, url: "http://127.0.0.1:8189", api_key: "${KEY}"}
      fallback_engine: big
      batch_engine: small
      retry_after: {min: 5s, max: 10m}
      tail_hold: 50s
      policy: {min_chat: 10s, max_outage: 1h, linger: 30s, hand_lease: 2h, idle: 3m, batch_quiet: 7m}
      limits: {queue: 10, request_body: 1MiB, held: 0, results_keep: 7d}
      """;

  @TempDir Path folder;
  private SwapgateConfig config;

  @BeforeEach
  void read() throws Exception {
    Files.writeString(folder.resolve("key.txt"), "from-file\n");
    Files.writeString(folder.resolve("swapgate.yaml"), ALL);
    config = new ConfigLoader(Map.of("KEY", "from-env")).load(folder.resolve("swapgate.yaml"));
  }

  @Test
  void placesAreRead() {
    assertThat(config.listen()).isEqualTo(new SwapgateConfig.Address("::1", 9000));
    assertThat(config.listen()).hasToString("[::1]:9000");
    assertThat(config.admin())
        .isEqualTo(
            new SwapgateConfig.Admin(
                new SwapgateConfig.Address("0.0.0.0", 9001), List.of("box.lan", "box.lan:9001")));
    assertThat(config.stateDir()).isEqualTo(folder.resolve("state"));
    assertThat(config.resultsDir()).isEqualTo(Path.of("/srv/results"));
    assertThat(config.workshop().docker().host()).isEqualTo(URI.create("tcp://127.0.0.1:2375"));
    assertThat(config.workshop().card())
        .isEqualTo(
            new CardSettings(
                OptionalInt.empty(), Optional.of("GPU-1234-abcd"), "/opt/pretend/nvidia-smi"));
  }

  @Test
  void anEngineIsRead() {
    Backend.Id big = new Backend.Id("big");

    assertThat(config.box().engine(big).orElseThrow())
        .isEqualTo(
            new Engine(
                big,
                "big-engine",
                new Budgets(
                    Duration.ofSeconds(90),
                    Optional.of(Duration.ofSeconds(45)),
                    Duration.ofSeconds(20),
                    Duration.ofSeconds(40),
                    Duration.ofMinutes(12),
                    Duration.ofMillis(250),
                    3,
                    OptionalLong.of(31 * 1024)),
                Optional.of(Duration.ofMinutes(8)),
                5));
    assertThat(config.workshop().engines().getFirst())
        .isEqualTo(
            new BackendSettings(
                big,
                "big-engine",
                URI.create("https://engines.lan/big"),
                new ReadinessSettings(
                    "/ready?deep=1",
                    Set.of(200, 204),
                    "ok",
                    Map.of("Authorization", "Bearer from-env", "X-Key", "from-file"),
                    Duration.ofSeconds(2))));
    assertThat(config.models(big))
        .containsExactly(Map.entry("local", "qwen3-32b"), Map.entry("gpt-4o", "qwen3-32b"));
    assertThat(config.prefetch())
        .containsExactly(
            Map.entry(
                big, List.of("/models/big/*.safetensors", "/models/big/{config,tokenizer}.json")));
  }

  @Test
  void aMediaBackendIsRead() {
    Backend.Id pictures = new Backend.Id("pictures");
    MediaSettings settings = config.workshop().media().getFirst();

    assertThat(config.box().media(pictures).orElseThrow())
        .isEqualTo(
            new Media(
                pictures,
                "pictures",
                new Budgets(
                    Duration.ZERO,
                    Optional.of(Duration.ofSeconds(5)),
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(15),
                    Duration.ofSeconds(100),
                    Duration.ofMillis(500),
                    1,
                    OptionalLong.of(512)),
                Duration.ofMinutes(90),
                Duration.ofHours(2),
                Duration.ofMinutes(3),
                4));
    assertThat(settings.type()).isEqualTo(MediaSettings.Type.ACE_STEP);
    assertThat(settings.maxFileBytes()).isEqualTo(1L << 30);
    assertThat(settings.apiKey()).isEqualTo("from-file");
    assertThat(config.workshop().media().getLast().apiKey()).isEqualTo("from-env");
  }

  @Test
  void rulesAreRead() {
    assertThat(config.box().selected()).hasToString("small");
    assertThat(config.box().fallbackEngine()).contains(new Backend.Id("big"));
    assertThat(config.box().batchEngine()).contains(new Backend.Id("small"));
    assertThat(config.box().policy())
        .isEqualTo(
            new Policy(
                Duration.ofSeconds(10),
                Duration.ofHours(1),
                Duration.ofSeconds(30),
                Duration.ofHours(2),
                Duration.ofSeconds(5),
                Duration.ofMinutes(10),
                10,
                Duration.ofMinutes(3),
                Duration.ofMinutes(7)));
    assertThat(config.tailHold()).isEqualTo(Duration.ofSeconds(50));
    assertThat(config.limits())
        .isEqualTo(new SwapgateConfig.Limits(10, 1L << 20, 0, Duration.ofDays(7)));
  }

  @Test
  void noTextOfItShowsASecret() {
    assertThat(config.toString()).doesNotContain("from-env").doesNotContain("from-file");
    assertThat(String.join("\n", EffectiveConfig.lines(config)))
        .doesNotContain("from-env")
        .doesNotContain("from-file")
        .contains("api_key: \"***\"")
        .contains("\"Authorization\": \"***\"");
  }

  @Test
  void whatIsPrintedReadsTheSame() {
    String printed =
        String.join("\n", EffectiveConfig.lines(config)).replace("\"***\"", "\"${KEY}\"");

    SwapgateConfig again =
        new ConfigLoader(Map.of("KEY", "from-env")).parse("printed", printed, Path.of("/"));

    assertThat(again.box().backends()).isEqualTo(config.box().backends());
    assertThat(again.box().selected()).isEqualTo(config.box().selected());
    assertThat(again.box().policy()).isEqualTo(config.box().policy());
    assertThat(again.limits()).isEqualTo(config.limits());
    assertThat(again.models()).isEqualTo(config.models());
    assertThat(again.prefetch()).isEqualTo(config.prefetch());
    assertThat(EffectiveConfig.lines(again)).isEqualTo(EffectiveConfig.lines(config));
  }
}

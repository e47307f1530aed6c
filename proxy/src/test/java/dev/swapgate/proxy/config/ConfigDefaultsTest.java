package dev.swapgate.proxy.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.backends.settings.BackendSettings;
import dev.swapgate.backends.settings.MediaSettings;
import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.Engine;
import dev.swapgate.gate.core.Media;
import dev.swapgate.gate.core.Policy;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What applies when the file says as little as it may. */
class ConfigDefaultsTest {

  private static final String LEAST =
      """
      engines:
        vllm: {container: vllm, url: "http://127.0.0.1:8000/"}
      media:
        comfyui: {type: comfyui, container: comfyui, url: "http://127.0.0.1:8188"}
        music: {type: ace_step, container: ace-step, url: "http://127.0.0.1:8002"}
      """;

  private final SwapgateConfig config =
      new ConfigLoader(Map.of()).parse("swapgate.yaml", LEAST, Path.of("/etc/swapgate"));

  @Test
  void listensOnLoopbackOnly() {
    assertThat(config.listen()).hasToString("127.0.0.1:8484");
    assertThat(config.admin().listen()).hasToString("127.0.0.1:8485");
    assertThat(config.admin().hosts()).isEmpty();
    assertThat(config.listen().isLoopback()).isTrue();
  }

  @Test
  void anImageMayListenOnAllAddressesByDefault() {
    SwapgateConfig inImage =
        new ConfigLoader(
                Map.of("SWAPGATE_LISTEN", "0.0.0.0:8484", "SWAPGATE_ADMIN_LISTEN", "0.0.0.0:8485"))
            .parse("swapgate.yaml", LEAST, Path.of("/etc/swapgate"));

    assertThat(inImage.listen()).hasToString("0.0.0.0:8484");
    assertThat(inImage.admin().listen().isLoopback()).isFalse();
    assertThat(inImage.admin().listen().baseUrl()).isEqualTo("http://127.0.0.1:8485");
  }

  @Test
  void keepsStateInItsOwnFolder() {
    assertThat(config.stateDir()).isEqualTo(Path.of("/var/lib/swapgate"));
    assertThat(config.resultsDir()).isEqualTo(Path.of("/var/lib/swapgate/results"));
    assertThat(config.tokenFile()).isEqualTo(Path.of("/var/lib/swapgate/admin.token"));
  }

  @Test
  void asksTheLocalDaemonAndTheLargestCard() {
    assertThat(config.workshop().docker().host())
        .isEqualTo(URI.create("unix:///var/run/docker.sock"));
    assertThat(config.workshop().card().index()).isEmpty();
    assertThat(config.workshop().card().uuid()).isEmpty();
    assertThat(config.workshop().card().tool()).isEqualTo("nvidia-smi");
  }

  @Test
  void selectsTheOnlyEngine() {
    assertThat(config.box().selected()).isEqualTo(new Backend.Id("vllm"));
    assertThat(config.box().fallbackEngine()).isEmpty();
    assertThat(config.box().batchEngine()).isEmpty();
  }

  @Test
  void givesAnEngineItsBudgets() {
    Engine engine = config.box().engines().getFirst();

    assertThat(engine.budgets().drain()).isEqualTo(Duration.ofMinutes(5));
    assertThat(engine.budgets().stopGracePeriod()).isEqualTo(Optional.empty());
    assertThat(engine.budgets().release()).isEqualTo(Duration.ofSeconds(30));
    assertThat(engine.budgets().start()).isEqualTo(Duration.ofSeconds(60));
    assertThat(engine.budgets().readiness()).isEqualTo(Duration.ofSeconds(900));
    assertThat(engine.budgets().interval()).isEqualTo(Duration.ofMillis(500));
    assertThat(engine.budgets().passes()).isEqualTo(2);
    assertThat(engine.budgets().vramMib()).isEqualTo(OptionalLong.empty());
    assertThat(engine.restore()).isEmpty();
    assertThat(engine.attempts()).isEqualTo(3);
    assertThat(config.models(engine.id())).isEmpty();
    assertThat(config.prefetch()).isEmpty();
  }

  @Test
  void probesAnEngineAtHealth() {
    BackendSettings engine = config.workshop().engines().getFirst();

    assertThat(engine.url()).isEqualTo(URI.create("http://127.0.0.1:8000"));
    assertThat(engine.readiness().path()).isEqualTo("/health");
    assertThat(engine.readiness().accept()).isEqualTo(Set.of(200));
    assertThat(engine.readiness().bodyContains()).isEmpty();
    assertThat(engine.readiness().headers()).isEmpty();
    assertThat(engine.readiness().timeout()).isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void givesEachKindOfMediaItsOwnGenerationAndPath() {
    Media comfyui = config.box().media().getFirst();
    Media music = config.box().media().getLast();
    MediaSettings comfyuiSettings = config.workshop().media().getFirst();
    MediaSettings musicSettings = config.workshop().media().getLast();

    assertThat(comfyui.generation()).isEqualTo(Duration.ofSeconds(180));
    assertThat(music.generation()).isEqualTo(Duration.ofSeconds(240));
    assertThat(comfyui.budgets().readiness()).isEqualTo(Duration.ofSeconds(180));
    assertThat(comfyui.jobBudget()).isEqualTo(Duration.ofMinutes(30));
    assertThat(comfyui.noProgress()).isEqualTo(Duration.ofMinutes(10));
    assertThat(comfyui.tries()).isEqualTo(2);
    assertThat(comfyuiSettings.type()).isEqualTo(MediaSettings.Type.COMFYUI);
    assertThat(comfyuiSettings.backend().readiness().path()).isEqualTo("/system_stats");
    assertThat(comfyuiSettings.apiKey()).isEmpty();
    assertThat(comfyuiSettings.maxFileBytes()).isEqualTo(2L << 30);
    assertThat(musicSettings.type()).isEqualTo(MediaSettings.Type.ACE_STEP);
    assertThat(musicSettings.backend().readiness().path()).isEqualTo("/health");
  }

  @Test
  void hasTheRulesOfTheContract() {
    assertThat(config.box().policy())
        .isEqualTo(
            new Policy(
                Duration.ofSeconds(60),
                Duration.ofMinutes(20),
                Duration.ZERO,
                Duration.ofMinutes(60),
                Duration.ofSeconds(30),
                Duration.ofSeconds(900),
                1000));
    assertThat(config.tailHold()).isEqualTo(Duration.ZERO);
    assertThat(config.metricsListen()).isEmpty();
    assertThat(config.notices()).isEmpty();
    assertThat(config.limits())
        .isEqualTo(new SwapgateConfig.Limits(1000, 32L << 20, 1000, Duration.ofDays(30)));
  }
}

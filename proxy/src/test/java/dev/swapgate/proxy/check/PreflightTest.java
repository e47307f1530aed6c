package dev.swapgate.proxy.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.backends.docker.ContainerDetails;
import dev.swapgate.backends.docker.ContainerDetails.PublishedPort;
import dev.swapgate.backends.docker.DaemonVersion;
import dev.swapgate.backends.settings.BackendSettings;
import dev.swapgate.backends.settings.CardSettings;
import dev.swapgate.backends.settings.DockerSettings;
import dev.swapgate.backends.settings.MediaSettings;
import dev.swapgate.backends.settings.WorkshopSettings;
import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.Box;
import dev.swapgate.gate.core.Budgets;
import dev.swapgate.gate.core.CardReading;
import dev.swapgate.gate.core.Engine;
import dev.swapgate.gate.core.Policy;
import dev.swapgate.gate.core.ProbeResult;
import dev.swapgate.proxy.admin.Finding;
import dev.swapgate.proxy.admin.Finding.Severity;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PreflightTest {
  private static final Backend.Id VLLM = new Backend.Id("vllm");
  private static final Backend.Id NINFER = new Backend.Id("ninfer");

  private final Map<String, ContainerDetails> containers =
      new HashMap<>(
          Map.of(
              "vllm-box", Made.container("vllm-box", "running"),
              "comfy-box", Made.container("comfy-box", "exited")));
  private CardReading reading = new CardReading.Sample(32607, 107, List.of());
  private ProbeResult probe = new ProbeResult.Passed();
  private Map<Backend.Id, Map<String, String>> models = Map.of();
  private final Map<Backend.Id, Duration> stopTimes = new HashMap<>();
  private DaemonVersion version = new DaemonVersion("28.2.2", "1.50", "1.24");
  private OptionalLong vram = OptionalLong.empty();
  private String mediaUrl = "http://127.0.0.1:8188";

  @Test
  void findsNothingWhereNothingIsWrong() {
    assertThat(findings()).isEmpty();
  }

  @Test
  void aMissingContainerIsMadeWithoutBeingStarted() {
    containers.remove("comfy-box");

    Finding finding = only("container_missing");

    assertThat(finding.severity()).isEqualTo(Severity.PROBLEM);
    assertThat(finding.backend()).isEqualTo("comfyui");
    assertThat(finding.mend()).isEqualTo("docker compose create comfy-box");
  }

  @ParameterizedTest
  @CsvSource({
    "always, restart_always, PROBLEM",
    "unless-stopped, restart_policy, WARNING",
    "on-failure, restart_policy, WARNING"
  })
  void aContainerThatDockerStartsByItself(String policy, String id, Severity severity) {
    containers.put(
        "comfy-box", Made.with("comfy-box", "exited", false, policy, List.of(), List.of()));

    Finding finding = only(id);

    assertThat(finding.severity()).isEqualTo(severity);
    assertThat(finding.mend()).isEqualTo("docker update --restart no comfy-box");
  }

  @Test
  void aContainerThatVanishesAtItsFirstStop() {
    containers.put("vllm-box", Made.with("vllm-box", "running", true, "no", List.of(), List.of()));

    assertThat(only("auto_remove").severity()).isEqualTo(Severity.PROBLEM);
    assertThat(only("auto_remove").backend()).isEqualTo("vllm");
  }

  @ParameterizedTest
  @CsvSource({"'', true", "0, true", "8000-8010, true", "8188, false"})
  void aPortThatChangesAtEachStart(String hostPort, boolean found) {
    containers.put(
        "comfy-box",
        Made.with(
            "comfy-box",
            "exited",
            false,
            "no",
            List.of(new PublishedPort("8188/tcp", "", hostPort)),
            List.of()));

    assertThat(findings().stream().map(Finding::id).toList().contains("port_not_fixed"))
        .isEqualTo(found);
  }

  @Test
  void twoBackendsThatShareAPortOrAContainer() {
    mediaUrl = "http://127.0.0.1:8000";
    assertThat(only("shared_port").what()).contains("8000");

    containers.put("comfy-box", containers.get("vllm-box"));
    assertThat(only("shared_container").severity()).isEqualTo(Severity.PROBLEM);
  }

  @Test
  void bothOnTheCardAtOnce() {
    containers.put("comfy-box", Made.container("comfy-box", "running"));

    assertThat(only("several_up").mend()).isEqualTo("docker stop comfy-box");
  }

  @ParameterizedTest
  @CsvSource({"401, true", "403, true", "503, false"})
  void aReadinessPathThatWantsAKey(int status, boolean found) {
    probe = new ProbeResult.NotReady("status " + status + ", accepted [200]");

    assertThat(findings().stream().map(Finding::id).toList().contains("readiness_unauthorized"))
        .isEqualTo(found);
  }

  @Test
  void anEngineThatIsDownIsNotAsked() {
    containers.put("vllm-box", Made.container("vllm-box", "exited"));
    probe = new ProbeResult.NotReady("status 401, accepted [200]");

    assertThat(findings()).isEmpty();
  }

  @Test
  void aShellThatSwallowsSigterm() {
    List<String> command = List.of("/bin/sh", "-c", "python server.py; true");
    containers.put("comfy-box", Made.with("comfy-box", "exited", false, "no", List.of(), command));
    assertThat(only("ignores_sigterm").severity()).isEqualTo(Severity.NOTE);

    List<String> execs = List.of("/bin/sh", "-c", "exec python server.py");
    containers.put("comfy-box", Made.with("comfy-box", "exited", false, "no", List.of(), execs));
    assertThat(findings()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "'status 404, accepted [200]', readiness_path_wrong, PROBLEM",
    "'status 307 (a redirect, not followed), accepted [200]', readiness_path_wrong, PROBLEM",
    "'status 503, accepted [200]', readiness_unanswered, WARNING",
    "'no answer within 5 s', readiness_unanswered, WARNING"
  })
  void aReadinessPathThatIsWrongOrNeverAnswers(String seen, String id, Severity severity) {
    probe = new ProbeResult.NotReady(seen);

    assertThat(only(id).severity()).isEqualTo(severity);
    assertThat(only(id).what()).contains("/health of vllm").contains(seen);
  }

  @Test
  void aReadinessPathThatNeverAnswersThoughDockerCallsItHealthy() {
    probe = new ProbeResult.NotReady("connection refused");
    ContainerDetails made = containers.get("vllm-box");
    containers.put("vllm-box", Made.with(made, Optional.of("healthy"), "", "", Map.of()));

    assertThat(only("readiness_unanswered").severity()).isEqualTo(Severity.PROBLEM);
    assertThat(only("readiness_unanswered").mend()).contains("engines.vllm.url");
  }

  @Test
  void aMediaServerThatRunsIsAskedToo() {
    containers.put("vllm-box", Made.container("vllm-box", "exited"));
    containers.put("comfy-box", Made.container("comfy-box", "running"));
    probe = new ProbeResult.NotReady("status 401, accepted [200]");

    assertThat(only("readiness_unauthorized").mend()).contains("media.comfyui.readiness.path");
  }

  @Test
  void stopsThatTakeTheWholeGraceOnceThatIsKnown() {
    stopTimes.put(VLLM, Duration.ofMillis(9_900));
    assertThat(findings()).isEmpty();

    stopTimes.put(VLLM, Duration.ofMillis(10_100));
    assertThat(only("stop_takes_whole_grace").what()).contains("vllm-box").contains("10 s");
    assertThat(only("stop_takes_whole_grace").mend()).contains("init: true");
  }

  @Test
  void aStopSignalThatLeavesNoTimeToCleanUp() {
    ContainerDetails made = containers.get("comfy-box");
    containers.put("comfy-box", Made.with(made, Optional.empty(), "SIGKILL", "", Map.of()));

    assertThat(only("stop_signal_kill").mend()).contains("--stop-signal SIGTERM");
  }

  @Test
  void processesThatOutliveTheirContainer() {
    ContainerDetails made = containers.get("vllm-box");
    containers.put("vllm-box", Made.with(made, Optional.empty(), "", "host", Map.of()));

    assertThat(only("pid_mode_host").backend()).isEqualTo("vllm");
  }

  @Test
  void whatComposeWouldDoByHabit() {
    containers.replaceAll(
        (name, made) -> Made.with(made, Optional.empty(), "", "", Made.composed(name, "vllm-box")));

    assertThat(only("compose_project").why()).contains("down removes").contains("up");
    assertThat(only("compose_project").mend())
        .startsWith("docker compose -p box stop vllm-box comfy-box");
    assertThat(findings().stream().filter(one -> one.id().equals("compose_project"))).hasSize(1);
    assertThat(only("compose_depends_on").backend()).isEqualTo("comfyui");
    assertThat(only("compose_depends_on").severity()).isEqualTo(Severity.WARNING);
  }

  @Test
  void aDaemonOlderThanAnyThatWasTried() {
    version = new DaemonVersion("19.03", "1.40", "1.12");

    assertThat(only("docker_api_old").what()).contains("1.40");
  }

  @Test
  void aSocketThatWeMayNotUse() {
    List<Finding> found =
        preflight(Made.refusing("java.net.SocketException: Permission denied")).findings();

    assertThat(found).extracting(Finding::id).containsExactly("docker_socket_rights");
    assertThat(found.getFirst().mend()).startsWith("usermod -aG docker");
  }

  @Test
  void moreMemoryThanTheCardHas() {
    vram = OptionalLong.of(40_000);

    assertThat(only("vram_too_large").what()).contains("40000").contains("32607");
  }

  @Test
  void noToolForTheCardIsOnlyANote() {
    reading = new CardReading.NoTool("no nvidia-smi on the path");

    assertThat(only("no_gpu_tool").severity()).isEqualTo(Severity.NOTE);
  }

  @Test
  void aStrangerOnTheCardIsNamedAndOursAreNot() {
    reading =
        new CardReading.Sample(
            32607,
            107,
            List.of(
                new CardReading.Holder(10, 30000, "id-of-vllm-box", "python"),
                new CardReading.Holder(4711, 400, "", "Xorg")));

    Finding finding = only("stranger_on_card");

    assertThat(finding.what()).contains("4711").contains("Xorg").contains("400 MiB");
    assertThat(finding.mend()).isEqualTo("ps -fp 4711");
  }

  @Test
  void aFallbackEngineWithoutTheNamesOfTheSelectedOne() {
    models = Map.of(VLLM, Map.of("local", "qwen3-32b"));

    assertThat(only("model_alias_missing").what()).contains("ninfer").contains("local");
  }

  @Test
  void anUnreachableDockerIsAProblemAndHidesNothingElse() {
    reading = new CardReading.Failed("nvidia-smi did not answer in 5 s");
    containers.clear();

    List<Finding> found = preflight(Made.refusing("connection refused")).findings();

    assertThat(found)
        .extracting(Finding::id)
        .containsExactly("docker_unreachable", "card_unreadable");
    assertThat(found.getFirst().severity()).isEqualTo(Severity.PROBLEM);
  }

  @Test
  void neverAdvisesToTakeContainersDown() {
    containers.put(
        "comfy-box",
        Made.with(
            "comfy-box",
            "running",
            true,
            "always",
            List.of(new PublishedPort("8188/tcp", "", "0")),
            List.of("sh", "-c", "x; y")));
    containers.computeIfPresent(
        "vllm-box",
        (name, made) ->
            Made.with(made, Optional.empty(), "SIGKILL", "host", Made.composed(name, "comfy-box")));
    probe = new ProbeResult.NotReady("status 401");
    version = new DaemonVersion("19.03", "1.40", "1.12");
    stopTimes.put(VLLM, Duration.ofSeconds(10));
    reading = new CardReading.NoTool("none");

    assertThat(findings()).hasSizeGreaterThan(5);
    assertThat(findings()).noneMatch(finding -> finding.mend().contains("down"));
    assertThat(findings()).allMatch(finding -> !finding.mend().isBlank());
    assertThat(findings()).allMatch(finding -> !finding.why().isBlank());
  }

  private Finding only(String id) {
    List<Finding> found = findings();
    assertThat(found).extracting(Finding::id).contains(id);
    return found.stream().filter(finding -> finding.id().equals(id)).findFirst().orElseThrow();
  }

  private List<Finding> findings() {
    return preflight(
            new Preflight.Daemon() {
              @Override
              public Optional<ContainerDetails> details(String container) {
                return Optional.ofNullable(containers.get(container));
              }

              @Override
              public DaemonVersion version() {
                return version;
              }
            })
        .findings();
  }

  private final class Told implements Preflight.Known {
    @Override
    public Backend.Id selected() {
      return VLLM;
    }

    @Override
    public Optional<Duration> stopTime(Backend.Id backend) {
      return Optional.ofNullable(stopTimes.get(backend));
    }

    @Override
    public List<Finding> found() {
      return List.of();
    }
  }

  private Preflight preflight(Preflight.Daemon daemon) {
    BackendSettings comfy =
        Made.settings(new Backend.Id("comfyui"), "comfy-box", URI.create(mediaUrl));
    return new Preflight(
        box(),
        new WorkshopSettings(
            new DockerSettings(URI.create("unix:///var/run/docker.sock")),
            new CardSettings(OptionalInt.empty(), Optional.empty(), "nvidia-smi"),
            List.of(Made.settings(VLLM, "vllm-box", URI.create("http://127.0.0.1:8000"))),
            List.of(new MediaSettings(comfy, MediaSettings.Type.COMFYUI, "", 1))),
        models,
        List.of(),
        daemon,
        () -> reading,
        backend -> probe,
        new Told());
  }

  private Box box() {
    Duration second = Duration.ofSeconds(1);
    Budgets budgets =
        new Budgets(second, Optional.empty(), second, second, second, second, 1, vram);
    return new Box(
        List.of(
            new Engine(VLLM, "vllm-box", budgets, Optional.empty(), 3),
            new Engine(NINFER, "ninfer-box", budgets, Optional.empty(), 3)),
        List.of(),
        VLLM,
        Optional.of(NINFER),
        Optional.empty(),
        new Policy(second, second, second, second, second, second, 10));
  }
}

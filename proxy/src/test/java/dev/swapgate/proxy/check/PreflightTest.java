package dev.swapgate.proxy.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.backends.docker.ContainerDetails;
import dev.swapgate.backends.docker.ContainerDetails.PublishedPort;
import dev.swapgate.backends.settings.BackendSettings;
import dev.swapgate.backends.settings.CardSettings;
import dev.swapgate.backends.settings.DockerSettings;
import dev.swapgate.backends.settings.MediaSettings;
import dev.swapgate.backends.settings.ReadinessSettings;
import dev.swapgate.backends.settings.WorkshopSettings;
import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.Box;
import dev.swapgate.gate.core.Budgets;
import dev.swapgate.gate.core.CardReading;
import dev.swapgate.gate.core.Engine;
import dev.swapgate.gate.core.Policy;
import dev.swapgate.gate.core.ProbeResult;
import dev.swapgate.gate.port.BackendException;
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
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PreflightTest {
  private static final Backend.Id VLLM = new Backend.Id("vllm");
  private static final Backend.Id NINFER = new Backend.Id("ninfer");

  private final Map<String, ContainerDetails> containers =
      new HashMap<>(
          Map.of(
              "vllm-box", container("vllm-box", "running"),
              "comfy-box", container("comfy-box", "exited")));
  private CardReading reading = new CardReading.Sample(32607, 107, List.of());
  private ProbeResult probe = new ProbeResult.Passed();
  private Map<Backend.Id, Map<String, String>> models = Map.of();
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
    containers.put("comfy-box", with("comfy-box", "exited", false, policy, List.of(), List.of()));

    Finding finding = only(id);

    assertThat(finding.severity()).isEqualTo(severity);
    assertThat(finding.mend()).isEqualTo("docker update --restart no comfy-box");
  }

  @Test
  void aContainerThatVanishesAtItsFirstStop() {
    containers.put("vllm-box", with("vllm-box", "running", true, "no", List.of(), List.of()));

    assertThat(only("auto_remove").severity()).isEqualTo(Severity.PROBLEM);
    assertThat(only("auto_remove").backend()).isEqualTo("vllm");
  }

  @ParameterizedTest
  @CsvSource({"'', true", "0, true", "8000-8010, true", "8188, false"})
  void aPortThatChangesAtEachStart(String hostPort, boolean found) {
    containers.put(
        "comfy-box",
        with(
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
    containers.put("comfy-box", container("comfy-box", "running"));

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
    containers.put("vllm-box", container("vllm-box", "exited"));
    probe = new ProbeResult.NotReady("status 401, accepted [200]");

    assertThat(findings()).isEmpty();
  }

  @Test
  void aShellThatSwallowsSigterm() {
    List<String> command = List.of("/bin/sh", "-c", "python server.py; true");
    containers.put("comfy-box", with("comfy-box", "exited", false, "no", List.of(), command));
    assertThat(only("ignores_sigterm").severity()).isEqualTo(Severity.NOTE);

    List<String> execs = List.of("/bin/sh", "-c", "exec python server.py");
    containers.put("comfy-box", with("comfy-box", "exited", false, "no", List.of(), execs));
    assertThat(findings()).isEmpty();
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

    List<Finding> found =
        preflight(
                name -> {
                  throw new BackendException("connection refused");
                })
            .findings();

    assertThat(found)
        .extracting(Finding::id)
        .containsExactly("docker_unreachable", "card_unreadable");
    assertThat(found.getFirst().severity()).isEqualTo(Severity.PROBLEM);
  }

  @Test
  void neverAdvisesToTakeContainersDown() {
    containers.put(
        "comfy-box",
        with(
            "comfy-box",
            "running",
            true,
            "always",
            List.of(new PublishedPort("8188/tcp", "", "0")),
            List.of("sh", "-c", "x; y")));
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
    return preflight(name -> Optional.ofNullable(containers.get(name))).findings();
  }

  private Preflight preflight(Preflight.Daemon daemon) {
    BackendSettings comfy = settings(new Backend.Id("comfyui"), "comfy-box", URI.create(mediaUrl));
    return new Preflight(
        box(),
        new WorkshopSettings(
            new DockerSettings(URI.create("unix:///var/run/docker.sock")),
            new CardSettings(OptionalInt.empty(), Optional.empty(), "nvidia-smi"),
            List.of(settings(VLLM, "vllm-box", URI.create("http://127.0.0.1:8000"))),
            List.of(new MediaSettings(comfy, MediaSettings.Type.COMFYUI, "", 1))),
        models,
        daemon,
        () -> reading,
        backend -> probe,
        () -> VLLM);
  }

  private static BackendSettings settings(Backend.Id id, String container, URI url) {
    return new BackendSettings(
        id,
        container,
        url,
        new ReadinessSettings("/health", Set.of(200), "", Map.of(), Duration.ofSeconds(5)));
  }

  private static Box box() {
    Duration second = Duration.ofSeconds(1);
    Budgets budgets =
        new Budgets(
            second, Optional.empty(), second, second, second, second, 1, OptionalLong.empty());
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

  private static ContainerDetails container(String name, String state) {
    return with(name, state, false, "no", List.of(), List.of("python", "server.py"));
  }

  private static ContainerDetails with(
      String name,
      String state,
      boolean autoRemove,
      String restart,
      List<PublishedPort> ports,
      List<String> command) {
    return new ContainerDetails(
        name,
        "id-of-" + name,
        "image",
        state,
        Optional.empty(),
        autoRemove,
        restart,
        ports,
        Optional.empty(),
        "",
        List.of(),
        command,
        "",
        "private",
        Map.of());
  }
}

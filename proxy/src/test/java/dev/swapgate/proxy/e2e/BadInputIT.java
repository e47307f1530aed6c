package dev.swapgate.proxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.swapgate.proxy.e2e.CommandLine.End;
import dev.swapgate.proxy.e2e.KeptConnection.Answer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Wrong input gets one clear answer and the right exit code, and stops nothing that runs. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class BadInputIT {
  private static final Duration START = Duration.ofSeconds(60);

  @TempDir Path folder;
  private PretendBox box;

  @BeforeAll
  static void needsDocker() throws Exception {
    Simulators.assumeThere();
  }

  @BeforeEach
  void anEngineRuns() throws Exception {
    box = new PretendBox(folder, Duration.ofMillis(500));
    box.start(Place.VLLM, "/health");
  }

  @AfterEach
  void takesAllDown() throws Exception {
    if (box != null) {
      box.close();
    }
  }

  private void assertNothingWasTouched() {
    assertThat(box.events().all()).containsExactly("start vllm");
    assertThat(box.isRunning(Place.VLLM)).isTrue();
  }

  @Test
  void unknownKeysAreAllToldAtOnce() throws Exception {
    Path config =
        box.configFile(
            "selected: vllm",
            "selected: vllm\nselectd: ninfer",
            "generation: %ds".formatted(BoxYaml.GENERATION_SECONDS),
            "generaton: 90s");

    End end = CommandLine.run(folder, config, "serve");

    assertThat(end.exitCode()).as(end.said()).isEqualTo(78);
    assertThat(end.said())
        .contains(config.getFileName().toString())
        .contains("selectd")
        .contains("media.comfyui.generaton")
        .contains("media.music.generaton");
    assertNothingWasTouched();
  }

  @Test
  void twoBackendsOnOneContainerAreRefused() throws Exception {
    Path config = box.configFile(box.container(Place.MUSIC), box.container(Place.COMFYUI));

    End end = CommandLine.run(folder, config, "serve");

    assertThat(end.exitCode()).as(end.said()).isEqualTo(78);
    assertThat(end.said())
        .contains(box.container(Place.COMFYUI))
        .contains("media.music.container")
        .contains("comfyui");
    assertNothingWasTouched();
  }

  @Test
  void aPortInUseIsNamed() throws Exception {
    try (ServerSocket taken =
        new ServerSocket(box.chat().getPort(), 1, InetAddress.getLoopbackAddress())) {
      End end = CommandLine.run(folder, box.configFile(), "serve");

      assertThat(end.exitCode()).as(end.said()).isEqualTo(69);
      assertThat(end.said())
          .contains("127.0.0.1:" + taken.getLocalPort())
          .contains("listen")
          .doesNotContain("\tat ");
    }
    assertNothingWasTouched();
  }

  @Test
  void aSecondSwapgateIsRefused() throws Exception {
    try (CommandLine first = CommandLine.serve(folder, box.configFile(), box.admin());
        AdminApi admin = new AdminApi(box.admin(), first::said)) {
      admin.awaitChat(Place.VLLM);

      End end = CommandLine.run(folder, box.configFile(), "serve");

      assertThat(end.exitCode()).as(end.said()).isEqualTo(69);
      assertThat(end.said()).contains("another swapgate").contains("state_dir");
      assertThat(first.isAlive()).isTrue();
      admin.awaitChat(Place.VLLM);
    }
    assertNothingWasTouched();
  }

  @Test
  void aDaemonThatDoesNotAnswerIsWaitedFor() throws Exception {
    Path socket = folder.resolve("no-daemon.sock");
    Path config = box.configFile(PretendBox.dockerHost().toString(), "unix://" + socket);
    try (CommandLine serve = CommandLine.serve(folder, config, box.admin());
        AdminApi admin = new AdminApi(box.admin(), serve::said);
        KeptConnection client = new KeptConnection(box.chat())) {
      Await.until(
          () -> "a warning of Docker in " + serve.said(),
          START,
          () -> serve.said().lines().anyMatch(l -> l.contains("WARN") && l.contains("ocker")));

      assertThat(serve.said()).contains(socket.toString());
      assertThat(admin.code("/healthz")).isEqualTo(200);
      assertThat(admin.code("/readyz")).isEqualTo(503);
      Answer refused = Chat.ask(client, Chat.OPENAI);
      assertThat(refused.status()).isIn(429, 503);
      assertThat(refused.retryAfter()).isBetween(30, 900);
      assertThat(serve.isAlive()).isTrue();

      serve.terminate();
      assertThat(serve.end().exitCode()).as(serve.said()).isZero();
    }
    assertNothingWasTouched();
  }

  @Test
  void aMissingContainerIsNamedByCheck() throws Exception {
    Path config = box.configFile(box.container(Place.MUSIC), "no-such-container");
    try (CommandLine serve = CommandLine.serve(folder, config, box.admin());
        AdminApi admin = new AdminApi(box.admin(), serve::said)) {
      admin.awaitChat(Place.VLLM);

      End end = CommandLine.run(folder, config, "check");

      assertThat(end.exitCode()).as(end.said()).isEqualTo(1);
      assertThat(end.said()).contains("music").contains("no-such-container");
      assertThat(serve.isAlive()).isTrue();
    }
    assertNothingWasTouched();
  }

  @Test
  void aWorkflowAsTheEditorSavesItIsRefusedWithTheWayOut() throws Exception {
    Path workflow =
        Files.writeString(
            folder.resolve("editor.json"),
            """
            {"last_node_id":9,"last_link_id":9,
             "nodes":[{"id":9,"type":"SaveImage","inputs":[],"widgets_values":["x"]}],
             "links":[],"groups":[],"config":{},"extra":{},"version":0.4}""");
    try (CommandLine serve = CommandLine.serve(folder, box.configFile(), box.admin());
        AdminApi admin = new AdminApi(box.admin(), serve::said)) {
      admin.awaitChat(Place.VLLM);

      End end = CommandLine.run(folder, box.configFile(), "submit", "comfyui", workflow.toString());

      assertThat(end.exitCode()).as(end.said()).isEqualTo(2);
      assertThat(end.said()).contains("API");
      assertThat(admin.get("/api/v1/jobs").path("jobs")).isEmpty();
      assertThat(serve.isAlive()).isTrue();
    }
    assertNothingWasTouched();
  }

  /** Only the server knows its nodes and files, so this takes a swap; chat comes back. */
  @Test
  void whatTheServerRejectsIsToldNodeByNode() throws Exception {
    Path workflow =
        Files.writeString(
            folder.resolve("rejected.json"),
            SwapIT.workflow().replace("sd_xl_base_1.0.safetensors", "not-here.safetensors"));
    try (CommandLine serve = CommandLine.serve(folder, box.configFile(), box.admin());
        AdminApi admin = new AdminApi(box.admin(), serve::said);
        KeptConnection client = new KeptConnection(box.chat())) {
      admin.awaitChat(Place.VLLM);

      End end =
          CommandLine.run(
              folder, box.configFile(), "submit", "comfyui", workflow.toString(), "--wait=chat");

      assertThat(end.exitCode()).as(end.said()).isEqualTo(1);
      assertThat(end.said())
          .contains("node 1")
          .contains("CheckpointLoaderSimple")
          .contains("ckpt_name")
          .contains("not-here.safetensors");
      Chat.assertAnsweredBy(Place.VLLM, Chat.ask(client, Chat.OPENAI));
      JsonNode job = admin.get("/api/v1/jobs").path("jobs").path(0);
      assertThat(job.path("state").asText()).as("%s", job).isEqualTo("failed");
      assertThat(serve.isAlive()).isTrue();
    }
    assertThat(box.events().allOnceSeen("start vllm", 2))
        .endsWith("start vllm")
        .containsSubsequence(List.of("die vllm", "start comfyui", "die comfyui", "start vllm"));
    assertThat(box.journal().failedClaims()).isEmpty();
    assertThat(box.journal().overlaps()).isEmpty();
  }
}

package dev.swapgate.proxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code swapgate rehearse}: the whole program swaps on the fake Docker API, without a job. */
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class RehearseTest {
  @TempDir Path folder;

  @Test
  void goesThereAndBackAndTellsWhatItTook() throws Exception {
    try (FakeBox box = new FakeBox(folder, Map.of());
        CommandLine swapgate = box.serve();
        AdminApi admin = new AdminApi(box.admin(), swapgate::said)) {

      CommandLine.End end = CommandLine.run(folder, box.config(), "rehearse", "comfyui");

      assertThat(end.exitCode()).as(end.said()).isZero();
      assertThat(end.said())
          .contains("there and back in")
          .contains("stop of vllm: ")
          .contains("by itself")
          .contains("32607 MiB free when empty; the engine holds 32500 MiB")
          .contains("vram: 32500MiB");
      JsonNode report = admin.get("/api/v1/rehearsals").path("rehearsals").get(0);
      assertThat(report.path("state").asText()).isEqualTo("done");
      assertThat(steps(report))
          .contains(
              "vllm stop",
              "vllm release",
              "comfyui start_to_ready",
              "comfyui stop",
              "comfyui release",
              "vllm start_to_ready");
      assertThat(report.path("stops")).hasSize(2);
      assertThat(admin.get("/api/v1/leases").path("leases")).isEmpty();
      assertThat(admin.status().path("chat_open").asBoolean()).isTrue();
      assertThat(box.journal().failedClaims()).isEmpty();
      assertThat(box.journal().overlaps()).isEmpty();
    }
  }

  @Test
  void tellsOfAContainerThatHadToBeKilled() throws Exception {
    try (FakeBox box = FakeBox.withDeafComfyUi(folder);
        CommandLine swapgate = box.serve()) {

      CommandLine.End end = CommandLine.run(folder, box.config(), "rehearse");

      assertThat(end.exitCode()).as(end.said()).isZero();
      assertThat(end.said())
          .contains("of 3.0 s, killed, exit code 137")
          .contains("advice: comfyui did not end by itself")
          .contains("init: true");
      assertThat(swapgate.isAlive()).isTrue();
    }
  }

  @Test
  void refusesPolitelyWhatWouldDisturb() throws Exception {
    try (FakeBox box = new FakeBox(folder, Map.of("SIM_STEP_TIME", "300ms"));
        CommandLine swapgate = box.serve();
        AdminApi admin = new AdminApi(box.admin(), swapgate::said)) {
      CommandLine.End unknown = CommandLine.run(folder, box.config(), "rehearse", "vllm");
      assertThat(unknown.exitCode()).isEqualTo(2);
      assertThat(unknown.said()).contains("no media backend is named vllm");

      admin.post("maintenance", "{\"on\":true}");
      CommandLine.End handsOff = CommandLine.run(folder, box.config(), "rehearse");
      assertThat(handsOff.exitCode()).as(handsOff.said()).isEqualTo(2);
      assertThat(handsOff.said()).contains("swapgate maintenance off");
      admin.post("maintenance", "{\"on\":false}");
      admin.awaitChat(Place.VLLM);

      String job = admin.submit(Place.COMFYUI, "workflow", SwapIT.workflow());
      CommandLine.End busy = CommandLine.run(folder, box.config(), "rehearse");
      assertThat(busy.exitCode()).as(busy.said()).isEqualTo(2);
      assertThat(busy.said()).contains("swapgate jobs");
      admin.awaitEnd(job);
    }
  }

  private static List<String> steps(JsonNode report) {
    List<String> steps = new ArrayList<>();
    report
        .path("times")
        .forEach(one -> steps.add(one.path("backend").asText() + " " + one.path("step").asText()));
    return steps;
  }
}

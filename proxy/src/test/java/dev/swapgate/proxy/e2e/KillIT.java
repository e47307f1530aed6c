package dev.swapgate.proxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.swapgate.backends.sim.ComfyGraph;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** swapgate is killed in the middle of a job and started again. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class KillIT extends RealBox {
  private static final Duration START = Duration.ofSeconds(60);

  @BeforeEach
  void anEngineRuns() throws Exception {
    open(Duration.ofMillis(500));
  }

  @Test
  void theNextOneAdoptsTheRenderAndChatComesBack() throws Exception {
    String workflow = SwapIT.workflow();
    Path config = box.configFile();
    try (AdminApi comfyUi = new AdminApi(box.server(Place.COMFYUI))) {
      String id;
      try (CommandLine first = CommandLine.serve(folder, config, box.admin());
          AdminApi admin = new AdminApi(box.admin(), first::said)) {
        admin.awaitChat(Place.VLLM);
        id = admin.submit(Place.COMFYUI, "workflow", workflow);
        admin.awaitStatus("the job runs", one -> one.path("phase").asText().equals("running"));
        Await.until(
            () -> "ComfyUI renders; it says " + comfyUi.get("/queue"),
            START,
            () -> !comfyUi.get("/queue").path("queue_running").isEmpty());
        first.kill();
      }
      String render = box.startedAt(Place.COMFYUI);

      try (CommandLine second = CommandLine.serve(folder, config, box.admin());
          AdminApi admin = new AdminApi(box.admin(), second::said);
          KeptConnection client = new KeptConnection(box.chat())) {
        JsonNode job = admin.awaitEnd(id);
        assertThat(job.path("state").asText()).as("%s", job).isEqualTo("done");
        assertThat(job.path("attempts").asInt()).as("%s", job).isEqualTo(1);
        admin.awaitChat(Place.VLLM);
        Chat.assertAnsweredBy(Place.VLLM, Chat.ask(client, Chat.OPENAI));
        assertThat(admin.get("/api/v1/jobs").path("jobs")).hasSize(1);
        assertThat(job.path("files")).hasSize(2);
        for (JsonNode name : job.path("files")) {
          String node = name.asText().startsWith("positive") ? "8" : "9";
          assertThat(Files.readAllBytes(box.results().resolve(id).resolve(name.asText())))
              .isEqualTo(ComfyGraph.expectedFile(workflow, node, 0));
        }
        assertThat(second.isAlive()).isTrue();
      }
      assertThat(box.startedAt(Place.COMFYUI)).as("the run that was adopted").isEqualTo(render);
      assertThat(box.events().allOnceSeen("start vllm", 2))
          .containsExactly(
              "start vllm",
              "kill vllm",
              "die vllm",
              "start comfyui",
              "kill comfyui",
              "die comfyui",
              "start vllm");
      assertOneAtATime();
    }
  }
}

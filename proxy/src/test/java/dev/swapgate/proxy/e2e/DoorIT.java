package dev.swapgate.proxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.swapgate.backends.sim.ComfyGraph;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Open WebUI at ComfyUI's own port, which swapgate keeps. */
@Timeout(value = 400, unit = TimeUnit.SECONDS)
class DoorIT extends RealBox {
  private URI door;

  @BeforeEach
  void chatIsServed() throws Exception {
    open(Duration.ofMillis(500));
    int port = Simulators.freePorts(1).getFirst();
    door = URI.create("http://127.0.0.1:" + port);
    Path config =
        box.configFile(
            BoxYaml.END_OF_COMFYUI, "    door: 127.0.0.1:" + port + "\n" + BoxYaml.END_OF_COMFYUI);
    serveHere(config);
  }

  /** They come while an answer is under way, share one visit, and leave their WebSockets open. */
  @Test
  void twoClientsMakePicturesInOneVisitAndTheirOpenSocketsKeepNothing() throws Exception {
    String workflow = SwapIT.workflow();
    String other = workflow.replace("20260131", "20260132");
    try (OpenWebUi one = new OpenWebUi(door, "one");
        OpenWebUi two = new OpenWebUi(door, "two");
        KeptConnection reader = new KeptConnection(box.chat())) {
      Chat.beginLongStream(reader, Place.VLLM);

      CompletableFuture<List<byte[]>> first = making(one, workflow);
      admin.awaitStatus("chat is shut", status -> !status.path("chat_open").asBoolean());
      CompletableFuture<List<byte[]>> second = making(two, other);
      assertThat(box.isRunning(Place.VLLM)).as("the engine while an answer is under way").isTrue();
      Chat.assertEndsWhole(reader);

      assertMade(first.get(120, TimeUnit.SECONDS), workflow);
      assertMade(second.get(120, TimeUnit.SECONDS), other);
      JsonNode leases = admin.get("/api/v1/leases").path("leases");
      assertThat(leases).as("%s", leases).hasSize(1);

      admin.awaitChat(Place.VLLM);
      box.events().assertOneVisit(Place.VLLM, Place.COMFYUI);
      assertOneAtATime();
    }
  }

  private static CompletableFuture<List<byte[]>> making(OpenWebUi client, String workflow) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return client.makes(workflow);
          } catch (Exception e) {
            throw new AssertionError("no pictures", e);
          }
        });
  }

  private static void assertMade(List<byte[]> pictures, String workflow) {
    assertThat(pictures)
        .containsExactlyInAnyOrder(
            ComfyGraph.expectedFile(workflow, "8", 0), ComfyGraph.expectedFile(workflow, "9", 0));
  }
}

package dev.swapgate.proxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.swapgate.proxy.clients.NodeLibraries;
import dev.swapgate.proxy.mcp.Agent;
import dev.swapgate.proxy.page.Browser;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each other way to a picture than a job, with its real client; {@link DoorIT} has Open WebUI. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class FrontDoorsIT extends RealBox {
  private static final String INPUTS =
      "prompt: 2.text, seed: 5.seed, width: 4.width, height: 4.height";

  private URI door;
  private Path config;

  @BeforeEach
  void chatIsServed() throws Exception {
    open(Duration.ofMillis(500));
    int port = Simulators.freePorts(1).getFirst();
    door = URI.create("http://127.0.0.1:" + port);
    config =
        box.configFile(
            BoxYaml.END_OF_COMFYUI,
            "    door: 127.0.0.1:" + port + "\n    door_idle: 6s\n" + BoxYaml.END_OF_COMFYUI,
            "policy:",
            ImageCalls.portrait(folder, INPUTS) + "policy:");
    serve(config);
    admin.awaitChat(Place.VLLM);
  }

  @Test
  void theOpenAiLibrariesGetTheirPicturesByThePortOfChat() throws Exception {
    try (NodeLibraries node = NodeLibraries.areInstalled() ? new NodeLibraries() : null;
        KeptConnection reader = new KeptConnection(box.chat())) {
      Chat.beginLongStream(reader, Place.VLLM);

      CompletableFuture<byte[]> java =
          CompletableFuture.supplyAsync(() -> ImageCalls.java(box.chat(), "a mill"));
      CompletableFuture<String> javaScript = ImageCalls.javaScript(node, box.chat());
      admin.awaitStatus("chat is shut", status -> !status.path("chat_open").asBoolean());
      assertThat(box.isRunning(Place.VLLM)).as("the engine while an answer is under way").isTrue();
      Chat.assertEndsWhole(reader);

      ImageCalls.assertPicture(java.get(120, TimeUnit.SECONDS));
      ImageCalls.assertPicture(javaScript.get(120, TimeUnit.SECONDS));
      admin.awaitChat(Place.VLLM);
      assertChatAnswers();
      JsonNode jobs = admin.get("/api/v1/jobs").path("jobs");
      assertThat(jobs).hasSize(node == null ? 1 : 2);
      assertThat(jobs).allMatch(job -> job.path("state").asText().equals("done"), "is done");
      assertOneAtATime();
    }
  }

  /** Its tab stays open, and the card goes back all the same. */
  @Test
  void aBrowserWakesTheSleepingDoorAndSeesThePageBehind() throws Exception {
    try (Browser browser = Browser.open(folder.resolve("profile"))) {
      DoorTab tab = new DoorTab(browser, door);
      tab.show();
      tab.awaitText("comfyui sleeps");
      assertThat(box.isRunning(Place.COMFYUI)).as("ComfyUI before it is woken").isFalse();
      assertThat(admin.status().path("chat_open").asBoolean()).isTrue();

      tab.wake();

      tab.awaitComfyUi();
      assertThat(box.isRunning(Place.VLLM)).as("the engine while ComfyUI is used").isFalse();
      admin.awaitChat(Place.VLLM);
      assertChatAnswers();
      assertThat(box.isRunning(Place.COMFYUI)).as("ComfyUI once chat is back").isFalse();
      box.events().assertOneVisit(Place.VLLM, Place.COMFYUI);
      assertOneAtATime();
    }
  }

  @Test
  void anAgentGetsItsFilesAndFindsChatOpen() throws Exception {
    Path out = folder.resolve("out");
    try (Agent agent = new Agent(CommandLine.command(config, "mcp", "--out", out.toString()))) {
      Agent.Said said = agent.call("make_image", Map.of("prompt", "a red barn", "seed", 7));

      assertChatAnswers();
      assertThat(said.failed()).as(said.text()).isFalse();
      assertThat(said.pictures()).hasSize(2).allMatch(one -> one.startsWith("image/png iVBOR"));
      List<Path> files = said.text().lines().skip(1).map(Path::of).toList();
      assertThat(files).hasSize(2).allMatch(Files::isReadable).allMatch(one -> one.startsWith(out));
      box.events().assertOneVisit(Place.VLLM, Place.COMFYUI);
      assertOneAtATime();
    }
  }

  private void assertChatAnswers() throws IOException {
    try (KeptConnection client = new KeptConnection(box.chat())) {
      Chat.assertAnsweredBy(Place.VLLM, Chat.ask(client, Chat.OPENAI));
    }
  }
}

package dev.swapgate.proxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.backends.sim.SimMusic;
import dev.swapgate.proxy.mcp.Agent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An agent that is there when its music gets a name, and then asks for some. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class AgentMusicTest {

  private static final String KEYS =
      """
      type: ace_step
      readiness: {path: /health, budget: 60s, interval: 100ms}
      generation: 100s
      """;

  @TempDir Path folder;

  @Test
  void aToolComesWithItsWorkflowAndMakesMusic() throws Exception {
    Files.writeString(
        folder.resolve("song.json"),
        """
        {"prompt":"slow waltz","lyrics":"la","use_random_seed":false,"seed":7,"batch_size":1,
         "inference_steps":20}
        """);
    try (FakeBox box = FakeBox.with(Place.MUSIC, KEYS, Map.of(), folder)) {
      Path out = folder.resolve("out");
      Path config = box.config();
      try (CommandLine swapgate = box.serve();
          AdminApi admin = new AdminApi(box.admin(), swapgate::said);
          Agent agent = new Agent(CommandLine.command(config, "mcp", "--out", out.toString()))) {
        assertThat(agent.tools()).containsOnlyKeys("job_status", "gpu_status");

        box.config(
            "policy:",
            "workflows: {song: {backend: music, file: song.json,"
                + " inputs: {prompt: prompt, lyrics: lyrics}}}\npolicy:");
        Program.signal(swapgate.pid(), "HUP");
        Await.until(
            () -> "the agent is told; swapgate said " + swapgate.said(),
            AdminApi.PATIENCE,
            agent::toldOfOtherTools);
        assertThat(agent.tools()).containsOnlyKeys("make_music", "job_status", "gpu_status");
        assertThat(agent.tools().get("make_music").toString()).contains("song", "prompt", "lyrics");

        Agent.Said said =
            agent.call("make_music", Map.of("prompt", "a march", "lyrics", "rain on a roof"));

        assertThat(said.failed()).as(said.text()).isFalse();
        assertThat(admin.status().path("chat_open").asBoolean()).as("chat, at once").isTrue();
        assertThat(said.text().lines().skip(1).map(Path::of))
            .singleElement()
            .satisfies(
                file ->
                    assertThat(file)
                        .hasBinaryContent(
                            SimMusic.expectedAudio("a march", "rain on a roof", 7, 0)));
        assertThat(said.pictures()).isEmpty();
        assertThat(box.journal().overlaps()).isEmpty();
      }
    }
  }
}

package dev.swapgate.proxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.proxy.mcp.Agent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code swapgate mcp} before an agent with the protocol's own client, through a whole swap. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class AgentTest {
  @TempDir Path folder;

  @Test
  void anAgentGetsItsPictureAndFindsChatOpen() throws Exception {
    try (FakeBox box = new FakeBox(folder, Map.of("SIM_STEP_TIME", "150ms"))) {
      Path config =
          box.config(
              "policy:", ImageCalls.portrait(folder, "prompt: 2.text, seed: 5.seed") + "policy:");
      Path out = folder.resolve("out");
      try (CommandLine swapgate = CommandLine.serve(folder, config, box.admin());
          AdminApi admin = new AdminApi(box.admin(), swapgate::said);
          Agent agent = new Agent(CommandLine.command(config, "mcp", "--out", out.toString()))) {
        admin.awaitChat(Place.VLLM);

        assertThat(agent.tools()).containsOnlyKeys("make_image", "job_status", "gpu_status");
        assertThat(agent.tools().get("make_image").toString())
            .contains("workflow", "portrait", "prompt", "seed");

        Agent.Said said =
            agent.callWatching("make_image", Map.of("prompt", "a red barn", "seed", 7));

        assertThat(admin.status().path("chat_open").asBoolean()).as("chat, at once").isTrue();
        assertThat(said.failed()).as(said.text()).isFalse();
        assertThat(said.pictures()).hasSize(2).allMatch(one -> one.startsWith("image/png iVBOR"));
        assertThat(said.text().lines().skip(1).map(Path::of))
            .hasSize(2)
            .allMatch(Files::isReadable);
        assertThat(agent.progress()).isNotEmpty().anyMatch(line -> line.contains("running"));
        String job = said.text().split(" ")[1];
        assertThat(admin.job(job).path("set").toString())
            .contains("\"2.text\":\"a red barn\"", "\"5.seed\":\"7\"");
        assertThat(agent.call("job_status", Map.of("job", job)).text()).isEqualTo(said.text());
        assertThat(agent.call("gpu_status", Map.of()).text()).contains("\"chat_open\":true");

        Agent.Said wrong = agent.call("make_image", Map.of("promt", "x"));
        assertThat(wrong.failed()).isTrue();
        assertThat(wrong.text()).contains("has no input promt; it has --prompt --seed");
        assertThat(agent.call("job_status", Map.of("job", "none")).failed()).isTrue();
      }
    }
  }
}

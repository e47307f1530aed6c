package dev.swapgate.proxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.swapgate.backends.sim.SimInfer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Commands run inside a container that stays up between jobs, on the real daemon. */
@Timeout(180)
class InsideIT extends RealBox {
  private static final String SONG = "{\"genre\":\"%s\",\"lyrics\":\"la la\"}";

  private Path config;

  /** The studio's container stays up; the command is run in it, and nobody asks the studio. */
  @BeforeEach
  void chatIsServed() throws Exception {
    open(Duration.ofSeconds(1));
    String yue = "container: " + box.container(Place.YUE) + "\n";
    String studio = "container: " + box.container(Place.STUDIO) + "\n";
    String command =
        "    inside: [/jre/bin/java, -cp, /app, dev.swapgate.backends.sim.Sim, infer, frees]\n";
    config =
        box.configFile(
            yue, "container: other\n", studio, yue, "container: other\n", studio + command);
    serve(config);
    admin.awaitChat(Place.VLLM);
  }

  private void assertHomeAgain() throws Exception {
    admin.awaitChat(Place.VLLM);
    assertThat(box.isRunning(Place.STUDIO)).isFalse();
    assertThat(box.journal().failedClaims()).isEmpty();
  }

  @Test
  void aSongIsMadeInsideAndThenChatIsServedAgain() throws Exception {
    String id = admin.submit(Place.YUE, "request", SONG.formatted("folk"));

    assertThat(admin.awaitEnd(id).path("state").asText()).isEqualTo("done");
    assertThat(box.results().resolve(id).resolve("song.mp3"))
        .hasBinaryContent(SimInfer.expectedSong("folk", "la la"));
    assertHomeAgain();
    assertThat(box.events().allOnceSeen("start vllm", 2))
        .filteredOn(event -> event.equals("start studio"))
        .hasSize(1);
    assertThat(admin.get("/api/v1/check").toString()).contains("commands_inside");
  }

  @Test
  void twoSongsAreMadeInOneVisit() throws Exception {
    String first = admin.submit(Place.YUE, "request", SONG.formatted("folk"));
    String second = admin.submit(Place.YUE, "request", SONG.formatted("jazz"));

    assertThat(admin.awaitEnd(first).path("state").asText()).isEqualTo("done");
    JsonNode job = admin.awaitEnd(second);
    assertThat(job.path("state").asText()).as("%s", job).isEqualTo("done");
    assertThat(box.results().resolve(second).resolve("song.mp3"))
        .hasBinaryContent(SimInfer.expectedSong("jazz", "la la"));
    assertHomeAgain();
    assertThat(box.events().allOnceSeen("start vllm", 2))
        .filteredOn(event -> event.equals("start studio"))
        .hasSize(1);
  }

  @Test
  void anErrorIsTheJobs() throws Exception {
    String id = admin.submit(Place.YUE, "request", SONG.formatted("sim:error"));

    JsonNode job = admin.awaitEnd(id);
    assertThat(job.path("state").asText()).isEqualTo("failed");
    assertThat(job.path("error").asText()).contains("exit code 3");
    assertHomeAgain();
  }

  @Test
  void aSongOutlivesSwapgateAndIsBegunOnce() throws Exception {
    String id = admin.submit(Place.YUE, "request", SONG.formatted("folk"));
    Await.until(
        () -> "it runs",
        Duration.ofSeconds(60),
        () -> Files.exists(box.work().resolve(".swapgate-job")));
    String run = box.startedAt(Place.STUDIO);
    endSwapgate();
    serve(config);

    JsonNode job = admin.awaitEnd(id);
    assertThat(job.path("state").asText()).as("%s", job).isEqualTo("done");
    assertThat(job.path("attempts").asInt()).isEqualTo(1);
    assertThat(box.startedAt(Place.STUDIO)).isEqualTo(run);
    assertHomeAgain();
  }
}

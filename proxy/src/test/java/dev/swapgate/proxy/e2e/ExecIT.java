package dev.swapgate.proxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.swapgate.backends.sim.SimInfer;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A container that is itself the job, on the real daemon: started for each job, run to its exit.
 */
@Timeout(180)
class ExecIT {
  private static final String SONG = "{\"genre\":\"%s\",\"lyrics\":\"la la\"}";

  @TempDir Path folder;
  private PretendBox box;
  private CommandLine swapgate;
  private AdminApi admin;

  @BeforeAll
  static void needsDocker() throws Exception {
    Simulators.assumeThere();
  }

  @BeforeEach
  void chatIsServed() throws Exception {
    box = new PretendBox(folder, Duration.ofSeconds(1));
    box.start(Place.VLLM, "/health");
    serve();
    admin.awaitChat(Place.VLLM);
  }

  private void serve() throws Exception {
    swapgate = CommandLine.serve(folder, box.configFile(), box.admin());
    admin = new AdminApi(box.admin(), swapgate::said);
  }

  @AfterEach
  void takesAllDown() throws Exception {
    if (swapgate != null) {
      swapgate.close();
      admin.close();
    }
    box.close();
  }

  private void assertHomeAgain() throws Exception {
    admin.awaitChat(Place.VLLM);
    assertThat(box.isRunning(Place.YUE)).isFalse();
    assertThat(box.journal().overlaps()).isEmpty();
    assertThat(box.journal().failedClaims()).isEmpty();
  }

  @Test
  void twoSongsInOneVisitAndThenChatAgain() throws Exception {
    String first = admin.submit(Place.YUE, "request", SONG.formatted("folk"));
    String second = admin.submit(Place.YUE, "request", SONG.formatted("jazz"));

    assertThat(admin.awaitEnd(first).path("state").asText()).isEqualTo("done");
    assertThat(admin.awaitEnd(second).path("state").asText()).isEqualTo("done");
    assertThat(box.results().resolve(first).resolve("song.mp3"))
        .hasBinaryContent(SimInfer.expectedSong("folk", "la la"));
    assertThat(box.results().resolve(second).resolve("song.mp3"))
        .hasBinaryContent(SimInfer.expectedSong("jazz", "la la"));
    assertHomeAgain();
    assertThat(box.events().allOnceSeen("start vllm", 2))
        .containsExactly(
            "start vllm",
            "kill vllm",
            "die vllm",
            "start yue",
            "die yue",
            "start yue",
            "die yue",
            "start vllm");
  }

  @Test
  void anErrorIsTheJobsAndIsToldWithItsLastWords() throws Exception {
    String id = admin.submit(Place.YUE, "request", SONG.formatted("sim:error"));

    JsonNode job = admin.awaitEnd(id);
    assertThat(job.path("state").asText()).isEqualTo("failed");
    assertThat(job.path("attempts").asInt()).isEqualTo(1);
    assertThat(job.path("error").asText())
        .contains("exit code 3")
        .contains("a failure was asked for by the genre");
    assertHomeAgain();
  }

  @Test
  void aSongThatHangsIsCancelled() throws Exception {
    String id = admin.submit(Place.YUE, "request", SONG.formatted("sim:hang"));
    Await.until(() -> "it runs", Duration.ofSeconds(60), () -> box.isRunning(Place.YUE));

    admin.delete("jobs/" + id);
    assertThat(admin.awaitEnd(id).path("state").asText()).isEqualTo("cancelled");
    assertHomeAgain();
  }

  @Test
  void aSongOutlivesSwapgate() throws Exception {
    String id = admin.submit(Place.YUE, "request", SONG.formatted("folk"));
    Await.until(() -> "it runs", Duration.ofSeconds(60), () -> box.isRunning(Place.YUE));
    String run = box.startedAt(Place.YUE);
    swapgate.kill();
    swapgate.close();
    admin.close();
    serve();

    JsonNode job = admin.awaitEnd(id);
    assertThat(job.path("state").asText()).as("%s", job).isEqualTo("done");
    assertThat(job.path("attempts").asInt()).isEqualTo(1);
    assertThat(box.startedAt(Place.YUE)).isEqualTo(run);
    assertHomeAgain();
  }
}

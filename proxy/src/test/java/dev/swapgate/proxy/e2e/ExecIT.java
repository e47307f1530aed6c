package dev.swapgate.proxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.swapgate.backends.sim.SimInfer;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A container that is itself the job, on the real daemon: started for each job, run to its exit.
 */
@Timeout(180)
class ExecIT extends RealBox {
  private static final String SONG = "{\"genre\":\"%s\",\"lyrics\":\"la la\"}";

  @BeforeEach
  void chatIsServed() throws Exception {
    open(Duration.ofSeconds(1));
    serve(box.configFile());
    admin.awaitChat(Place.VLLM);
  }

  private void assertHomeAgain() throws Exception {
    admin.awaitChat(Place.VLLM);
    assertThat(box.isRunning(Place.YUE)).isFalse();
    assertOneAtATime();
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
    endSwapgate();
    serve(box.configFile());

    JsonNode job = admin.awaitEnd(id);
    assertThat(job.path("state").asText()).as("%s", job).isEqualTo("done");
    assertThat(job.path("attempts").asInt()).isEqualTo(1);
    assertThat(box.startedAt(Place.YUE)).isEqualTo(run);
    assertHomeAgain();
  }
}

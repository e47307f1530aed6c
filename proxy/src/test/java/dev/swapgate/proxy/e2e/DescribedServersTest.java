package dev.swapgate.proxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.swapgate.backends.sim.SimPictures;
import dev.swapgate.backends.sim.SimSpeech;
import dev.swapgate.backends.sim.SimStudio;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole program swaps to a server that the configuration describes, and back. */
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class DescribedServersTest {
  @TempDir private Path folder;

  private void runs(String example, Place media, String json, String file, byte[] bytes)
      throws Exception {
    try (FakeBox box = FakeBox.with(media, Example.named(example).mediaKeys(), Map.of(), folder);
        CommandLine swapgate = box.serve();
        AdminApi admin = new AdminApi(box.admin(), swapgate::said)) {
      String id = admin.submit(media, "request", json);

      JsonNode job = admin.awaitEnd(id);

      assertThat(job.path("state").asText()).as("%s", job).isEqualTo("done");
      assertThat(box.results().resolve(id).resolve(file)).hasBinaryContent(bytes);
      admin.awaitChat(Place.VLLM);
      assertThat(box.journal().overlaps()).isEmpty();
      assertThat(box.journal().failedClaims()).isEmpty();
    }
  }

  @Test
  void withinOneCall() throws Exception {
    runs(
        "kokoro-tts",
        Place.SPEECH,
        "{\"input\":\"hello\"}",
        "speech.mp3",
        SimSpeech.expectedAudio("hello"));
  }

  @Test
  void bySubmitPollAndFetch() throws Exception {
    runs(
        "heartmula-studio",
        Place.STUDIO,
        "{\"prompt\":\"calm\",\"lyrics\":\"la\"}",
        "song.mp3",
        SimStudio.expectedTrack("calm", "la"));
  }

  @Test
  void aCallCutByOurOwnDeathIsMadeAgainWhenTheServerIsIdle() throws Exception {
    String keys = Example.named("a1111").mediaKeys();
    try (FakeBox box =
        FakeBox.with(Place.PICTURES, keys, Map.of("SIM_STEP_TIME", "200ms"), folder)) {
      String id;
      try (CommandLine swapgate = box.serve();
          AdminApi admin = new AdminApi(box.admin(), swapgate::said);
          AdminApi server = new AdminApi(box.server(Place.PICTURES))) {
        id = admin.submit(Place.PICTURES, "request", "{\"prompt\":\"a hill\",\"seed\":7}");
        Await.until(
            () -> "the server paints; the job is " + admin.job(id),
            Duration.ofSeconds(60),
            () ->
                server.code("/sdapi/v1/progress") == 200
                    && server.get("/sdapi/v1/progress").path("progress").asDouble() > 0);
        swapgate.kill();
      }
      try (CommandLine again = CommandLine.serve(folder, box.config(), box.admin());
          AdminApi admin = new AdminApi(box.admin(), again::said)) {
        JsonNode job = admin.awaitEnd(id);

        assertThat(job.path("state").asText()).as("%s", job).isEqualTo("done");
        assertThat(job.path("attempts").asInt()).isEqualTo(2);
        assertThat(box.results().resolve(id).resolve("picture.png"))
            .hasBinaryContent(SimPictures.expectedPicture("a hill", 7, 0));
        admin.awaitChat(Place.VLLM);
        assertThat(box.journal().overlaps()).isEmpty();
      }
    }
  }
}

package dev.swapgate.proxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.swapgate.backends.sim.SimSpeech;
import dev.swapgate.backends.sim.SimStudio;
import java.nio.file.Path;
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
    try (FakeBox box = FakeBox.with(media, Example.named(example).mediaKeys(), folder);
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
}

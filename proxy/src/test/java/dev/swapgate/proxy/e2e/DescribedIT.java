package dev.swapgate.proxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.backends.sim.SimSpeech;
import dev.swapgate.backends.sim.SimStudio;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers that the configuration describes, as containers of the real daemon. */
@Timeout(180)
class DescribedIT {
  @TempDir Path folder;

  @BeforeAll
  static void needsDocker() throws Exception {
    Simulators.assumeThere();
  }

  @Test
  void speechAndASongInOneSwap() throws Exception {
    try (PretendBox box = new PretendBox(folder, Duration.ofSeconds(1))) {
      box.start(Place.VLLM, "/health");
      try (CommandLine swapgate = CommandLine.serve(folder, box.configFile(), box.admin());
          AdminApi admin = new AdminApi(box.admin(), swapgate::said)) {
        admin.awaitChat(Place.VLLM);
        String speech = admin.submit(Place.SPEECH, "request", "{\"input\":\"hello\"}");
        String song =
            admin.submit(Place.STUDIO, "request", "{\"prompt\":\"calm\",\"lyrics\":\"la\"}");

        assertThat(admin.awaitEnd(speech).path("state").asText()).isEqualTo("done");
        assertThat(admin.awaitEnd(song).path("state").asText()).isEqualTo("done");
        assertThat(box.results().resolve(speech).resolve("speech.mp3"))
            .hasBinaryContent(SimSpeech.expectedAudio("hello"));
        assertThat(box.results().resolve(song).resolve("song.mp3"))
            .hasBinaryContent(SimStudio.expectedTrack("calm", "la"));
        admin.awaitChat(Place.VLLM);
        assertThat(box.journal().overlaps()).isEmpty();
        assertThat(box.journal().failedClaims()).isEmpty();
        assertThat(box.events().allOnceSeen("start vllm", 2).stream())
            .filteredOn(event -> event.startsWith("start "))
            .containsExactly("start vllm", "start speech", "start studio", "start vllm");
      }
    }
  }
}

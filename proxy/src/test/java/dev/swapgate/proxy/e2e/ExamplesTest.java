package dev.swapgate.proxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.backends.catalog.Workshop;
import dev.swapgate.backends.settings.MediaSettings;
import dev.swapgate.backends.sim.SimPictures;
import dev.swapgate.backends.sim.SimSettings;
import dev.swapgate.backends.sim.SimSpeech;
import dev.swapgate.backends.sim.SimStudio;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobAnswer;
import dev.swapgate.gate.core.JobRequest;
import dev.swapgate.gate.port.JobAdapter;
import dev.swapgate.proxy.config.SwapgateConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every configuration that is shipped does a job on a server that behaves like the real one. */
@Timeout(60)
class ExamplesTest {
  private static final SimSettings FAST =
      new SimSettings(Map.of("SIM_PORT", "0", "SIM_LOAD_TIME", "1ms", "SIM_STEP_TIME", "1ms"));

  @TempDir private Path folder;

  @Test
  void eachOfThemIsTested() throws Exception {
    assertThat(Example.names())
        .containsExactly("a1111", "heartmula-studio", "kokoro-tts", "whisper", "yue");
  }

  /** {@code ExecIT} runs it. */
  @Test
  void yueSings() throws Exception {
    SwapgateConfig config = Example.named("yue").config(folder.resolve("state"), 0);
    MediaSettings.Type.Exits type =
        (MediaSettings.Type.Exits) config.workshop().media().getFirst().type();
    assertThat(type.recipe().files()).containsOnlyKeys("genre.txt", "lyrics.txt", "segments");
  }

  /** Does the job; the folder of its results. */
  private Path done(String name, int port, JobRequest request, String... files) throws Exception {
    try (Workshop workshop =
        Workshop.open(Example.named(name).config(folder.resolve("state"), port).workshop())) {
      JobAdapter adapter = workshop.adapters().values().iterator().next();
      assertThat(adapter.refusal(request)).isEmpty();
      JobAnswer accepted = adapter.submit(request, adapter.newTicket(new Job.Id("j1"), 1));
      assertThat(accepted).isInstanceOf(JobAnswer.Accepted.class);
      Job.Ticket ticket = ((JobAnswer.Accepted) accepted).ticket();
      JobAnswer end = adapter.follow(ticket);
      while (end instanceof JobAnswer.Working) {
        Thread.onSpinWait();
        end = adapter.follow(ticket);
      }
      assertThat(end).isEqualTo(new JobAnswer.Finished());
      Path results = folder.resolve("results");
      assertThat(adapter.collect(ticket, results))
          .isEqualTo(new JobAnswer.Collected(List.of(files)));
      return results;
    }
  }

  private static JobRequest request(String json) {
    return new JobRequest(json, Map.of(), List.of());
  }

  @Test
  void a1111PaintsAndRepaints() throws Exception {
    try (SimPictures server = new SimPictures(FAST).open()) {
      Path results =
          done(
              "a1111",
              server.port(),
              request("{\"prompt\":\"a hill\",\"seed\":7,\"batch_size\":2}"),
              "picture.png",
              "picture-2.png");
      assertThat(results.resolve("picture-2.png"))
          .hasBinaryContent(SimPictures.expectedPicture("a hill", 7, 1));

      Path upload = Files.writeString(folder.resolve("a.png"), "a picture");
      JobRequest again =
          new JobRequest(
              "{\"prompt\":\"at dusk\",\"seed\":7}",
              Map.of("mode", "img2img"),
              List.of(new JobRequest.Attachment("a.png", upload.toString())));
      assertThat(done("a1111", server.port(), again, "picture.png").resolve("picture.png"))
          .hasBinaryContent(SimPictures.expectedPicture("at dusk", 7, 0));
    }
  }

  @Test
  void kokoroSpeaks() throws Exception {
    try (SimSpeech server = new SimSpeech(FAST).open()) {
      assertThat(
              done("kokoro-tts", server.port(), request("{\"input\":\"hello\"}"), "speech.mp3")
                  .resolve("speech.mp3"))
          .hasBinaryContent(SimSpeech.expectedAudio("hello"));
    }
  }

  @Test
  void whisperListens() throws Exception {
    Path upload = Files.writeString(folder.resolve("talk.mp3"), "talk");
    JobRequest request =
        new JobRequest(
            "{}", Map.of(), List.of(new JobRequest.Attachment("talk.mp3", upload.toString())));
    try (SimSpeech server = new SimSpeech(FAST).open()) {
      assertThat(
              done("whisper", server.port(), request, "transcript.txt").resolve("transcript.txt"))
          .hasContent(SimSpeech.expectedText("talk.mp3", 4));
    }
  }

  @Test
  void heartMuLaSings() throws Exception {
    try (SimStudio server = new SimStudio(FAST).open()) {
      assertThat(
              done(
                      "heartmula-studio",
                      server.port(),
                      request("{\"prompt\":\"calm\",\"lyrics\":\"la\"}"),
                      "song.mp3")
                  .resolve("song.mp3"))
          .hasBinaryContent(SimStudio.expectedTrack("calm", "la"));
    }
  }
}

package dev.swapgate.backends.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.backends.settings.MediaSettings;
import dev.swapgate.backends.sim.SimComfyUi;
import dev.swapgate.backends.sim.SimMusic;
import dev.swapgate.backends.sim.SimSettings;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobAnswer;
import dev.swapgate.gate.core.JobRequest;
import dev.swapgate.gate.port.JobAdapter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole jobs on the pretend servers, from ticket to files. */
@Timeout(120)
class PretendServersTest {
  private static final String PICTURE =
      """
      {"1": {"class_type": "LoadImage", "inputs": {"image": "in.png", "upload": "image"}},
       "2": {"class_type": "ImageInvert", "inputs": {"image": ["1", 0]}},
       "3": {"class_type": "SaveImage", "inputs": {"images": ["2", 0], "filename_prefix": "out"},
             "_meta": {"title": "Result"}}}
      """;

  @TempDir private Path folder;

  private static JobAnswer.Accepted accepted(JobAnswer answer) {
    assertThat(answer).isInstanceOf(JobAnswer.Accepted.class);
    return (JobAnswer.Accepted) answer;
  }

  private static JobAnswer end(JobAdapter adapter, Job.Ticket ticket) {
    JobAnswer answer = adapter.follow(ticket);
    while (answer instanceof JobAnswer.Working) {
      answer = adapter.follow(ticket);
    }
    return answer;
  }

  private static SimSettings pretend(Path data, String... more) {
    Map<String, String> settings = new HashMap<>();
    settings.put("SIM_PORT", "0");
    settings.put("SIM_LOAD_TIME", "1ms");
    settings.put("SIM_STEP_TIME", "1ms");
    settings.put("SIM_DATA", data.toString());
    for (int i = 0; i < more.length; i += 2) {
      settings.put(more[i], more[i + 1]);
    }
    return new SimSettings(settings);
  }

  @ParameterizedTest
  @ValueSource(strings = {"false", "true"})
  void comfyUiRunsAWorkflowWithAnAttachment(String old) throws IOException {
    Path picture = Files.writeString(folder.resolve("attachment"), "a picture");
    JobRequest request =
        new JobRequest(
            PICTURE,
            Map.of("Result.filename_prefix", "mine"),
            List.of(new JobRequest.Attachment("in.png", picture.toString())));
    try (SimComfyUi server =
        new SimComfyUi(pretend(folder.resolve("server"), "SIM_COMFYUI_OLD", old)).open()) {
      JobAdapter adapter =
          new ComfyUiAdapter(
              ScriptedServer.settings(MediaSettings.Type.COMFYUI, server.port(), 1 << 20));
      assertThat(adapter.refusal(request)).isEmpty();
      Job.Ticket before = adapter.newTicket(new Job.Id("j1"), 1);

      Job.Ticket ticket = accepted(adapter.submit(request, before)).ticket();

      assertThat(end(adapter, ticket)).isEqualTo(new JobAnswer.Finished());
      assertThat(adapter.follow(before)).isEqualTo(new JobAnswer.Finished());
      Path results = folder.resolve("results");
      assertThat(adapter.collect(ticket, results))
          .isEqualTo(new JobAnswer.Collected(List.of("mine_00001_.png")));
      assertThat(results.resolve("mine_00001_.png"))
          .hasSameBinaryContentAs(folder.resolve("server/output/mine_00001_.png"));

      Job.Ticket again =
          accepted(adapter.submit(request, adapter.newTicket(new Job.Id("j2"), 1))).ticket();
      assertThat(end(adapter, again)).isEqualTo(new JobAnswer.Finished());
      assertThat(adapter.collect(again, folder.resolve("again")))
          .as("cached nodes give the earlier names")
          .isEqualTo(new JobAnswer.Collected(List.of("mine_00001_.png")));
    }
  }

  @Test
  void comfyUiGivesUpAJobThatIsCancelled() {
    JobRequest slow =
        new JobRequest(
            """
            {"1": {"class_type": "EmptyImage", "inputs": {"width": 64, "height": 64,
                   "batch_size": 1, "color": 0}},
             "2": {"class_type": "SaveImage", "inputs": {"images": ["1", 0],
                   "filename_prefix": "out"}}}
            """,
            Map.of(),
            List.of());
    try (SimComfyUi server =
        new SimComfyUi(pretend(folder.resolve("server"), "SIM_STEP_TIME", "1s")).open()) {
      JobAdapter adapter =
          new ComfyUiAdapter(
              ScriptedServer.settings(MediaSettings.Type.COMFYUI, server.port(), 1 << 20));
      Job.Ticket running =
          accepted(adapter.submit(slow, adapter.newTicket(new Job.Id("j1"), 1))).ticket();
      Job.Ticket waiting =
          accepted(adapter.submit(slow, adapter.newTicket(new Job.Id("j2"), 1))).ticket();

      assertThat(adapter.cancel(waiting)).isEqualTo(new JobAnswer.Interrupted());
      assertThat(adapter.cancel(running)).isEqualTo(new JobAnswer.Interrupted());

      // A newer server remembers a job that was dequeued, an older one forgets it.
      assertThat(end(adapter, waiting)).isIn(new JobAnswer.NotKnown(), new JobAnswer.Interrupted());
      assertThat(end(adapter, running)).isIn(new JobAnswer.NotKnown(), new JobAnswer.Interrupted());
    }
  }

  @Test
  void aceStepMakesABatchOfSongs() {
    JobRequest request =
        new JobRequest(
            "{\"prompt\": \"jazz\", \"lyrics\": \"la\", \"seed\": 7}",
            Map.of("batch_size", "2"),
            List.of());
    try (SimMusic server =
        new SimMusic(pretend(folder.resolve("server"), "SIM_API_KEY", "s3cret")).open()) {
      JobAdapter adapter =
          new AceStepAdapter(
              ScriptedServer.settings(MediaSettings.Type.ACE_STEP, server.port(), 1 << 20));
      Job.Ticket before = adapter.newTicket(new Job.Id("j1"), 1);
      assertThat(adapter.follow(before)).isEqualTo(new JobAnswer.NeverCame());

      Job.Ticket ticket = accepted(adapter.submit(request, before)).ticket();

      assertThat(end(adapter, ticket)).isEqualTo(new JobAnswer.Finished());
      JobAnswer answer = adapter.collect(ticket, folder.resolve("results"));
      assertThat(answer).isInstanceOf(JobAnswer.Collected.class);
      List<String> files = ((JobAnswer.Collected) answer).files();
      assertThat(files).hasSize(2);
      for (int i = 0; i < 2; i++) {
        assertThat(folder.resolve("results").resolve(files.get(i)))
            .hasBinaryContent(SimMusic.expectedAudio("jazz", "la", 7, i));
      }
    }
  }
}

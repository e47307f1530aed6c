package dev.swapgate.backends.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.backends.settings.MediaSettings;
import dev.swapgate.backends.sim.SimComfyUi;
import dev.swapgate.backends.sim.SimSettings;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobAnswer;
import dev.swapgate.gate.core.JobRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Progress from the pretend ComfyUI's WebSocket, told truly, falsely or not at all. */
@Timeout(60)
class ComfyUiProgressTest {

  @TempDir private Path folder;

  private SimComfyUi server(String... more) {
    Map<String, String> settings = new HashMap<>();
    settings.put("SIM_PORT", "0");
    settings.put("SIM_LOAD_TIME", "1ms");
    settings.put("SIM_STEP_TIME", "20ms");
    settings.put("SIM_DATA", folder.resolve("server").toString());
    for (int i = 0; i < more.length; i += 2) {
      settings.put(more[i], more[i + 1]);
    }
    return new SimComfyUi(new SimSettings(settings)).open();
  }

  private static ComfyUiAdapter adapter(SimComfyUi server) {
    return new ComfyUiAdapter(
        ScriptedServer.settings(MediaSettings.Type.COMFYUI, server.port(), 1 << 20));
  }

  private static JobRequest graph(int steps, String text) {
    return new JobRequest(
        """
        {"1":{"class_type":"CheckpointLoaderSimple","inputs":{"ckpt_name":"sd_xl_base_1.0.safetensors"}},
         "2":{"class_type":"CLIPTextEncode","inputs":{"text":"%s","clip":["1",1]}},
         "3":{"class_type":"EmptyLatentImage","inputs":{"width":512,"height":512,"batch_size":1}},
         "4":{"class_type":"KSampler","inputs":{"model":["1",0],"seed":7,"steps":%d,
           "cfg":7.5,"sampler_name":"euler","scheduler":"normal","denoise":1,
           "positive":["2",0],"negative":["2",0],"latent_image":["3",0]}},
         "5":{"class_type":"VAEDecode","inputs":{"samples":["4",0],"vae":["1",2]}},
         "6":{"class_type":"SaveImage","inputs":{"images":["5",0],"filename_prefix":"first"}},
         "7":{"class_type":"SaveImage","inputs":{"images":["5",0],"filename_prefix":"second"}}}
        """
            .formatted(text, steps),
        Map.of(),
        List.of());
  }

  private static Job.Ticket submitted(ComfyUiAdapter adapter, JobRequest request) {
    return ((JobAnswer.Accepted) adapter.submit(request, adapter.newTicket(new Job.Id("j"), 1)))
        .ticket();
  }

  /** All that was told until the job was finished. */
  private static List<Double> told(ComfyUiAdapter adapter, Job.Ticket ticket) {
    List<Double> told = new ArrayList<>();
    JobAnswer answer = adapter.follow(ticket);
    while (answer instanceof JobAnswer.Working working) {
      told.add(working.progress());
      answer = adapter.follow(ticket);
    }
    assertThat(answer).isEqualTo(new JobAnswer.Finished());
    return told;
  }

  @ParameterizedTest
  @ValueSource(strings = {"false", "true"})
  void goesOnWithTheStepsOfTheGraph(String old) {
    try (SimComfyUi server = server("SIM_COMFYUI_OLD", old)) {
      ComfyUiAdapter adapter = adapter(server);

      List<Double> told = told(adapter, submitted(adapter, graph(40, "a boat")));

      assertThat(told).isSorted().allMatch(one -> one >= 0 && one <= 1);
      assertThat(told.stream().distinct().count()).as("different numbers").isGreaterThan(8);
      assertThat(told.getLast()).isGreaterThan(0.5);
    }
  }

  @Test
  void countsWhatIsCached() {
    try (SimComfyUi server = server()) {
      ComfyUiAdapter adapter = adapter(server);
      told(adapter, submitted(adapter, graph(20, "a boat")));
      JobRequest other =
          new JobRequest(
              graph(20, "a boat").json(), Map.of("7.filename_prefix", "third"), List.of());

      List<Double> told = told(adapter, submitted(adapter, other));

      assertThat(told).allMatch(one -> one.isNaN() || one == 0 || one > 0.8);
    }
  }

  @Test
  void isToldToAnotherSwapgateThatComesLate() {
    try (SimComfyUi server = server()) {
      Job.Ticket ticket = submitted(adapter(server), graph(60, "a boat"));

      List<Double> told = told(adapter(server), ticket);

      assertThat(told.getFirst()).as("the socket is not open yet").isNaN();
      assertThat(told.stream().filter(one -> one > 0).distinct().count()).isGreaterThan(5);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "unanswered", "drops", "lies"})
  void aSocketThatFailsOrLiesChangesNothingElse(String manner) {
    try (SimComfyUi server = server("SIM_COMFYUI_SOCKET", manner, "SIM_STEP_TIME", "2ms")) {
      ComfyUiAdapter adapter = adapter(server);

      Job.Ticket ticket = submitted(adapter, graph(40, "a boat"));
      List<Double> told = told(adapter, ticket);

      assertThat(told).allMatch(one -> one.isNaN() || (one >= 0 && one <= 1));
      assertThat(adapter.collect(ticket, folder.resolve("results")))
          .isEqualTo(new JobAnswer.Collected(List.of("first_00001_.png", "second_00001_.png")));
    }
  }

  @Test
  void aFloodIsReadPast() {
    try (SimComfyUi server = server("SIM_COMFYUI_SOCKET", "floods", "SIM_STEP_TIME", "1ms")) {
      ComfyUiAdapter adapter = adapter(server);

      List<Double> told = told(adapter, submitted(adapter, graph(10, "a boat")));

      assertThat(told.stream().filter(one -> one > 0)).isNotEmpty();
    }
  }

  @Test
  void aWorkerThatIsWedgedTellsThatItStandsStill() {
    try (SimComfyUi server = server()) {
      ComfyUiAdapter adapter = adapter(server);
      Job.Ticket ticket = submitted(adapter, graph(10, "sim:hang"));
      JobAnswer answer = adapter.follow(ticket);
      for (int i = 0; i < 130; i++) {
        answer = adapter.follow(ticket);
      }

      double stands = ((JobAnswer.Working) answer).progress();

      assertThat(stands).as("not untold: no_progress holds").isBetween(0.0, 0.9);
      for (int i = 0; i < 130; i++) {
        assertThat(adapter.follow(ticket))
            .as("another socket is tried meanwhile")
            .isEqualTo(new JobAnswer.Working(stands));
      }
      assertThat(server.listeners()).isLessThanOrEqualTo(2);
    }
  }

  @Test
  void itWaitsUntoldBehindAnother() {
    try (SimComfyUi server = server()) {
      ComfyUiAdapter adapter = adapter(server);
      submitted(adapter(server), graph(10, "sim:hang"));
      Job.Ticket behind = submitted(adapter, graph(10, "a boat"));

      for (int i = 0; i < 5; i++) {
        assertThat(adapter.follow(behind)).isEqualTo(new JobAnswer.Working(Double.NaN));
      }
    }
  }

  @Test
  void listensOnlyWhileAJobIsFollowed() {
    try (SimComfyUi server = server("SIM_STEP_TIME", "1ms")) {
      ComfyUiAdapter adapter = adapter(server);
      for (int i = 0; i < 20; i++) {
        told(adapter, submitted(adapter, graph(3, "boat " + i)));
      }
      Job.Ticket wedged = submitted(adapter, graph(3, "sim:hang"));
      assertThat(adapter.follow(wedged)).isInstanceOf(JobAnswer.Working.class);
      adapter.cancel(wedged);

      while (server.listeners() > 0) {
        Thread.onSpinWait();
      }
      assertThat(clientThreads()).as("threads of sockets that are closed").isLessThan(10);
    }
  }

  private static long clientThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("HttpClient-"))
        .count();
  }
}

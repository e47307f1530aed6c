package dev.swapgate.backends.generic;

import static dev.swapgate.backends.generic.Recipes.ANYTHING;
import static dev.swapgate.backends.generic.Recipes.JOB;
import static dev.swapgate.backends.generic.Recipes.adapter;
import static dev.swapgate.backends.generic.Recipes.base64;
import static dev.swapgate.backends.generic.Recipes.body;
import static dev.swapgate.backends.generic.Recipes.end;
import static dev.swapgate.backends.generic.Recipes.form;
import static dev.swapgate.backends.generic.Recipes.post;
import static dev.swapgate.backends.generic.Recipes.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.backends.recipe.Call;
import dev.swapgate.backends.recipe.Idle;
import dev.swapgate.backends.recipe.Inputs;
import dev.swapgate.backends.recipe.JsonPath;
import dev.swapgate.backends.recipe.Progress;
import dev.swapgate.backends.recipe.SyncHttp;
import dev.swapgate.backends.recipe.TextTemplate;
import dev.swapgate.backends.sim.SimPictures;
import dev.swapgate.backends.sim.SimSettings;
import dev.swapgate.backends.sim.SimSpeech;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobAnswer;
import dev.swapgate.gate.core.JobRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One call that answers with the result, on servers that behave like the real ones. */
@Timeout(60)
class SyncHttpAdapterTest {
  private static final SimSettings FAST =
      new SimSettings(Map.of("SIM_PORT", "0", "SIM_LOAD_TIME", "1ms", "SIM_STEP_TIME", "1ms"));

  @TempDir private Path folder;

  private Path results() {
    return folder.resolve("results");
  }

  private Path spool() {
    return folder.resolve("calls/media");
  }

  private static Job.Ticket submitted(SyncHttpAdapter adapter, JobRequest request) {
    JobAnswer answer = adapter.submit(request, adapter.newTicket(JOB, 1));
    assertThat(answer).isInstanceOf(JobAnswer.Accepted.class);
    return ((JobAnswer.Accepted) answer).ticket();
  }

  /** Speech and transcripts: the answer itself is the file. */
  @Nested
  class Speech {
    private SimSpeech server;
    private SyncHttpAdapter adapter;

    @BeforeEach
    void open() {
      server = new SimSpeech(FAST).open();
      adapter = speaking(1 << 20);
    }

    private SyncHttpAdapter speaking(long maxFileBytes) {
      return adapter(
          server.port(),
          new SyncHttp(
              new Inputs(Set.of("input"), Map.of("response_format", "\"wav\"")),
              post("/v1/audio/speech"),
              body("audio/"),
              Optional.empty(),
              Optional.empty(),
              Optional.empty()),
          spool(),
          maxFileBytes);
    }

    @AfterEach
    void close() {
      server.close();
    }

    @Test
    void isSavedAsItComes() {
      Job.Ticket ticket = submitted(adapter, request("{\"input\":\"hello\"}"));

      assertThat(end(adapter, ticket)).isEqualTo(new JobAnswer.Finished());
      assertThat(adapter.collect(ticket, results()))
          .isEqualTo(new JobAnswer.Collected(List.of("speech.wav")));
      assertThat(results().resolve("speech.wav"))
          .hasBinaryContent(SimSpeech.expectedAudio("hello"));
    }

    @Test
    void whatIsSetGoesOverTheRequestAndThatOverTheDefaults() {
      JobRequest request =
          new JobRequest("{\"input\":\"hello\"}", Map.of("response_format", "mp3"), List.of());
      Job.Ticket ticket = submitted(adapter, request);

      assertThat(end(adapter, ticket)).isEqualTo(new JobAnswer.Finished());
      assertThat(adapter.collect(ticket, results()))
          .isEqualTo(new JobAnswer.Collected(List.of("speech.mp3")));
    }

    @Test
    void theServersRefusalIsTheJobsFaultInItsOwnWords() {
      JobAnswer answer =
          adapter.submit(
              request("{\"input\":\"hello\",\"voice\":\"nobody\"}"), adapter.newTicket(JOB, 1));

      assertThat(answer).isInstanceOf(JobAnswer.Rejected.class);
      assertThat(((JobAnswer.Rejected) answer).reason())
          .startsWith("POST /v1/audio/speech was answered with status 400: ")
          .contains("Voice 'nobody' not found");
    }

    @Test
    void aMissingInputIsToldBeforeAnybodyIsAsked() {
      assertThat(adapter.refusal(request("{}")))
          .hasValue("this backend needs 'input'; give it in the request or with --set input=…");
      assertThat(adapter.refusal(request("{\"input\":\"hello\"}"))).isEmpty();
    }

    @Test
    void jsonInsteadOfAudioIsAnError() {
      JobAnswer answer =
          adapter.submit(request("{\"input\":\"sim:json\"}"), adapter.newTicket(JOB, 1));

      assertThat(answer).isInstanceOf(JobAnswer.Errored.class);
      assertThat(((JobAnswer.Errored) answer).reason())
          .contains("no voice for that", "as application/json instead of audio/");
    }

    @Test
    void aServerThatIsBusyHasNotTakenTheJob() {
      Job.Ticket ticket = submitted(adapter, request("{\"input\":\"sim:busy\"}"));

      assertThat(end(adapter, ticket)).isEqualTo(new JobAnswer.NotKnown());
    }

    @Test
    void anAnswerThatBreaksOffIsNoResult() {
      Job.Ticket ticket = submitted(adapter, request("{\"input\":\"sim:cut\"}"));

      assertThat(end(adapter, ticket)).isInstanceOf(JobAnswer.Unanswered.class);
      assertThat(adapter.collect(ticket, results())).isInstanceOf(JobAnswer.Uncollectable.class);
    }

    @Test
    void anAnswerThatIsTooLargeFailsTheJob() {
      SyncHttpAdapter small = speaking(1_000);
      JobAnswer answer = small.submit(request("{\"input\":\"hello\"}"), small.newTicket(JOB, 1));

      assertThat(answer)
          .isEqualTo(
              new JobAnswer.Errored(
                  "speech.wav is larger than 1000 bytes, the most that is saved of one"));
    }

    @Test
    void aCallThatIsGivenUpIsHungUpOn() {
      Job.Ticket ticket = submitted(adapter, request("{\"input\":\"sim:hang\"}"));
      assertThat(adapter.follow(ticket)).isEqualTo(new JobAnswer.Working(Double.NaN));

      assertThat(adapter.cancel(ticket)).isEqualTo(new JobAnswer.Interrupted());

      assertThat(adapter.follow(ticket)).isEqualTo(new JobAnswer.Interrupted());
    }

    @Test
    void anotherSwapgateFindsAnAnswerThatHadCome() {
      Job.Ticket ticket = submitted(adapter, request("{\"input\":\"hello\"}"));
      assertThat(end(adapter, ticket)).isEqualTo(new JobAnswer.Finished());
      SyncHttpAdapter next = speaking(1 << 20);

      assertThat(next.follow(ticket)).isEqualTo(new JobAnswer.Finished());
      assertThat(next.collect(ticket, results()))
          .isEqualTo(new JobAnswer.Collected(List.of("speech.wav")));
    }

    @Test
    void aCallCutByOurOwnEndIsOverOnlyWhenTheServerIsRestarted() {
      Job.Ticket ticket = adapter.newTicket(JOB, 1);

      assertThat(speaking(1 << 20).follow(ticket))
          .isEqualTo(
              new JobAnswer.Unanswered(
                  "the call ended with the swapgate that made it;"
                      + " only a restart of the server proves it is over"));
      assertThat(adapter.follow(new Job.Ticket("comfyui/a/b"))).isEqualTo(new JobAnswer.NotKnown());
    }

    @Test
    void theAnswerToTheJobBeforeIsClearedAway() throws IOException {
      assertThat(end(adapter, submitted(adapter, request("{\"input\":\"one\"}"))))
          .isEqualTo(new JobAnswer.Finished());
      assertThat(end(adapter, submitted(adapter, request("{\"input\":\"two\"}"))))
          .isEqualTo(new JobAnswer.Finished());

      try (var left = Files.list(spool())) {
        assertThat(left).hasSize(1);
      }
    }

    @Test
    void aFileGoesAlongAsAFormAndTheTextComesBack() throws IOException {
      Path sound = Files.writeString(folder.resolve("upload"), "sound");
      SyncHttpAdapter hearing =
          adapter(
              server.port(),
              new SyncHttp(
                  new Inputs(Set.of(), Map.of("response_format", "\"text\"")),
                  form("/v1/audio/transcriptions", "file"),
                  new SyncHttp.Result(Optional.empty(), "transcript", "", ""),
                  Optional.empty(),
                  Optional.empty(),
                  Optional.empty()),
              spool(),
              1 << 20);
      JobRequest request =
          new JobRequest(
              "{}", Map.of(), List.of(new JobRequest.Attachment("a.wav", sound.toString())));
      Job.Ticket ticket = submitted(hearing, request);

      assertThat(end(hearing, ticket)).isEqualTo(new JobAnswer.Finished());
      assertThat(hearing.collect(ticket, results()))
          .isEqualTo(new JobAnswer.Collected(List.of("transcript.txt")));
      assertThat(results().resolve("transcript.txt"))
          .hasContent(SimSpeech.expectedText("a.wav", 5));
      assertThat(hearing.submit(request("{}"), hearing.newTicket(JOB, 1)))
          .isInstanceOf(JobAnswer.Rejected.class);
    }
  }

  /** Pictures: base64 inside JSON. */
  @Nested
  class Pictures {
    private static final TextTemplate PROGRESS = TextTemplate.parse("/sdapi/v1/progress");

    private SimPictures server;
    private SyncHttpAdapter adapter;

    @BeforeEach
    void open() {
      server = new SimPictures(FAST).open();
      adapter = painting(post("/sdapi/v1/txt2img"), "images[*]");
    }

    private SyncHttpAdapter painting(Call call, String path) {
      return adapter(
          server.port(),
          new SyncHttp(
              ANYTHING,
              call,
              base64(path),
              Optional.of(new Progress(Optional.of(PROGRESS), JsonPath.parse("progress"), 1)),
              Optional.of(new Idle(PROGRESS, JsonPath.parse("state.job_count"), Set.of("0"))),
              Optional.of(post("/sdapi/v1/interrupt"))),
          spool(),
          1 << 20);
    }

    @AfterEach
    void close() {
      server.close();
    }

    @Test
    void allOfThemAreSaved() {
      Job.Ticket ticket =
          submitted(adapter, request("{\"prompt\":\"a hill\",\"seed\":7,\"batch_size\":3}"));

      assertThat(end(adapter, ticket)).isEqualTo(new JobAnswer.Finished());
      assertThat(adapter.collect(ticket, results()))
          .isEqualTo(
              new JobAnswer.Collected(List.of("picture.png", "picture-2.png", "picture-3.png")));
      for (int i = 0; i < 3; i++) {
        assertThat(results().resolve(i == 0 ? "picture.png" : "picture-" + (i + 1) + ".png"))
            .hasBinaryContent(SimPictures.expectedPicture("a hill", 7, i));
      }
    }

    @Test
    void aPathCanMeanOneOfThem() {
      SyncHttpAdapter second = painting(post("/sdapi/v1/txt2img"), "images[1]");
      Job.Ticket ticket =
          submitted(second, request("{\"prompt\":\"a hill\",\"seed\":7,\"batch_size\":3}"));

      assertThat(end(second, ticket)).isEqualTo(new JobAnswer.Finished());
      assertThat(second.collect(ticket, results()))
          .isEqualTo(new JobAnswer.Collected(List.of("picture.png")));
      assertThat(results().resolve("picture.png"))
          .hasBinaryContent(SimPictures.expectedPicture("a hill", 7, 1));
    }

    @Test
    void whatIsNotThereOrNoBase64CanNeverBeCollected() {
      SyncHttpAdapter nowhere = painting(post("/sdapi/v1/txt2img"), "pictures[*]");
      Job.Ticket ticket = submitted(nowhere, request("{\"prompt\":\"a hill\"}"));
      assertThat(end(nowhere, ticket)).isEqualTo(new JobAnswer.Finished());
      assertThat(nowhere.collect(ticket, results()))
          .isEqualTo(
              new JobAnswer.Uncollectable("the server's answer holds no file at pictures[*]"));

      SyncHttpAdapter words = painting(post("/sdapi/v1/txt2img"), "parameters.prompt");
      Job.Ticket other = submitted(words, request("{\"prompt\":\"a hill!\"}"));
      assertThat(end(words, other)).isEqualTo(new JobAnswer.Finished());
      assertThat(words.collect(other, results()))
          .isEqualTo(
              new JobAnswer.Uncollectable(
                  "what stands at parameters.prompt of the server's answer is not base64"));
    }

    @Test
    void anErrorOfTheServersOwnFailsTheJobInItsWords() {
      JobAnswer answer =
          adapter.submit(request("{\"prompt\":\"sim:oom\"}"), adapter.newTicket(JOB, 1));

      assertThat(answer).isInstanceOf(JobAnswer.Errored.class);
      assertThat(((JobAnswer.Errored) answer).reason())
          .startsWith(
              "POST /sdapi/v1/txt2img was answered with status 500: OutOfMemoryError, CUDA");
    }

    @Test
    void aFileGoesAlongInsideTheJson() throws IOException {
      Path picture = Files.writeString(folder.resolve("upload"), "picture");
      Call call =
          new Call(
              "POST",
              TextTemplate.parse("/sdapi/v1/img2img"),
              Map.of(),
              Call.Encoding.JSON,
              Optional.empty(),
              Optional.of("init_images"));
      SyncHttpAdapter repainting = painting(call, "parameters.init_images[*]");
      Job.Ticket ticket =
          submitted(
              repainting,
              new JobRequest(
                  "{\"prompt\":\"a hill\"}",
                  Map.of(),
                  List.of(new JobRequest.Attachment("in.png", picture.toString()))));

      assertThat(end(repainting, ticket)).isEqualTo(new JobAnswer.Finished());
      assertThat(repainting.collect(ticket, results()))
          .isEqualTo(new JobAnswer.Collected(List.of("picture.png")));
      assertThat(results().resolve("picture.png")).hasContent("picture");
    }

    @Test
    void aCutCallIsKnownToBeOverWhenTheServerIsIdle() {
      Job.Ticket running = submitted(adapter, request("{\"prompt\":\"sim:hang\"}"));
      SyncHttpAdapter next = painting(post("/sdapi/v1/txt2img"), "images[*]");

      assertThat(next.follow(running)).isInstanceOf(JobAnswer.Unanswered.class);

      assertThat(adapter.cancel(running)).isEqualTo(new JobAnswer.Interrupted());
      assertThat(end(adapter, running)).isEqualTo(new JobAnswer.Interrupted());
      assertThat(next.follow(running)).isEqualTo(new JobAnswer.NotKnown());
    }
  }
}

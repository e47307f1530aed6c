package dev.swapgate.backends.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.backends.settings.MediaSettings;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobAnswer;
import dev.swapgate.gate.core.JobRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AceStepAdapterTest {
  private static final Job.Ticket TICKET = new Job.Ticket("ace_step/mark/t1");
  private static final Job.Ticket LOST = new Job.Ticket("ace_step/mark");
  private static final JobRequest REQUEST =
      new JobRequest("{\"prompt\": \"jazz\", \"batch_size\": 2}", Map.of(), List.of());

  private final ScriptedServer server = new ScriptedServer();
  private final AceStepAdapter adapter =
      new AceStepAdapter(server.settings(MediaSettings.Type.ACE_STEP, 1000));

  @AfterEach
  void close() {
    server.close();
  }

  /** What {@code /query_result} says of t1; its items are JSON inside a string. */
  private void taskIs(int status, String items) {
    String inString = items.replace("\\", "\\\\").replace("\"", "\\\"");
    server.on(
        "POST /query_result",
        200,
        "{\"data\": [{\"task_id\": \"t1\", \"status\": %d, \"result\": \"%s\"}], \"code\": 200}"
            .formatted(status, inString));
  }

  @Nested
  class Submitting {
    private JobAnswer answeredWith(int status, String body) {
      server.on("POST /release_task", status, body);
      return adapter.submit(REQUEST, adapter.newTicket(new Job.Id("j1"), 1));
    }

    @Test
    void sendsTheRequestAsItIsWithTheKeyAsBearer() {
      answeredWith(200, "{\"data\": {\"task_id\": \"t1\"}, \"code\": 200, \"error\": null}");

      ScriptedServer.Asked asked = server.asked("POST /release_task").getFirst();
      assertThat(asked.json().toString()).isEqualTo("{\"prompt\":\"jazz\",\"batch_size\":2}");
      assertThat(asked.headers().getFirst("Authorization")).isEqualTo("Bearer s3cret");
      assertThat(asked.headers().getFirst("Content-Type")).isEqualTo("application/json");
    }

    @Test
    void isAcceptedUnderTheServersTaskId() {
      JobAnswer answer =
          answeredWith(200, "{\"data\": {\"task_id\": \"t1\"}, \"code\": 200, \"error\": null}");
      taskIs(1, "[{\"file\": \"/v1/audio?path=a.mp3\"}]");

      assertThat(answer).isInstanceOf(JobAnswer.Accepted.class);
      assertThat(adapter.follow(((JobAnswer.Accepted) answer).ticket()))
          .isEqualTo(new JobAnswer.Finished());
    }

    @Test
    void isUnansweredWhenTheQueueIsFull() {
      assertThat(answeredWith(429, "{\"detail\": \"Server busy: queue is full\"}"))
          .isEqualTo(
              new JobAnswer.Unanswered(
                  "the server's queue is full: POST /release_task was answered with status 429: "
                      + "Server busy: queue is full"));
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 415})
    void isRejectedWhenTheServerRefusesTheRequest(int status) {
      assertThat(answeredWith(status, "{\"detail\": \"no\"}"))
          .isEqualTo(
              new JobAnswer.Rejected(
                  "POST /release_task was answered with status " + status + ": no"));
    }

    @Test
    void seesTheErrorInsideAnAnswerWithStatus200() {
      assertThat(answeredWith(200, "{\"data\": null, \"code\": 400, \"error\": \"bad duration\"}"))
          .isEqualTo(
              new JobAnswer.Rejected(
                  "POST /release_task was answered with status 400: bad duration"));
      assertThat(answeredWith(200, "{\"data\": null, \"code\": 500, \"error\": \"oops\"}"))
          .isInstanceOf(JobAnswer.Unanswered.class);
    }

    @Test
    void isUnansweredAtAServerErrorAndWithoutATaskId() {
      assertThat(answeredWith(500, "Internal Server Error"))
          .isInstanceOf(JobAnswer.Unanswered.class);
      assertThat(answeredWith(200, "{\"data\": {}, \"code\": 200}"))
          .isInstanceOf(JobAnswer.Unanswered.class);
    }

    @Test
    void putsValuesOnTopLevelKeysByTheirType() {
      server.on("POST /release_task", 200, "{\"data\": {\"task_id\": \"t1\"}, \"code\": 200}");
      JobRequest request =
          new JobRequest(
              REQUEST.json(),
              Map.of("prompt", "42", "batch_size", "4", "thinking", "true", "lyrics", "la la"),
              List.of());

      adapter.submit(request, adapter.newTicket(new Job.Id("j1"), 1));

      var sent = server.asked("POST /release_task").getFirst().json();
      assertThat(sent.path("prompt").isTextual()).isTrue();
      assertThat(sent.path("batch_size").asInt()).isEqualTo(4);
      assertThat(sent.path("thinking").isBoolean()).isTrue();
      assertThat(sent.path("lyrics").asText()).isEqualTo("la la");
    }
  }

  @Nested
  class Refusing {
    @Test
    void refusesWhatCanNeverRun() {
      assertThat(adapter.refusal(REQUEST)).isEmpty();
      assertThat(adapter.refusal(new JobRequest("[]", Map.of(), List.of())))
          .contains("the request must be a JSON object");
      assertThat(adapter.refusal(new JobRequest("{", Map.of(), List.of()))).isPresent();
      assertThat(
              adapter.refusal(
                  new JobRequest("{\"batch_size\": 2}", Map.of("batch_size", "x"), List.of())))
          .contains("batch_size holds a number (2); 'x' is none");
      assertThat(
              adapter.refusal(
                  new JobRequest(
                      "{}", Map.of(), List.of(new JobRequest.Attachment("a.mp3", "/tmp/a.mp3")))))
          .hasValueSatisfying(told -> assertThat(told).contains("takes no files"));
    }

    @Test
    void learnsRunTimesByLengthNotByWords() {
      String plain = adapter.shape(REQUEST);

      assertThat(adapter.shape(new JobRequest(REQUEST.json(), Map.of("prompt", "rock"), List.of())))
          .isEqualTo(plain);
      assertThat(
              adapter.shape(
                  new JobRequest(REQUEST.json(), Map.of("audio_duration", "240"), List.of())))
          .isNotEqualTo(plain);
    }
  }

  @Nested
  class Following {
    @Test
    void worksAndTellsProgressWhileTheStateIsZero() {
      taskIs(0, "[{\"file\": \"\", \"status\": 0, \"progress\": 0.25}]");

      assertThat(adapter.follow(TICKET)).isEqualTo(new JobAnswer.Working(0.25));
    }

    @Test
    void isFinishedWhenTheStateIsOne() {
      taskIs(1, "[{\"file\": \"/v1/audio?path=a.mp3\"}]");

      assertThat(adapter.follow(TICKET)).isEqualTo(new JobAnswer.Finished());
    }

    @Test
    void isErroredWithItsReasonWhenTheStateIsTwo() {
      taskIs(2, "[{\"file\": \"\", \"status\": 2, \"error\": \"CUDA out of memory\"}]");

      assertThat(adapter.follow(TICKET))
          .isEqualTo(new JobAnswer.Errored("the job failed on the server: CUDA out of memory"));
    }

    @Test
    void isNotKnownWhenTheServerAnswersAsForAnUnknownTask() {
      taskIs(0, "[]");

      assertThat(adapter.follow(TICKET)).isEqualTo(new JobAnswer.NotKnown());
    }

    @Test
    void isUnansweredWhenTheEnvelopeHoldsAnError() {
      server.on("POST /query_result", 200, "{\"data\": null, \"code\": 500, \"error\": \"oops\"}");

      assertThat(adapter.follow(TICKET)).isInstanceOf(JobAnswer.Unanswered.class);
    }

    @Test
    void hasNeverComeAfterALostAnswerWhenTheServerHadNoJob() {
      server.on("GET /v1/stats", 200, "{\"data\": {\"jobs\": {\"total\": 0}}, \"code\": 200}");

      assertThat(adapter.follow(LOST)).isEqualTo(new JobAnswer.NeverCame());
    }

    @Test
    void isNotKnownAfterALostAnswerWhenTheServerIsDoneWithAll() {
      server.on(
          "GET /v1/stats",
          200,
          "{\"data\": {\"jobs\": {\"total\": 2, \"queued\": 0, \"running\": 0}}, \"code\": 200}");

      assertThat(adapter.follow(LOST)).isEqualTo(new JobAnswer.NotKnown());
    }

    @Test
    void isUnansweredAfterALostAnswerWhileSomethingRunsOrNobodyTells() {
      assertThat(adapter.follow(LOST)).isInstanceOf(JobAnswer.Unanswered.class);

      server.on(
          "GET /v1/stats",
          200,
          "{\"data\": {\"jobs\": {\"total\": 2, \"queued\": 0, \"running\": 1}}, \"code\": 200}");
      assertThat(adapter.follow(LOST)).isInstanceOf(JobAnswer.Unanswered.class);
    }

    @Test
    void cannotCancel() {
      assertThat(adapter.cancel(TICKET)).isInstanceOf(JobAnswer.Unanswered.class);
      assertThat(server.asked()).isEmpty();
    }
  }

  @Nested
  class Collecting {
    @TempDir private Path results;

    private void audioIs(String text) {
      server.on("GET /v1/audio", 200, "audio/mpeg", text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void savesEveryFileOfABatch() {
      taskIs(
          1,
          """
          [{"file": "/v1/audio?path=%2Fx%2Fone.mp3"}, {"file": "/v1/audio?path=two.mp3"}]""");
      audioIs("music");

      assertThat(adapter.collect(TICKET, results))
          .isEqualTo(new JobAnswer.Collected(List.of("one.mp3", "two.mp3")));
      assertThat(results.resolve("one.mp3")).hasContent("music");
      assertThat(server.asked("GET /v1/audio"))
          .extracting(ScriptedServer.Asked::query)
          .containsExactly("path=%2Fx%2Fone.mp3", "path=two.mp3");
    }

    @Test
    void takesAnAddressOnItsOwnHost() {
      taskIs(1, "[{\"file\": \"http://127.0.0.1:" + server.port() + "/v1/audio?path=one.mp3\"}]");
      audioIs("music");

      assertThat(adapter.collect(TICKET, results))
          .isEqualTo(new JobAnswer.Collected(List.of("one.mp3")));
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "http://169.254.169.254/latest/meta-data",
          "//other-host/v1/audio?path=a.mp3",
          "file:///etc/passwd",
          "http://user@127.0.0.1/v1/audio",
          "/v1/../../secret",
          "not an address"
        })
    void goesToNoOtherHost(String file) {
      taskIs(1, "[{\"file\": \"" + file + "\"}]");

      assertThat(adapter.collect(TICKET, results)).isInstanceOf(JobAnswer.Uncollectable.class);
      assertThat(server.asked()).hasSize(1);
    }

    @Test
    void takesNoErrorForAudio() throws IOException {
      taskIs(1, "[{\"file\": \"/v1/audio?path=one.mp3\"}]");
      server.on("GET /v1/audio", 200, "{\"data\": null, \"code\": 404, \"error\": \"gone\"}");

      assertThat(adapter.collect(TICKET, results)).isInstanceOf(JobAnswer.Uncollectable.class);
      assertThat(results).isEmptyDirectory();
    }

    @Test
    void isUncollectableWhenAFileIsGoneTooLargeOrNotNamed() {
      taskIs(1, "[{\"file\": \"/v1/audio?path=one.mp3\"}]");
      assertThat(adapter.collect(TICKET, results)).isInstanceOf(JobAnswer.Uncollectable.class);

      audioIs("x".repeat(1001));
      assertThat(adapter.collect(TICKET, results)).isInstanceOf(JobAnswer.Uncollectable.class);
    }

    @Test
    void isUncollectableWhenASuccessNamesNoFile() {
      taskIs(1, "[{\"file\": \"\"}]");

      assertThat(adapter.collect(TICKET, results))
          .isEqualTo(new JobAnswer.Uncollectable("the job succeeded but names no audio file"));
    }

    @Test
    void isUnwritableWhenOurFolderCannotBe() throws IOException {
      taskIs(1, "[{\"file\": \"/v1/audio?path=one.mp3\"}]");
      Path blocked = Files.writeString(results.resolve("file"), "x").resolve("j1");

      assertThat(adapter.collect(TICKET, blocked)).isInstanceOf(JobAnswer.Unwritable.class);
    }
  }
}

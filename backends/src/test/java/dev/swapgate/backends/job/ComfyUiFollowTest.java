package dev.swapgate.backends.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.backends.settings.MediaSettings;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobAnswer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What ComfyUI says about a job that it has, had or never had, row by row. */
class ComfyUiFollowTest {
  private static final Job.Ticket TICKET = new Job.Ticket("comfyui/ours/client/p1");

  /** The answer to the submission was lost. */
  private static final Job.Ticket LOST = new Job.Ticket("comfyui/ours/client");

  private static final String RUNNING_FOR_CLIENT =
      """
      {"queue_running": [[1, "p9", {}, {"client_id": "client"}, []]], "queue_pending": []}
      """;

  private static final String EMPTY_QUEUE = "{\"queue_running\": [], \"queue_pending\": []}";

  private final ScriptedServer server = new ScriptedServer();
  private final ComfyUiAdapter adapter =
      new ComfyUiAdapter(server.settings(MediaSettings.Type.COMFYUI));

  @AfterEach
  void close() {
    server.close();
  }

  private JobAnswer historyWithStatus(String status) {
    server.on("GET /history/p1", 200, "{\"p1\": {\"outputs\": {}, \"status\": " + status + "}}");
    return adapter.follow(TICKET);
  }

  @Test
  void isFinishedWhenTheHistorySaysSuccess() {
    assertThat(
            historyWithStatus(
                "{\"status_str\": \"success\", \"completed\": true, \"messages\": []}"))
        .isEqualTo(new JobAnswer.Finished());
  }

  @Test
  void isErroredWithNodeAndExceptionThoughItHasPartialOutputs() {
    server.on(
        "GET /history/p1",
        200,
        """
        {"p1": {"outputs": {"9": {"images": [{"filename": "a.png", "type": "output"}]}},
         "status": {"status_str": "error", "completed": false, "messages": [
          ["execution_start", {"prompt_id": "p1"}],
          ["execution_error", {"node_id": "3", "node_type": "KSampler",
           "exception_type": "torch.OutOfMemoryError",
           "exception_message": "Allocation\\non device",
           "traceback": ["x"]}]]}}}
        """);

    assertThat(adapter.follow(TICKET))
        .isEqualTo(
            new JobAnswer.Errored(
                "node 3 (KSampler) failed: torch.OutOfMemoryError: Allocation on device"));
  }

  @Test
  void isInterruptedWhenTheHistorySaysSo() {
    assertThat(
            historyWithStatus(
                "{\"status_str\": \"error\", \"messages\": [[\"execution_interrupted\", {}]]}"))
        .isEqualTo(new JobAnswer.Interrupted());
  }

  @Test
  void isErroredWhenTheHistorySaysErrorAndNoMore() {
    assertThat(historyWithStatus("{\"status_str\": \"error\", \"messages\": []}"))
        .isInstanceOf(JobAnswer.Errored.class);
  }

  /** Whoever asked for it. */
  @Test
  void tellsWhatItIsAtWorkOn() {
    assertThat(adapter.underWay()).as("a server that does not answer").isEmpty();
    server.on("GET /queue", 200, EMPTY_QUEUE);
    assertThat(adapter.underWay()).contains("");
    server.on("GET /queue", 200, RUNNING_FOR_CLIENT);
    assertThat(adapter.underWay()).contains("p9 +0");
    server.on("GET /queue", 200, "{\"queue_running\": [], \"queue_pending\": [[2, \"p1\"]]}");
    assertThat(adapter.underWay()).contains("+1");
  }

  @Test
  void worksWhileTheQueueRunsIt() {
    server.on("GET /history/p1", 200, "{}");
    server.on(
        "GET /queue", 200, "{\"queue_running\": [[1, \"p1\", {}, {}, []]], \"queue_pending\": []}");

    assertThat(adapter.follow(TICKET)).isEqualTo(new JobAnswer.Working(Double.NaN));
  }

  @Test
  void worksWhileItWaitsInTheQueue() {
    server.on("GET /history/p1", 200, "{}");
    server.on(
        "GET /queue", 200, "{\"queue_running\": [], \"queue_pending\": [[2, \"p1\", {}, {}, []]]}");

    assertThat(adapter.follow(TICKET)).isEqualTo(new JobAnswer.Working(Double.NaN));
  }

  @Test
  void isNotKnownWhenNeitherHistoryNorQueueHasItAsAfterARestart() {
    server.on("GET /history/p1", 200, "{}");
    server.on("GET /queue", 200, EMPTY_QUEUE);

    assertThat(adapter.follow(TICKET)).isEqualTo(new JobAnswer.NotKnown());
  }

  @Test
  void isNotTakenForUnknownWhenItEndsBetweenTheTwoQuestions() {
    server.on("GET /history/p1", 200, "{}");
    server.then("GET /history/p1", 200, "{\"p1\": {\"status\": {\"status_str\": \"success\"}}}");
    server.on("GET /queue", 200, EMPTY_QUEUE);

    assertThat(adapter.follow(TICKET)).isEqualTo(new JobAnswer.Finished());
  }

  @Test
  void isUnansweredWhenTheServerFails() {
    server.on("GET /history/p1", 500, "oops");

    assertThat(adapter.follow(TICKET)).isInstanceOf(JobAnswer.Unanswered.class);
  }

  @Test
  void isUnansweredWhenTheHistoryIsNoJson() {
    server.on("GET /history/p1", 200, "<html>login</html>");

    assertThat(adapter.follow(TICKET)).isInstanceOf(JobAnswer.Unanswered.class);
  }

  @Test
  void isNotKnownWhenAnotherAdapterMadeTheTicket() {
    assertThat(adapter.follow(new Job.Ticket("ace_step/mark/task")))
        .isEqualTo(new JobAnswer.NotKnown());
  }

  @Nested
  class WhenTheAnswerToTheSubmissionWasLost {
    @Test
    void isFoundInTheQueueByItsClientId() {
      server.on("GET /history/ours", 200, "{}");
      server.on("GET /history", 200, "{}");
      server.on("GET /queue", 200, RUNNING_FOR_CLIENT);

      assertThat(adapter.follow(LOST)).isEqualTo(new JobAnswer.Working(Double.NaN));
    }

    @Test
    void isFoundInTheHistoryByItsClientId() {
      server.on("GET /history/ours", 200, "{}");
      server.on(
          "GET /history",
          200,
          """
          {"p8": {"prompt": [1, "p8", {}, {"client_id": "other"}, []],
                  "status": {"status_str": "error"}},
           "p9": {"prompt": [2, "p9", {}, {"client_id": "client"}, []],
                  "status": {"status_str": "success"}}}
          """);

      assertThat(adapter.follow(LOST)).isEqualTo(new JobAnswer.Finished());
    }

    @Test
    void isFoundByOurIdOnANewerServer() {
      server.on(
          "GET /history/ours", 200, "{\"ours\": {\"status\": {\"status_str\": \"success\"}}}");

      assertThat(adapter.follow(LOST)).isEqualTo(new JobAnswer.Finished());
    }

    @Test
    void hasNeverComeWhenTheServerNeverHeardOfIt() {
      server.on("GET /history/ours", 200, "{}");
      server.on("GET /history", 200, "{}");
      server.on("GET /queue", 200, EMPTY_QUEUE);

      assertThat(adapter.follow(LOST)).isEqualTo(new JobAnswer.NeverCame());
    }
  }

  @Nested
  class Cancelling {
    @Test
    void dequeuesInterruptsByIdAndCancelsWhereThatIsKnown() {
      server.on("GET /queue", 200, EMPTY_QUEUE);
      server.on("POST /queue", 200, "");
      server.on("POST /interrupt", 200, "");
      server.on("POST /api/jobs/p1/cancel", 200, "{\"cancelled\": true}");

      assertThat(adapter.cancel(TICKET)).isEqualTo(new JobAnswer.Interrupted());

      assertThat(server.asked("POST /queue").getFirst().json().at("/delete/0").asText())
          .isEqualTo("p1");
      assertThat(server.asked("POST /interrupt").getFirst().json().path("prompt_id").asText())
          .isEqualTo("p1");
      assertThat(server.asked("POST /api/jobs/p1/cancel")).hasSize(1);
    }

    @Test
    void doesWithoutTheNewerRouteOnAnOldServer() {
      server.on("GET /queue", 200, EMPTY_QUEUE);
      server.on("POST /queue", 200, "");
      server.on("POST /interrupt", 200, "");

      assertThat(adapter.cancel(TICKET)).isEqualTo(new JobAnswer.Interrupted());
    }

    @Test
    void findsTheIdOfALostSubmissionByItsClientId() {
      server.on("GET /queue", 200, RUNNING_FOR_CLIENT);
      server.on("POST /queue", 200, "");
      server.on("POST /interrupt", 200, "");

      adapter.cancel(LOST);

      assertThat(server.asked("POST /interrupt").getFirst().json().path("prompt_id").asText())
          .isEqualTo("p9");
    }

    @Test
    void isUnansweredWhenTheServerCannotBeAsked() {
      server.close();

      assertThat(adapter.cancel(TICKET)).isInstanceOf(JobAnswer.Unanswered.class);
    }
  }
}

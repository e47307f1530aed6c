package dev.swapgate.backends.generic;

import static dev.swapgate.backends.generic.Recipes.ANYTHING;
import static dev.swapgate.backends.generic.Recipes.JOB;
import static dev.swapgate.backends.generic.Recipes.call;
import static dev.swapgate.backends.generic.Recipes.end;
import static dev.swapgate.backends.generic.Recipes.post;
import static dev.swapgate.backends.generic.Recipes.request;
import static dev.swapgate.backends.generic.Recipes.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.backends.recipe.BodyTemplate;
import dev.swapgate.backends.recipe.Call;
import dev.swapgate.backends.recipe.Idle;
import dev.swapgate.backends.recipe.JsonPath;
import dev.swapgate.backends.recipe.Progress;
import dev.swapgate.backends.recipe.SubmitPollFetch;
import dev.swapgate.backends.recipe.SubmitPollFetch.State;
import dev.swapgate.backends.recipe.TextTemplate;
import dev.swapgate.backends.settings.MediaSettings;
import dev.swapgate.backends.sim.SimMusic;
import dev.swapgate.backends.sim.SimSettings;
import dev.swapgate.backends.sim.SimStudio;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobAnswer;
import dev.swapgate.gate.port.JobAdapter;
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

/** Submit, poll and fetch, on servers that behave like the real ones. */
@Timeout(60)
class SubmitPollFetchAdapterTest {
  private static final Set<Integer> UNKNOWN = Set.of(404, 410);

  @TempDir private Path folder;

  private SimSettings pretend() {
    return new SimSettings(
        Map.of(
            "SIM_PORT", "0",
            "SIM_LOAD_TIME", "1ms",
            "SIM_STEP_TIME", "1ms",
            "SIM_DATA", folder.resolve("server").toString()));
  }

  private static SubmitPollFetchAdapter adapter(int port, SubmitPollFetch recipe) {
    MediaSettings.Type.Steps type = new MediaSettings.Type.Steps(recipe);
    return new SubmitPollFetchAdapter(Recipes.settings(port, type, 1 << 20), type);
  }

  private static Job.Ticket submitted(JobAdapter adapter, String json) {
    JobAnswer answer = adapter.submit(request(json), adapter.newTicket(JOB, 1));
    assertThat(answer).isInstanceOf(JobAnswer.Accepted.class);
    return ((JobAnswer.Accepted) answer).ticket();
  }

  /** A server that takes jobs one by one and gives one track each. */
  @Nested
  class Studio {
    private SimStudio server;
    private SubmitPollFetchAdapter adapter;

    @BeforeEach
    void open() {
      server = new SimStudio(pretend()).open();
      Map<String, State> states =
          Map.of(
              "queued", State.QUEUED,
              "processing", State.RUNNING,
              "completed", State.DONE,
              "failed", State.FAILED);
      adapter =
          adapter(
              server.port(),
              new SubmitPollFetch(
                  ANYTHING,
                  new SubmitPollFetch.Submit(
                      post("/generate/music"), JsonPath.parse("job_id"), Optional.empty()),
                  new SubmitPollFetch.Poll(
                      Call.get(TextTemplate.parse("/jobs/{id}")),
                      JsonPath.parse("status"),
                      states,
                      Optional.empty(),
                      Optional.of(JsonPath.parse("error_msg")),
                      UNKNOWN),
                  new SubmitPollFetch.Fetch(
                      Optional.empty(),
                      Optional.of(TextTemplate.parse("/download_track/{id}")),
                      "track",
                      "audio/"),
                  Optional.of(call("POST", "/jobs/{id}/cancel", Optional.empty())),
                  Optional.empty()));
    }

    @AfterEach
    void close() {
      server.close();
    }

    @Test
    void aJobRunsToItsFile() {
      Job.Ticket ticket = submitted(adapter, "{\"prompt\":\"calm\",\"lyrics\":\"la\"}");

      assertThat(end(adapter, ticket)).isEqualTo(new JobAnswer.Finished());
      Path results = folder.resolve("results");
      assertThat(adapter.collect(ticket, results))
          .isEqualTo(new JobAnswer.Collected(List.of("track.mp3")));
      assertThat(results.resolve("track.mp3"))
          .hasBinaryContent(SimStudio.expectedTrack("calm", "la"));
    }

    @Test
    void anotherSwapgateGoesOnWithTheTicketAlone() {
      Job.Ticket ticket = submitted(adapter, "{\"prompt\":\"calm\"}");
      assertThat(ticket.value()).startsWith("submit_poll_fetch/");

      open();

      assertThat(adapter.follow(new Job.Ticket("comfyui/a/b"))).isEqualTo(new JobAnswer.NotKnown());
    }

    @Test
    void theServersRefusalIsTheJobsFault() {
      assertThat(adapter.submit(request("{}"), adapter.newTicket(JOB, 1)))
          .isEqualTo(
              new JobAnswer.Rejected(
                  "POST /generate/music was answered with status 422: prompt: Field required"));
    }

    @Test
    void aFailureIsToldInTheServersWords() {
      assertThat(end(adapter, submitted(adapter, "{\"prompt\":\"sim:error\"}")))
          .isEqualTo(
              new JobAnswer.Errored(
                  "the job failed on the server: a failure was asked for by the prompt"));
    }

    @Test
    void aJobIsGivenUp() {
      Job.Ticket ticket = submitted(adapter, "{\"prompt\":\"sim:hang\"}");

      assertThat(adapter.cancel(ticket)).isEqualTo(new JobAnswer.Interrupted());

      assertThat(end(adapter, ticket))
          .isEqualTo(new JobAnswer.Errored("the job failed on the server: Cancelled by user"));
    }

    @Test
    void aRestartedServerNoLongerKnowsTheJob() {
      Job.Ticket ticket = submitted(adapter, "{\"prompt\":\"calm\"}");
      server.close();
      open();

      assertThat(adapter.follow(ticket)).isEqualTo(new JobAnswer.NotKnown());
      assertThat(adapter.collect(ticket, folder.resolve("results")))
          .isEqualTo(new JobAnswer.Uncollectable("the server no longer knows the job"));
    }

    @Test
    void aLostAnswerLeavesNothingToAskBy() {
      assertThat(adapter.follow(adapter.newTicket(JOB, 1)))
          .isEqualTo(
              new JobAnswer.Unanswered(
                  "the answer to the submission was lost, and this server knows a job by it alone;"
                      + " only a restart of the server proves it is over"));
    }

    @Test
    void aServerThatIsNotThereIsUnanswered() {
      Job.Ticket ticket = submitted(adapter, "{\"prompt\":\"calm\"}");
      server.close();

      assertThat(adapter.follow(ticket)).isInstanceOf(JobAnswer.Unanswered.class);
      assertThat(adapter.submit(request("{\"prompt\":\"calm\"}"), adapter.newTicket(JOB, 2)))
          .isInstanceOf(JobAnswer.Unanswered.class);
    }
  }

  /** ACE-Step by a recipe: an envelope, JSON inside a string, several files by their URLs. */
  @Nested
  class Envelopes {
    private SimMusic server;
    private SubmitPollFetchAdapter adapter;

    @BeforeEach
    void open() {
      server = new SimMusic(pretend()).open();
      BodyTemplate ids =
          new BodyTemplate.Fields(
              Map.of("task_id_list", new BodyTemplate.Items(List.of(text("{id}")))));
      adapter =
          adapter(
              server.port(),
              new SubmitPollFetch(
                  ANYTHING,
                  new SubmitPollFetch.Submit(
                      post("/release_task"),
                      JsonPath.parse("data.task_id"),
                      Optional.of(JsonPath.parse("error"))),
                  new SubmitPollFetch.Poll(
                      call("POST", "/query_result", Optional.of(ids)),
                      JsonPath.parse("data[0].status"),
                      Map.of("0", State.RUNNING, "1", State.DONE, "2", State.FAILED),
                      Optional.of(
                          new Progress(
                              Optional.empty(), JsonPath.parse("data[0].result[0].progress"), 1)),
                      Optional.of(JsonPath.parse("data[0].result[0].error")),
                      UNKNOWN),
                  new SubmitPollFetch.Fetch(
                      Optional.of(JsonPath.parse("data[0].result[*].file")),
                      Optional.empty(),
                      "",
                      "audio/"),
                  Optional.empty(),
                  Optional.of(
                      new Idle(
                          TextTemplate.parse("/v1/stats"),
                          JsonPath.parse("data.jobs.total"),
                          Set.of("0")))));
    }

    @AfterEach
    void close() {
      server.close();
    }

    @Test
    void everyFileIsSavedUnderItsOwnName() {
      Job.Ticket ticket = submitted(adapter, "{\"prompt\":\"calm\",\"lyrics\":\"la\",\"seed\":7}");
      String id = ticket.value().substring(ticket.value().lastIndexOf('/') + 1);

      assertThat(end(adapter, ticket)).isEqualTo(new JobAnswer.Finished());
      Path results = folder.resolve("results");
      assertThat(adapter.collect(ticket, results))
          .isEqualTo(new JobAnswer.Collected(List.of(id + "-0.wav", id + "-1.wav")));
      for (int i = 0; i < 2; i++) {
        assertThat(results.resolve(id + "-" + i + ".wav"))
            .hasBinaryContent(SimMusic.expectedAudio("calm", "la", 7, i));
      }
    }

    @Test
    void anErrorInsideSuccessIsARefusal() {
      assertThat(adapter.submit(request("{\"prompt\":\"sim:refuse\"}"), adapter.newTicket(JOB, 1)))
          .isEqualTo(
              new JobAnswer.Rejected(
                  "the server refused the job: the request was refused as its prompt asked"));
    }

    @Test
    void tellsWhetherItIsAtWorkForAnybody() {
      assertThat(adapter.underWay()).contains("");

      submitted(adapter, "{\"prompt\":\"sim:hang\"}");

      assertThat(adapter.underWay()).hasValueSatisfying(work -> assertThat(work).isNotEmpty());
    }

    @Test
    void anIdleServerHasNotGotALostJob() {
      assertThat(adapter.follow(adapter.newTicket(JOB, 1))).isEqualTo(new JobAnswer.NotKnown());

      Job.Ticket running = submitted(adapter, "{\"prompt\":\"sim:hang\"}");

      assertThat(adapter.follow(running)).isInstanceOf(JobAnswer.Working.class);
      assertThat(adapter.follow(adapter.newTicket(JOB, 2)))
          .isInstanceOf(JobAnswer.Unanswered.class);
      assertThat(adapter.cancel(running)).isInstanceOf(JobAnswer.Unanswered.class);
    }
  }
}

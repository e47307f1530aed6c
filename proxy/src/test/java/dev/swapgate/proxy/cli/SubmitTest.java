package dev.swapgate.proxy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Handing a job in, following it, saving what it made. */
class SubmitTest {

  private static final String ACCEPTED =
      "{'id':'j1','state':'queued','position':2,'starts_in_seconds':45,'outage_seconds':600}";
  private static final String SERVING = "{'phase':'serving','chat_open':true}";
  private static final String RESTORING = "{'phase':'restoring','chat_open':false}";
  private static final String RUNNING = "{'phase':'running','chat_open':false}";

  @TempDir Path folder;
  private ScriptedAdmin admin;

  @BeforeEach
  void start() throws Exception {
    admin = new ScriptedAdmin();
    Files.writeString(
        folder.resolve("wf.json"), "{\"6\":{\"class_type\":\"CLIPTextEncode\",\"inputs\":{}}}");
  }

  @AfterEach
  void stop() {
    admin.close();
  }

  private Call call(String... args) {
    return Call.of(folder, Map.of("SWAPGATE_ADMIN", admin.url()), "{\"prompt\":\"a waltz\"}", args);
  }

  private static String job(String state, String more) {
    return "{'id':'j1','state':'" + state + "','backend':'comfyui'" + more + "}";
  }

  @Test
  void saysInPlainWordsWhatWillHappen() {
    admin.on("POST jobs", 202, ACCEPTED);

    Call call = call("submit", "comfyui", "wf.json");

    assertThat(call.exitCode()).isZero();
    assertThat(call.out().strip())
        .isEqualTo(
            "job j1: number 2 in line, starts in about 45 s; chat will be away for about 10 min");
    assertThat(call.err()).isEmpty();
  }

  @Test
  void sendsTheWorkflowWithItsValues() throws Exception {
    admin.on("POST jobs", 202, ACCEPTED);

    Call call =
        call(
            "submit",
            "comfyui",
            "wf.json",
            "--set",
            "6.text=a=b, c",
            "--set",
            "3.seed=7",
            "--key",
            "k1");

    assertThat(call.exitCode()).as(call.err()).isZero();
    JsonNode sent = Json.parse(admin.lastAsked().body());
    assertThat(sent.path("backend").asText()).isEqualTo("comfyui");
    assertThat(sent.path("workflow").path("6").path("class_type").asText())
        .isEqualTo("CLIPTextEncode");
    assertThat(sent.path("set").path("6.text").asText()).isEqualTo("a=b, c");
    assertThat(sent.path("set").path("3.seed").asText()).isEqualTo("7");
    assertThat(sent.path("when").asText()).isEqualTo("now");
    assertThat(sent.path("idempotency_key").asText()).isEqualTo("k1");
  }

  @Test
  void readsARequestFromStandardInput() throws Exception {
    admin.on("POST jobs", 202, ACCEPTED);

    assertThat(call("submit", "music", "-").exitCode()).isZero();

    JsonNode sent = Json.parse(admin.lastAsked().body());
    assertThat(sent.path("request").path("prompt").asText()).isEqualTo("a waltz");
    assertThat(sent.path("idempotency_key").asText()).isNotBlank();
  }

  @ParameterizedTest
  @CsvSource({
    "now, now",
    "+90m, 2027-01-31T13:30:00Z",
    "23:30, 2027-01-31T22:30:00Z",
    "08:00, 2027-02-01T07:00:00Z",
    "2027-02-03T04:05:00+01:00, 2027-02-03T03:05:00Z",
  })
  void sendsAMoment(String typed, String sent) throws Exception {
    admin.on("POST jobs", 202, ACCEPTED);

    assertThat(call("submit", "comfyui", "wf.json", "--when", typed).exitCode()).isZero();

    assertThat(Json.parse(admin.lastAsked().body()).path("when").asText()).isEqualTo(sent);
  }

  @Test
  void saysWhenALaterJobIsDue() {
    admin.on("POST jobs", 202, ACCEPTED);

    assertThat(call("submit", "comfyui", "wf.json", "--when", "+90m").out())
        .contains("starts not before 2027-01-31 13:30:00Z; chat will be away");
  }

  @Test
  void sendsFilesAlong() throws Exception {
    admin.on("POST jobs", 202, ACCEPTED);
    Files.writeString(folder.resolve("me.png"), "PIXELS");

    Call call = call("submit", "comfyui", "wf.json", "--image", "face.png=me.png");

    assertThat(call.exitCode()).as(call.err()).isZero();
    assertThat(admin.lastAsked().contentType()).startsWith("multipart/form-data; boundary=");
    assertThat(admin.lastAsked().body())
        .contains("name=\"job\"", "\"backend\":\"comfyui\"")
        .contains("filename=\"face.png\"", "PIXELS");
  }

  @Nested
  class Mistakes {
    private String refusal(String... args) {
      Call call = call(args);
      assertThat(call.exitCode()).isEqualTo(2);
      assertThat(call.out()).isEmpty();
      assertThat(admin.asked()).as("what was sent all the same").isEmpty();
      return call.err().strip();
    }

    @Test
    void areFoundBeforeAnythingIsSent() throws Exception {
      Files.writeString(folder.resolve("bad.json"), "{\n  \"a\": ,\n}");
      Files.writeString(folder.resolve("list.json"), "[1]");

      assertThat(refusal("submit", "comfyui", "gone.json"))
          .isEqualTo(
              "swapgate: there is no file " + folder.resolve("gone.json") + "; check the path");
      assertThat(refusal("submit", "comfyui", "bad.json"))
          .startsWith("swapgate: bad.json is not JSON at line 2, column 8: ");
      assertThat(refusal("submit", "comfyui", "list.json"))
          .isEqualTo("swapgate: list.json must hold one JSON object; it holds one array");
      assertThat(refusal("submit", "comfyui", "wf.json", "--set", "6.text"))
          .contains("write KEY=VALUE");
      assertThat(refusal("submit", "comfyui", "wf.json", "--image", "a.png=gone.png"))
          .contains("there is no readable file " + folder.resolve("gone.png"));
      assertThat(refusal("submit", "comfyui", "wf.json", "--when", "noon"))
          .contains("--when noon: write now, idle, 23:30");
      assertThat(refusal("submit", "comfyui", "wf.json", "--wait", "--timeout", "5"))
          .contains("--timeout 5: write 90s");
    }

    @Test
    void thatSwapgateFindsAreItsOwnWords() {
      admin.on(
          "POST jobs",
          400,
          "{'error':{'code':'refused_request','message':'this is the UI format; use Save (API)'}}");

      Call call = call("submit", "comfyui", "wf.json");

      assertThat(call.exitCode()).isEqualTo(2);
      assertThat(call.err().strip()).isEqualTo("swapgate: this is the UI format; use Save (API)");
    }

    @Test
    void nobodyThereIsThree() {
      admin.close();

      Call call = call("submit", "comfyui", "wf.json", "--wait");

      assertThat(call.exitCode()).isEqualTo(3);
      assertThat(call.err()).contains("does not answer at").doesNotContain("--key");
    }
  }

  @Nested
  class Waiting {
    @Test
    void tellsEachChangeOnceAndEndsWithTheJob() {
      admin.on("POST jobs", 202, ACCEPTED);
      admin.on("GET jobs/j1", 200, job("queued", ""));
      admin.on("GET jobs/j1", 200, job("running", ",'progress':0.31"));
      admin.on("GET jobs/j1", 200, job("running", ",'progress':0.34"));
      admin.on("GET jobs/j1", 200, job("done", ",'files':['a.png']"));
      admin.on("GET status", 200, RUNNING);

      Call call = call("submit", "--wait", "comfyui", "wf.json");

      assertThat(call.exitCode()).isZero();
      assertThat(call.err().lines())
          .containsExactly(
              "job j1: number 2 in line, starts in about 45 s; chat will be away for about 10 min",
              "job j1 queued, running",
              "job j1 running 30 %, running");
      assertThat(call.out().strip()).isEqualTo("job j1 is done: a.png");
    }

    @Test
    void onATerminalOneLineChanges() {
      admin.on("POST jobs", 202, ACCEPTED);
      admin.on("GET jobs/j1", 200, job("running", ",'progress':0.31"));
      admin.on("GET jobs/j1", 200, job("running", ",'progress':0.99"));
      admin.on("GET jobs/j1", 200, job("done", ",'files':['a.png']"));
      admin.on("GET status", 200, "{'phase':'running','swap':{'left_seconds':95}}");

      Call call =
          Call.of(
              folder,
              Map.of("SWAPGATE_TERMINAL", "1", "SWAPGATE_ADMIN", admin.url()),
              "",
              "submit",
              "--wait",
              "comfyui",
              "wf.json");

      String left = ", running, chat is back in about 95 s\u001B[K\r";
      assertThat(call.err())
          .contains("job j1 running [###-------] 31 %" + left)
          .contains("job j1 running [#########-] 99 %" + left)
          .endsWith("\u001B[K\r");
      assertThat(call.out().strip()).isEqualTo("job j1 is done: a.png");
    }

    @Test
    void forChatReturnsWhenChatIsOpenAgain() {
      admin.on("POST jobs", 202, ACCEPTED);
      admin.on("GET jobs/j1", 200, job("done", ",'files':[]"));
      admin.on("GET status", 200, RESTORING);
      admin.on("GET status", 200, RESTORING);
      admin.on("GET status", 200, SERVING);

      Call call = call("submit", "comfyui", "wf.json", "--wait=chat");

      assertThat(call.exitCode()).isZero();
      assertThat(call.err()).contains("job j1 done, waiting for chat: restoring");
      assertThat(admin.asked())
          .extracting(ScriptedAdmin.Asked::path)
          .filteredOn(path -> path.equals("status"))
          .hasSize(3);
    }

    @Test
    void aFailedJobIsOneWithItsReason() {
      admin.on("GET jobs/j1", 200, job("failed", ",'error':'out of memory'"));

      Call call = call("wait", "j1");

      assertThat(call.exitCode()).isEqualTo(1);
      assertThat(call.err().strip()).isEqualTo("swapgate: job j1 failed: out of memory");
      assertThat(call.out()).isEmpty();
    }

    @Test
    void aCancelledJobIsOne() {
      admin.on("GET jobs/j1", 200, job("cancelled", ""));

      assertThat(call("wait", "j1").exitCode()).isEqualTo(1);
    }

    @Test
    void tooLongIsFourAndTheJobGoesOn() {
      admin.on("GET jobs/j1", 200, job("running", ""));
      admin.on("GET status", 200, RUNNING);

      Call call = call("wait", "j1", "--timeout", "30s");

      assertThat(call.exitCode()).isEqualTo(4);
      assertThat(call.err())
          .contains("job j1 is not through after 30 s; it goes on: swapgate wait j1");
    }

    @Test
    void jsonIsAllThatIsOnStandardOutput() throws Exception {
      admin.on("POST jobs", 202, ACCEPTED);
      admin.on("GET jobs/j1", 200, job("failed", ",'error':'x'"));

      Call call = call("submit", "comfyui", "wf.json", "--wait", "--json");

      assertThat(call.exitCode()).isEqualTo(1);
      assertThat(Json.parse(call.out()).path("state").asText()).isEqualTo("failed");
    }
  }

  @Nested
  class Saving {
    @Test
    void neverOverwritesAndPrintsThePaths() throws Exception {
      Path out = Files.createDirectories(folder.resolve("out"));
      Files.writeString(out.resolve("a.png"), "OLD");
      admin.on("POST jobs", 202, ACCEPTED);
      admin.on("GET jobs/j1", 200, job("done", ",'files':['a.png',{'name':'../b c.png'}]"));
      admin.on("GET jobs/j1/files/a.png", 200, "NEW");
      admin.on("GET jobs/j1/files/..%2Fb%20c.png", 200, "B");

      Call call = call("submit", "comfyui", "wf.json", "--out", "out");

      assertThat(call.exitCode()).as(call.err()).isZero();
      assertThat(call.out().lines())
          .containsExactly(out.resolve("a-1.png").toString(), out.resolve("b c.png").toString());
      assertThat(out.resolve("a.png")).hasContent("OLD");
      assertThat(out.resolve("a-1.png")).hasContent("NEW");
      assertThat(out.resolve("b c.png")).hasContent("B");
      assertThat(folder.resolve("b c.png")).doesNotExist();
    }

    @Test
    void fetchSavesHereLater() {
      admin.on("GET jobs/j1", 200, job("done", ",'files':['a.png']"));
      admin.on("GET jobs/j1/files/a.png", 200, "A");

      Call call = call("fetch", "j1");

      assertThat(call.out().strip()).isEqualTo(folder.resolve("a.png").toString());
      assertThat(folder.resolve("a.png")).hasContent("A");
    }

    @Test
    void aFileThatCameOtherwiseThanItWasSavedIsNotKept() {
      String sum = "559aead08264d5795d3909718cdd05abd49572e84fe55590eef31a88a08fdffd";
      String files = ",'files':['a.png'],'sha256':{'a.png':'" + sum + "'}";
      admin.on("GET jobs/j1", 200, job("done", files));
      admin.on("GET jobs/j1/files/a.png", 200, "B");
      admin.on("GET jobs/j1/files/a.png", 200, "A");

      Call broken = call("fetch", "j1");
      assertThat(broken.exitCode()).isEqualTo(2);
      assertThat(broken.err()).contains("swapgate saved it with " + sum + "; fetch it again");
      assertThat(folder.resolve("a.png")).doesNotExist();

      assertThat(call("fetch", "j1").exitCode()).isZero();
      assertThat(folder.resolve("a.png")).hasContent("A");
    }

    @Test
    void aFileThatIsGoneLeavesNothingBehind() {
      admin.on("GET jobs/j1", 200, job("done", ",'files':['a.png']"));
      admin.on("GET jobs/j1/files/a.png", 404, "{'error':{'message':'no such file any more'}}");

      Call call = call("fetch", "j1");

      assertThat(call.exitCode()).isEqualTo(2);
      assertThat(call.err()).contains("no such file any more");
      assertThat(folder.resolve("a.png")).doesNotExist();
    }

    @Test
    void fetchOfAJobThatIsNotDoneSaysSo() {
      admin.on("GET jobs/j1", 200, job("running", ""));
      admin.on("GET jobs/j1", 200, job("failed", ""));

      assertThat(call("fetch", "j1").exitCode()).isEqualTo(2);
      assertThat(call("fetch", "j1").exitCode()).isEqualTo(1);
    }
  }
}

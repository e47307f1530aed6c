package dev.swapgate.proxy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Several jobs in one call, and all of them by one name. */
class BatchTest {
  private static final String ACCEPTED =
      "{'id':'j1','state':'queued','position':2,'starts_in_seconds':45,'outage_seconds':600,"
          + "'batch':'b-1','jobs':['j1','j2'],'warnings':['1 of the 2 jobs ask the same']}";

  @TempDir Path folder;
  private ScriptedAdmin admin;

  @BeforeEach
  void start() throws Exception {
    admin = new ScriptedAdmin();
    workflow("wf.json");
    admin.on("POST jobs", 202, ACCEPTED);
    admin.on("GET status", 200, "{'phase':'serving','chat_open':true}");
  }

  @AfterEach
  void stop() {
    admin.close();
  }

  private void workflow(String name) throws Exception {
    Files.writeString(
        folder.resolve(name), "{\"6\":{\"class_type\":\"CLIPTextEncode\",\"inputs\":{}}}");
  }

  private Call call(String... args) {
    return Call.of(folder, Map.of("SWAPGATE_ADMIN", admin.url()), "{\"prompt\":\"a waltz\"}", args);
  }

  private JsonNode sent(String... args) throws Exception {
    Call call = call(args);
    assertThat(call.exitCode()).as(call.err()).isZero();
    return Json.parse(admin.lastAsked().body());
  }

  private void job(String id, String state) {
    admin.on("GET jobs/" + id, 200, "{'id':'" + id + "','state':'" + state + "','files':[]}");
  }

  private void batch(String first, String second) {
    admin.on(
        "GET jobs?batch=b-1",
        200,
        "{'jobs':[{'id':'j1','state':'" + first + "'},{'id':'j2','state':'" + second + "'}]}");
  }

  @Test
  void saysWhatTheWholeBatchWillCost() {
    Call call = call("submit", "comfyui", "wf.json", "--repeat", "2");

    assertThat(call.out().strip())
        .isEqualTo(
            "batch b-1: 2 jobs, the first number 2 in line, starts in about 45 s;"
                + " chat will be away for about 10 min in all");
    assertThat(call.err().strip()).isEqualTo("warning: 1 of the 2 jobs ask the same");
  }

  @Test
  void sendsRepeatsPriorityAndHours() throws Exception {
    JsonNode sent =
        sent(
            "submit",
            "comfyui",
            "wf.json",
            "--repeat",
            "4",
            "--priority",
            "high",
            "--window",
            "01:00-06:30",
            "--when",
            "idle");

    assertThat(sent.path("repeat").asInt()).isEqualTo(4);
    assertThat(sent.path("priority").asText()).isEqualTo("high");
    assertThat(sent.path("window").asText()).startsWith("01:00-06:30 ");
    assertThat(sent.path("when").asText()).isEqualTo("idle");
  }

  @Test
  void makesOneJobOfEachLineAndCrossesTwoFiles() throws Exception {
    Files.writeString(folder.resolve("prompts.txt"), "a hill\n\n  a lake\n");
    Files.writeString(folder.resolve("sizes.txt"), "512\n768\n");

    JsonNode sent =
        sent(
            "submit",
            "comfyui",
            "wf.json",
            "--set",
            "6.text=@prompts.txt",
            "--set",
            "5.width=@sizes.txt",
            "--set",
            "9.name=@@home");

    assertThat(sent.path("set").toString()).isEqualTo("{\"9.name\":\"@home\"}");
    assertThat(sent.path("sets").toString())
        .isEqualTo(
            "[{\"6.text\":\"a hill\",\"5.width\":\"512\"},{\"6.text\":\"a hill\",\"5.width\":\"768\"},"
                + "{\"6.text\":\"a lake\",\"5.width\":\"512\"},"
                + "{\"6.text\":\"a lake\",\"5.width\":\"768\"}]");
  }

  @Test
  void takesSeveralWorkflows() throws Exception {
    workflow("other.json");

    JsonNode sent = sent("submit", "comfyui", "wf.json", "other.json");

    assertThat(sent.path("workflows")).hasSize(2);
    assertThat(sent.has("workflow")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "6.text=@nowhere.txt, there is no readable file",
    "6.text=@empty.txt, has no line that is not blank",
  })
  void refusesAFileOfValuesThatHasNone(String set, String why) throws Exception {
    Files.writeString(folder.resolve("empty.txt"), "\n \n");

    Call call = call("submit", "comfyui", "wf.json", "--set", set);

    assertThat(call.exitCode()).isEqualTo(2);
    assertThat(call.err()).contains(why);
    assertThat(admin.asked()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"--window night, --window night", "--repeat 0, --repeat 0", "- , and some are not"})
  void refusesWhatMakesNoSense(String args, String why) {
    String[] split = ("submit comfyui wf.json " + args).split(" ");

    Call call = call(split);

    assertThat(call.exitCode()).isEqualTo(2);
    assertThat(call.err()).contains(why);
  }

  @ParameterizedTest
  @CsvSource({"done, done, 0", "done, failed, 1", "cancelled, done, 1"})
  void waitsForAllOfThem(String first, String second, int code) {
    batch("running", "queued");
    job("j1", first);
    job("j2", second);

    assertThat(call("wait", "b-1").exitCode()).isEqualTo(code);
  }

  @Test
  void cancelsWhatIsLeft() {
    batch("done", "queued");
    admin.on("DELETE jobs/j2", 200, "{'id':'j2','state':'cancelled'}");

    Call call = call("cancel", "b-1");

    assertThat(call.out().strip()).isEqualTo("batch b-1: 1 jobs cancelled");
    assertThat(admin.asked()).extracting(Object::toString).doesNotContain("DELETE jobs/j1");
  }

  @Test
  void listsAndFetchesThem() {
    admin.on(
        "GET jobs?batch=b-1",
        200,
        "{'jobs':[{'id':'j1','state':'done','files':[]},{'id':'j2','state':'queued'}]}");

    assertThat(call("jobs", "--batch", "b-1").out()).contains("j1").contains("j2");
    Call fetch = call("fetch", "b-1");
    assertThat(fetch.exitCode()).isEqualTo(2);
    assertThat(fetch.err().strip()).isEqualTo("job j2 is queued");
  }
}

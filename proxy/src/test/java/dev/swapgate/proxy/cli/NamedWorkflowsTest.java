package dev.swapgate.proxy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.swapgate.proxy.workflows.Pictures;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Handing in by name, and handing in a picture. */
class NamedWorkflowsTest {

  private static final String WORKFLOWS =
      """
      {'workflows':[{'name':'portrait','backend':'comfyui','type':'comfyui','inputs':[
         {'name':'prompt','kind':'text','at':'6.text','value':'a cat'},
         {'name':'seed','kind':'number','at':'3.seed','value':7},
         {'name':'image','kind':'file','at':'10.image','value':'face.png'}]}],
       'backends':[{'name':'comfyui','type':'comfyui'},{'name':'music','type':'ace_step'}]}""";

  @TempDir Path folder;
  private ScriptedAdmin admin;

  @BeforeEach
  void start() throws Exception {
    admin = new ScriptedAdmin();
    admin.on("GET workflows", 200, WORKFLOWS);
    admin.on("POST jobs", 202, "{'id':'j1','state':'queued','position':1}");
  }

  @AfterEach
  void stop() {
    admin.close();
  }

  private Call call(String... args) {
    return Call.of(folder, Map.of("SWAPGATE_ADMIN", admin.url()), "", args);
  }

  private JsonNode sent() throws Exception {
    return Json.parse(admin.lastAsked().body());
  }

  @Test
  void inputsAreOptionsOfTheirOwn() throws Exception {
    Call call =
        call("submit", "portrait", "--prompt", "a red barn", "--seed=7", "--repeat", "2", "--json");

    assertThat(call.exitCode()).as(call.err()).isZero();
    assertThat(sent().path("workflow_name").asText()).isEqualTo("portrait");
    assertThat(sent().path("set"))
        .isEqualTo(Json.parse("{\"prompt\":\"a red barn\",\"seed\":\"7\"}"));
    assertThat(sent().path("repeat").asInt()).isEqualTo(2);
  }

  @Test
  void orAreWrittenPlainly() throws Exception {
    Files.writeString(folder.resolve("lines.txt"), "a barn\na mill\n");

    assertThat(
            call("submit", "portrait", "--input", "prompt=@lines.txt", "--set", "3.cfg=8")
                .exitCode())
        .isZero();

    assertThat(sent().path("sets"))
        .isEqualTo(Json.parse("[{\"prompt\":\"a barn\"},{\"prompt\":\"a mill\"}]"));
    assertThat(sent().path("set").path("3.cfg").asText()).isEqualTo("8");
  }

  @Test
  void aFileGoesAlongUnderItsName() throws Exception {
    Files.writeString(folder.resolve("me.png"), "a picture");

    assertThat(call("submit", "portrait", "--image", "me.png").exitCode()).isZero();

    assertThat(admin.lastAsked().body())
        .contains("\"image\":\"me.png\"")
        .contains("filename=\"me.png\"")
        .contains("a picture");
  }

  @Test
  void anUnknownOneIsToldWithAllThereAre() {
    Call call = call("submit", "portrait", "--promt", "a barn");

    assertThat(call.exitCode()).isEqualTo(ExitCode.REFUSED);
    assertThat(call.err()).contains("portrait has no input promt; it has --prompt --seed --image");
    assertThat(call("submit", "landscape").err())
        .contains("no workflow is named landscape; there are: portrait");
    assertThat(call("submit", "music").err()).contains("needs a file");
    assertThat(admin.asked()).noneMatch(asked -> asked.method().equals("POST"));
  }

  @Test
  void withAFileThereAreNone() throws Exception {
    Files.writeString(folder.resolve("wf.json"), "{\"6\":{\"class_type\":\"T\",\"inputs\":{}}}");

    Call call = call("submit", "comfyui", "wf.json", "--prompt", "x");

    assertThat(call.exitCode()).isEqualTo(ExitCode.REFUSED);
    assertThat(call.err()).contains("no option --prompt").contains("--set KEY=VALUE");
  }

  @Test
  void aPictureIsMadeAgain() throws Exception {
    String graph = "{\"6\":{\"class_type\":\"T\",\"inputs\":{}}}";
    Files.write(folder.resolve("old.png"), Pictures.png(Pictures.text("prompt", graph)));

    Call call = call("submit", "old.png", "--set", "6.text=x");

    assertThat(call.exitCode()).as(call.err()).isZero();
    assertThat(sent().path("backend").asText()).isEqualTo("comfyui");
    assertThat(sent().path("workflow").toString()).isEqualTo(graph);
    assertThat(call("submit", "comfyui", "old.png").exitCode()).isZero();
  }

  @Test
  void aWrappedWorkflowCountsAsOne() throws Exception {
    Files.writeString(
        folder.resolve("wf.json"), "{\"prompt\":{\"6\":{\"class_type\":\"T\",\"inputs\":{}}}}");

    assertThat(call("submit", "wf.json").exitCode()).isZero();

    assertThat(sent().path("workflow").has("prompt")).isTrue();
  }

  @Test
  void areListedAndNamedInTheHelpAndTheCompletion() {
    String line = "portrait --prompt=TEXT --seed=NUMBER --image=FILE";

    assertThat(call("workflows").out().strip()).isEqualTo(line);
    assertThat(call("submit", "--help").out()).contains("Workflows of this box:", line);
    assertThat(call("completion").out()).contains("portrait");
  }

  @Test
  void theHelpNeedsNobody() {
    Call call =
        Call.of(folder, Map.of("SWAPGATE_ADMIN", "http://127.0.0.1:9"), "", "submit", "--help");

    assertThat(call.exitCode()).isZero();
    assertThat(call.out()).contains("--input=NAME=VALUE").doesNotContain("Workflows of this box");
  }

  @Test
  void anAgentsServerSaysWhyItDoesNotStart() {
    Call call = Call.of(folder, Map.of("SWAPGATE_ADMIN", "http://127.0.0.1:9"), "", "mcp");

    assertThat(call.exitCode()).isEqualTo(ExitCode.NOT_REACHABLE);
    assertThat(call.err()).contains("swapgate does not answer at http://127.0.0.1:9");
    assertThat(call.out()).as("only the protocol goes there").isEmpty();
  }
}

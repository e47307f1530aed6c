package dev.swapgate.backends.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.backends.settings.MediaSettings;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobAnswer;
import dev.swapgate.gate.core.JobRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What ComfyUI may answer to a submission, row by row. */
class ComfyUiSubmitTest {
  private static final JobRequest REQUEST =
      new JobRequest(ComfyGraphTest.GRAPH, Map.of(), List.of());

  private final ScriptedServer server = new ScriptedServer();
  private final ComfyUiAdapter adapter =
      new ComfyUiAdapter(server.settings(MediaSettings.Type.COMFYUI));
  private final Job.Ticket ticket = adapter.newTicket(new Job.Id("j1"), 1);

  @AfterEach
  void close() {
    server.close();
  }

  private JobAnswer answeredWith(int status, String body) {
    server.on("POST /prompt", status, body);
    return adapter.submit(REQUEST, ticket);
  }

  private static String rejected(JobAnswer answer) {
    assertThat(answer).isInstanceOf(JobAnswer.Rejected.class);
    return ((JobAnswer.Rejected) answer).reason();
  }

  private static JobAnswer.Accepted accepted(JobAnswer answer) {
    assertThat(answer).isInstanceOf(JobAnswer.Accepted.class);
    return (JobAnswer.Accepted) answer;
  }

  @Test
  void sendsOurOwnCanonicalIdAndAClientIdAndNoOrigin() {
    answeredWith(200, "{\"prompt_id\": \"p\", \"number\": 1, \"node_errors\": {}}");

    ScriptedServer.Asked asked = server.asked("POST /prompt").getFirst();
    String id = asked.json().path("prompt_id").asText();
    assertThat(UUID.fromString(id)).hasToString(id);
    assertThat(asked.json().path("client_id").asText()).isNotEmpty();
    assertThat(asked.json().path("prompt").path("3").path("class_type").asText())
        .isEqualTo("KSampler");
    assertThat(asked.headers()).doesNotContainKey("Origin");
    assertThat(asked.headers().getFirst("Authorization")).isEqualTo("Bearer s3cret");
  }

  @Test
  void isAcceptedUnderTheIdThatAnOlderServerChose() {
    JobAnswer.Accepted answer =
        accepted(answeredWith(200, "{\"prompt_id\": \"its-own\", \"node_errors\": {}}"));
    server.on(
        "GET /history/its-own", 200, "{\"its-own\": {\"status\": {\"status_str\": \"success\"}}}");

    assertThat(answer.warning()).isEmpty();
    assertThat(adapter.follow(answer.ticket())).isEqualTo(new JobAnswer.Finished());
  }

  @Test
  void warnsWhenSomeOutputsAreDropped() {
    JobAnswer.Accepted answer =
        accepted(
            answeredWith(
                200,
                """
                {"prompt_id": "p", "number": 1, "node_errors": {"9": {"class_type": "SaveImage",
                 "errors": [{"type": "required_input_missing", "message": "Required input",
                  "details": "images", "extra_info": {"input_name": "images"}}]}}}
                """));

    assertThat(answer.warning())
        .isEqualTo(
            "the server leaves out some outputs: node 9 (SaveImage): the input images is missing");
  }

  @Test
  void isRejectedWithTheNamesTheServerHasWhenAModelIsMissing() {
    String told =
        rejected(
            answeredWith(
                400,
                """
                {"error": {"type": "prompt_outputs_failed_validation",
                  "message": "Prompt outputs failed validation", "details": "", "extra_info": {}},
                 "node_errors": {"4": {"class_type": "CheckpointLoaderSimple",
                  "dependent_outputs": ["9"], "errors": [{"type": "value_not_in_list",
                   "message": "Value not in list", "details": "ckpt_name: 'x.safetensors'",
                   "extra_info": {"input_name": "ckpt_name", "received_value": "x.safetensors",
                    "input_config": [["a.safetensors", "b.safetensors"], {}]}}]}}}
                """));

    assertThat(told)
        .isEqualTo(
            "node 4 (CheckpointLoaderSimple): ckpt_name 'x.safetensors' is not on the server; "
                + "it has: a.safetensors, b.safetensors");
  }

  @Test
  void readsTheNewerPlaceOfTheChoicesAndCutsALongList() {
    StringBuilder options = new StringBuilder("\"m0\"");
    for (int i = 1; i < 40; i++) {
      options.append(", \"m").append(i).append('"');
    }

    String told =
        rejected(
            answeredWith(
                400,
                """
                {"error": {}, "node_errors": {"4": {"class_type": "UNETLoader", "errors": [
                 {"type": "value_not_in_list", "extra_info": {"input_name": "unet_name",
                  "received_value": "x", "input_config": ["COMBO", {"options": [%s]}]}}]}}}
                """
                    .formatted(options)));

    assertThat(told).contains("it has: m0, m1").endsWith("and 28 more").doesNotContain("m12");
  }

  @Test
  void tellsTheLengthOfAListThatTheServerKeepsToItself() {
    String told =
        rejected(
            answeredWith(
                400,
                """
                {"error": {}, "node_errors": {"4": {"class_type": "LoraLoader", "errors": [
                 {"type": "value_not_in_list", "details": "lora_name: 'x' not in (list of length 57)",
                  "extra_info": {"input_name": "lora_name", "received_value": "x",
                   "input_config": null}}]}}}
                """));

    assertThat(told)
        .isEqualTo(
            "node 4 (LoraLoader): lora_name 'x' is not on the server; "
                + "it has: (list of length 57)");
  }

  @Test
  void isRejectedWithTheLimitWhenAValueIsOutOfRange() {
    String told =
        rejected(
            answeredWith(
                400,
                """
                {"error": {}, "node_errors": {"3": {"class_type": "KSampler", "errors": [
                 {"type": "value_smaller_than_min", "extra_info": {"input_name": "steps",
                  "received_value": 0, "input_config": ["INT", {"min": 1, "max": 10000}]}},
                 {"type": "value_bigger_than_max", "extra_info": {"input_name": "cfg",
                  "received_value": 200.5, "input_config": ["FLOAT", {"max": 100.0}]}}]}}}
                """));

    assertThat(told)
        .isEqualTo(
            "node 3 (KSampler): steps 0 is below 1, the least, cfg 200.5 is above 100.0, the most");
  }

  @Test
  void isRejectedWithTheServersOwnWordsForOtherFaultsOfANode() {
    String told =
        rejected(
            answeredWith(
                400,
                """
                {"error": {}, "node_errors": {"10": {"class_type": "LoadImage", "errors": [
                 {"type": "custom_validation_failed", "message": "Custom validation failed",
                  "details": "image - Invalid image file: in.png",
                  "extra_info": {"input_name": "image"}}]}}}
                """));

    assertThat(told)
        .isEqualTo(
            "node 10 (LoadImage): Custom validation failed: "
                + "image - Invalid image file: in.png");
  }

  @Test
  void isRejectedNamingTheNodeThatIsNotInstalled() {
    String told =
        rejected(
            answeredWith(
                400,
                """
                {"error": {"type": "missing_node_type", "message": "Node 'X' not found",
                  "details": "", "extra_info": {"node_id": "7", "class_type": "FancyNode",
                  "node_title": "X"}}, "node_errors": {}}
                """));

    assertThat(told)
        .isEqualTo("node 7 (FancyNode): this kind of node is not installed on the server");
  }

  @Test
  void isRejectedWhenTheGraphHasNoOutputs() {
    String told =
        rejected(
            answeredWith(
                400,
                """
                {"error": {"type": "prompt_no_outputs", "message": "Prompt has no outputs",
                  "details": "", "extra_info": {}}, "node_errors": {}}
                """));

    assertThat(told).isEqualTo("the server refused the workflow: Prompt has no outputs");
  }

  @Test
  void isUnansweredAtAServerError() {
    assertThat(answeredWith(500, "500 Internal Server Error"))
        .isEqualTo(
            new JobAnswer.Unanswered(
                "POST /prompt was answered with status 500: 500 Internal Server Error"));
  }

  @Test
  void isUnansweredWhenTheAnswerIsNoJson() {
    assertThat(answeredWith(200, "<html>")).isInstanceOf(JobAnswer.Unanswered.class);
  }

  @Test
  void isUnansweredWhenNobodyListens() {
    server.close();

    assertThat(adapter.submit(REQUEST, ticket))
        .isEqualTo(new JobAnswer.Unanswered("POST /prompt: connection refused"));
  }

  @Test
  void isRejectedWithoutAskingWhenTheWorkflowCannotRun() {
    JobRequest editor = new JobRequest("{\"nodes\": [], \"links\": []}", Map.of(), List.of());

    assertThat(rejected(adapter.submit(editor, ticket))).contains("Export (API)");
    assertThat(server.asked()).isEmpty();
  }

  @Test
  void uploadsAttachmentsFirstAndUsesTheNamesTheServerGave(@TempDir Path folder)
      throws IOException {
    Path file = Files.writeString(folder.resolve("stored"), "PNG bytes");
    server.on(
        "POST /upload/image",
        200,
        "{\"name\": \"in (1).png\", \"subfolder\": \"\", \"type\": \"input\"}");
    server.on("POST /prompt", 200, "{\"prompt_id\": \"p\", \"node_errors\": {}}");
    JobRequest request =
        new JobRequest(
            ComfyGraphTest.GRAPH,
            Map.of(),
            List.of(new JobRequest.Attachment("in.png", file.toString())));

    accepted(adapter.submit(request, ticket));

    assertThat(server.asked())
        .extracting(ScriptedServer.Asked::route)
        .containsExactly("POST /upload/image", "GET /ws", "POST /prompt");
    assertThat(server.asked("POST /upload/image").getFirst().body())
        .contains("name=\"image\"; filename=\"in.png\"", "\r\n\r\nPNG bytes\r\n--")
        .doesNotContain("overwrite");
    assertThat(
            server.asked("POST /prompt").getFirst().json().at("/prompt/10/inputs/image").asText())
        .isEqualTo("in (1).png");
  }

  @Test
  void uploadsTheImagesThatCameInside() {
    server.on("POST /upload/image", 200, "{\"name\": \"in.png\", \"subfolder\": \"sub\"}");
    server.on("POST /prompt", 200, "{\"prompt_id\": \"p\", \"node_errors\": {}}");
    JobRequest request =
        new JobRequest(
            """
            {"input": {"workflow": %s, "images": [{"name": "in.png", "image": "aGVsbG8="}]}}
            """
                .formatted(ComfyGraphTest.GRAPH),
            Map.of(),
            List.of());

    accepted(adapter.submit(request, ticket));

    assertThat(server.asked("POST /upload/image").getFirst().body())
        .contains("\r\n\r\nhello\r\n--");
    assertThat(
            server.asked("POST /prompt").getFirst().json().at("/prompt/10/inputs/image").asText())
        .isEqualTo("sub/in.png");
  }

  @Test
  void isRejectedWhenTheServerWillNotTakeAFile(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("stored"), "x");
    server.on("POST /upload/image", 413, "too large");
    JobRequest request =
        new JobRequest(
            ComfyGraphTest.GRAPH,
            Map.of(),
            List.of(new JobRequest.Attachment("in.png", file.toString())));

    assertThat(rejected(adapter.submit(request, ticket))).contains("'in.png': status 413");
    assertThat(server.asked("POST /prompt")).isEmpty();
  }
}

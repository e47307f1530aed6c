package dev.swapgate.proxy.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobRequest;
import dev.swapgate.gate.runtime.Gate;
import dev.swapgate.proxy.AdminSide;
import dev.swapgate.proxy.RecordedGate;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JobApiTest {
  @TempDir Path folder;
  private AdminSide side;

  @BeforeEach
  void start() {
    side = new AdminSide(folder, false);
  }

  @AfterEach
  void stop() {
    side.close();
  }

  @Test
  void acceptsAJobAndSaysWhenItsTurnIs() throws Exception {
    HttpResponse<String> response =
        side.post(
            "/api/v1/jobs",
            """
            {"backend":"comfyui",
             "workflow":{"3":{"inputs":{"seed":18446744073709551615,"cfg":7.10}}},
             "set":{"6.text":"a cat","3.seed":42},"when":"now","idempotency_key":"k1"}""");

    assertThat(response.statusCode()).isEqualTo(202);
    assertThat(AdminSide.json(response))
        .isEqualTo(
            AdminSide.json(
                """
                {"id":"j1","state":"queued","position":3,"starts_in_seconds":2,
                 "outage_seconds":240}"""));
    assertThat(side.gate.asked())
        .containsExactly("submit comfyui when=Optional.empty key=Optional[k1]");
    JobRequest request = side.gate.requests.getFirst();
    assertThat(request.json())
        .as("the numbers keep their digits")
        .isEqualTo("{\"3\":{\"inputs\":{\"seed\":18446744073709551615,\"cfg\":7.10}}}");
    assertThat(request.set()).isEqualTo(Map.of("6.text", "a cat", "3.seed", "42"));
  }

  @ParameterizedTest
  @CsvSource({
    "90m, 2026-11-30T11:30:00Z",
    "2027-01-31T02:00:00+01:00, 2027-01-31T01:00:00Z",
  })
  void takesAMomentToWaitFor(String when, String due) throws Exception {
    side.post(
        "/api/v1/jobs", "{\"backend\":\"comfyui\",\"workflow\":{},\"when\":\"" + when + "\"}");

    assertThat(side.gate.asked().getFirst()).contains("when=Optional[" + due + "]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "unknown_backend | {\"backend\":\"nobody\",\"workflow\":{}}",
        "missing_field   | {\"workflow\":{}}",
        "missing_field   | {\"backend\":\"comfyui\"}",
        "missing_field   | {\"backend\":\"comfyui\",\"workflow\":{},\"request\":{}}",
        "bad_field       | {\"backend\":\"comfyui\",\"workflow\":\"x\"}",
        "bad_when        | {\"backend\":\"comfyui\",\"workflow\":{},\"when\":\"soonish\"}",
        "unknown_field   | {\"backend\":\"comfyui\",\"workflow\":{},\"idempotencykey\":\"x\"}",
        "bad_json        | {\"backend\":",
        "refused_request | {\"backend\":\"comfyui\",\"workflow\":{\"impossible\":1}}",
      })
  void refusesAJobThatCanNeverRun(String code, String body) throws Exception {
    HttpResponse<String> response = side.post("/api/v1/jobs", body);

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(AdminSide.json(response).at("/error/code").textValue()).isEqualTo(code);
    assertThat(side.gate.asked()).isEmpty();
  }

  @Test
  void tellsTheReasonTheAdapterGives() throws Exception {
    HttpResponse<String> response =
        side.post("/api/v1/jobs", "{\"backend\":\"comfyui\",\"workflow\":{\"impossible\":1}}");

    assertThat(AdminSide.json(response).at("/error/message").textValue())
        .isEqualTo("node 6 has no input impossible");
  }

  @Test
  void saysThatTheQueueIsFull() throws Exception {
    side.gate.refuses =
        Optional.of(new Gate.RefusedException(Gate.RefusedException.Kind.FULL, "1000 jobs wait"));

    assertThat(side.post("/api/v1/jobs", "{\"backend\":\"comfyui\",\"workflow\":{}}").statusCode())
        .isEqualTo(429);
  }

  @Test
  void showsAJobFieldByField() throws Exception {
    Job job = job("j9", "cat.png").ended(Job.State.DONE, "", List.of("cat.png"), RecordedGate.THEN);
    side.store.update(job);

    assertThat(AdminSide.json(side.get("/api/v1/jobs/j9")))
        .isEqualTo(
            AdminSide.json(
                """
                {"id":"j9","state":"done","backend":"comfyui","attempts":1,
                 "created":"2026-11-30T10:00:00Z","started":"2026-11-30T10:00:00Z",
                 "ended":"2026-11-30T10:00:00Z","progress":1.0,"error":null,
                 "files":["cat.png"],"priority":"normal","batch":null,"when":null,"window":null,
                 "set":{}}"""));
  }

  @Test
  void listsJobsByState() throws Exception {
    side.store.update(job("j1"));
    side.store.update(
        job("j2").ended(Job.State.FAILED, "no such model", List.of(), RecordedGate.THEN));

    JsonNode all = AdminSide.json(side.get("/api/v1/jobs")).get("jobs");
    JsonNode failed = AdminSide.json(side.get("/api/v1/jobs?state=failed,done")).get("jobs");

    assertThat(all).hasSize(2);
    assertThat(all.at("/0/id").textValue()).isEqualTo("j2");
    assertThat(failed).hasSize(1);
    assertThat(failed.at("/0/error").textValue()).isEqualTo("no such model");
    assertThat(side.get("/api/v1/jobs?state=lost").statusCode()).isEqualTo(400);
  }

  @Test
  void cancelsAJobAndTellsHowItStands() throws Exception {
    side.store.update(job("j1"));

    HttpResponse<String> response = side.delete("/api/v1/jobs/j1");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(AdminSide.json(response).get("state").textValue()).isEqualTo("cancelled");
    assertThat(side.gate.asked()).containsExactly("cancel j1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"j404", "..", "a%20b", "x%2Fy"})
  void knowsNoOtherJobs(String id) throws Exception {
    assertThat(side.get("/api/v1/jobs/" + id).statusCode()).isEqualTo(404);
    assertThat(side.delete("/api/v1/jobs/" + id).statusCode()).isIn(404, 405);
    assertThat(side.get("/api/v1/jobs/" + id + "/log").statusCode()).isEqualTo(404);
  }

  @Test
  void logTellsOnlyTheJobsOwnLinesOldestFirst() throws Exception {
    side.store.update(job("j1"));
    side.store.addHistory(RecordedGate.THEN, "queued", "comfyui", "j1", "{}");
    side.store.addHistory(RecordedGate.THEN, "queued", "comfyui", "j2", "{}");
    side.store.addHistory(RecordedGate.THEN, "running", "comfyui", "j1", "{}");

    JsonNode lines = AdminSide.json(side.get("/api/v1/jobs/j1/log")).get("lines");

    assertThat(lines).hasSize(2);
    assertThat(lines.at("/0/what").textValue()).isEqualTo("queued");
    assertThat(lines.at("/1/what").textValue()).isEqualTo("running");
  }

  @Test
  void handsOutAResultAsADownload() throws Exception {
    done("j1", "page.html");
    Path results = Files.createDirectories(folder.resolve("results/j1"));
    Files.writeString(results.resolve("page.html"), "<script>");

    HttpResponse<String> response = side.get("/api/v1/jobs/j1/files/page.html");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).isEqualTo("<script>");
    assertThat(response.headers().firstValue("Content-Type")).hasValue("application/octet-stream");
    assertThat(response.headers().firstValue("Content-Disposition"))
        .hasValue("attachment; filename=\"page.html\"");
    assertThat(response.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
    assertThat(response.headers().firstValue("Content-Length")).hasValue("8");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../secret",
        "..%2Fsecret",
        "..%2fsecret",
        "%2e%2e%2fsecret",
        "%2e%2e/secret",
        "link.png",
        "folder",
        "unlisted.png",
        "/etc/passwd",
        "..%5Csecret",
        "a.png%00.txt"
      })
  void handsOutNothingElse(String name) throws Exception {
    done("j1", "../secret", "link.png", "folder", "gone.png", "..\\secret");
    Path results = Files.createDirectories(folder.resolve("results/j1/folder")).getParent();
    Files.writeString(folder.resolve("results/secret"), "secret");
    Files.writeString(results.resolve("unlisted.png"), "secret");
    Files.createSymbolicLink(results.resolve("link.png"), folder.resolve("results/secret"));

    String status =
        side.raw("GET /api/v1/jobs/j1/files/" + name + " HTTP/1.1\r\nHost: localhost\r\n\r\n");

    assertThat(status).isIn("404", "400");
  }

  @Test
  void takesFilesThatGoAlong() throws Exception {
    HttpResponse<String> response =
        multipart(
            part("job", null, "{\"backend\":\"comfyui\",\"workflow\":{}}")
                + part("image", "größe.png", "picture"));

    assertThat(response.body()).contains("j1");
    assertThat(response.statusCode()).isEqualTo(202);
    JobRequest.Attachment file = side.gate.requests.getFirst().attachments().getFirst();
    assertThat(file.name()).isEqualTo("größe.png");
    assertThat(Path.of(file.path())).hasContent("picture").startsWith(folder.resolve("uploads"));
    assertThat(Path.of(file.path()).getFileName().toString()).matches("[A-Za-z0-9._-]+");
  }

  @Test
  void keepsNoFilesOfARefusedJob() throws Exception {
    HttpResponse<String> response =
        multipart(
            part("image", "a.png", "picture")
                + part("job", null, "{\"backend\":\"nobody\",\"workflow\":{}}"));

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(uploadFolders()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"../../etc/passwd", "..", "a/b.png", "a\\\\b.png", ".hidden"})
  void refusesFileNamesThatAreNotPlain(String name) throws Exception {
    HttpResponse<String> response =
        multipart(
            part("image", name, "x")
                + part("job", null, "{\"backend\":\"comfyui\",\"workflow\":{}}"));

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(AdminSide.json(response).at("/error/code").textValue()).isEqualTo("bad_file_name");
    assertThat(uploadFolders()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "no boundary here", "--B\r\n\r\nhalf"})
  void refusesABodyThatIsNotMultipart(String body) throws Exception {
    HttpResponse<String> response =
        side.send(
            side.at("/api/v1/jobs")
                .header("Content-Type", "multipart/form-data; boundary=B")
                .POST(HttpRequest.BodyPublishers.ofString(body)));

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(uploadFolders()).isEmpty();
  }

  private List<Path> uploadFolders() throws Exception {
    Path uploads = folder.resolve("uploads");
    if (!Files.exists(uploads)) {
      return List.of();
    }
    try (Stream<Path> found = Files.list(uploads)) {
      return found.toList();
    }
  }

  private HttpResponse<String> multipart(String parts) throws Exception {
    return side.send(
        side.at("/api/v1/jobs")
            .header("Content-Type", "multipart/form-data; boundary=B")
            .POST(HttpRequest.BodyPublishers.ofString(parts + "--B--\r\n")));
  }

  private static String part(String name, String file, String body) {
    return "--B\r\nContent-Disposition: form-data; name=\""
        + name
        + "\""
        + (file == null ? "" : "; filename=\"" + file + "\"")
        + "\r\n\r\n"
        + body
        + "\r\n";
  }

  private void done(String id, String... files) {
    side.store.update(job(id).ended(Job.State.DONE, "", List.of(files), RecordedGate.THEN));
  }

  private static Job job(String id, String... files) {
    return new Job(
            new Job.Id(id),
            new Backend.Id("comfyui"),
            "shape",
            Job.State.QUEUED,
            0,
            Optional.empty(),
            RecordedGate.THEN,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            "",
            List.of(files))
        .attempted(new Job.Ticket("t"), RecordedGate.THEN);
  }
}

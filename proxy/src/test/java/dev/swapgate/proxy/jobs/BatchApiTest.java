package dev.swapgate.proxy.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.swapgate.gate.core.JobTerms;
import dev.swapgate.gate.core.Priority;
import dev.swapgate.proxy.AdminSide;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several jobs in one submission, and the terms on which jobs are handed in. */
class BatchApiTest {
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

  private JsonNode submit(String rest) throws Exception {
    HttpResponse<String> answer =
        side.post("/api/v1/jobs", "{\"backend\":\"comfyui\"," + rest + "}");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
    return AdminSide.json(answer);
  }

  @Test
  void takesTheTermsOfAJob() throws Exception {
    submit(
        """
        "workflow":{},"priority":"high","when":"idle","window":"01:00-06:30 Europe/Berlin\"""");

    JobTerms terms = side.gate.terms.getFirst();
    assertThat(terms.priority()).isEqualTo(Priority.HIGH);
    assertThat(terms.idle()).isTrue();
    assertThat(terms.window().orElseThrow().text()).isEqualTo("01:00-06:30 Europe/Berlin");
    JsonNode shown = AdminSide.json(side.get("/api/v1/jobs/j1"));
    assertThat(shown.path("priority").asText()).isEqualTo("high");
    assertThat(shown.path("when").asText()).isEqualTo("idle");
    assertThat(shown.path("window").asText()).isEqualTo("01:00-06:30 Europe/Berlin");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'workflow':{},'priority':'urgent'",
        "'workflow':{},'window':'night'",
        "'workflow':{},'repeat':0",
        "'workflow':{},'repeat':1.5",
        "'workflow':{},'repeat':2000",
        "'workflow':{},'sets':{'a':'b'}",
        "'workflows':[]",
        "'workflows':[1]",
        "'workflows':[{}],'workflow':{}",
        "'workflows':[{},{}],'repeat':501",
      })
  void refusesWhatItCannotRead(String rest) throws Exception {
    HttpResponse<String> answer =
        side.post("/api/v1/jobs", ("{'backend':'comfyui'," + rest + "}").replace('\'', '"'));

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
    assertThat(side.gate.asked()).isEmpty();
  }

  @Test
  void makesOneJobOfEachDocumentEachValueAndEachRepeat() throws Exception {
    JsonNode answer =
        submit(
            """
            "workflows":[{"a":{}},{"b":{}}],"set":{"9.cfg":"7"},
            "sets":[{"6.text":"a hill"},{"6.text":"a lake"}],"repeat":3""");

    assertThat(side.gate.requests).hasSize(12);
    assertThat(answer.path("id").asText()).isEqualTo("j1");
    assertThat(answer.path("batch").asText()).isEqualTo("b-1");
    assertThat(answer.path("jobs")).hasSize(12);
    assertThat(side.gate.requests)
        .extracting(request -> request.json() + request.set().get("6.text"))
        .containsExactly(
            "{\"a\":{}}a hill",
            "{\"a\":{}}a hill",
            "{\"a\":{}}a hill",
            "{\"a\":{}}a lake",
            "{\"a\":{}}a lake",
            "{\"a\":{}}a lake",
            "{\"b\":{}}a hill",
            "{\"b\":{}}a hill",
            "{\"b\":{}}a hill",
            "{\"b\":{}}a lake",
            "{\"b\":{}}a lake",
            "{\"b\":{}}a lake");
    assertThat(side.gate.requests).allMatch(request -> request.set().get("9.cfg").equals("7"));
  }

  @Test
  void theFirstKeepsItsSeedAndEveryRepeatHasItsOwnOnRecord() throws Exception {
    JsonNode answer = submit("\"workflow\":{\"seed\":7},\"repeat\":3");

    List<Map<String, String>> sets =
        side.gate.requests.stream().map(request -> request.set()).toList();
    assertThat(sets.getFirst()).isEmpty();
    assertThat(sets.get(1)).containsOnlyKeys("seed").isNotEqualTo(sets.get(2));
    assertThat(answer.has("warnings")).isFalse();
    assertThat(AdminSide.json(side.get("/api/v1/jobs/j2")).at("/set/seed").asText())
        .as("the seed of the second, as it is shown")
        .isEqualTo(sets.get(1).get("seed"));
  }

  @Test
  void warnsOfWhatTheServerWouldAnswerFromItsMemory() throws Exception {
    JsonNode twice = submit("\"workflow\":{\"steps\":7},\"repeat\":2");
    assertThat(twice.at("/warnings/0").asText()).contains("1 of the 2 jobs");

    JsonNode again = submit("\"workflow\":{\"steps\":7}");
    assertThat(again.at("/warnings/0").asText()).contains("job j1 asks exactly the same");

    assertThat(submit("\"workflow\":{\"steps\":8}").has("warnings")).isFalse();
  }

  @Test
  void listsTheJobsOfABatch() throws Exception {
    submit("\"workflow\":{\"seed\":7},\"repeat\":2");
    submit("\"workflow\":{\"seed\":8}");

    JsonNode listed = AdminSide.json(side.get("/api/v1/jobs?batch=b-1")).path("jobs");
    assertThat(listed).extracting(job -> job.path("id").asText()).containsExactly("j1", "j2");
    assertThat(side.get("/api/v1/jobs?batch=b-9").statusCode()).isEqualTo(404);
    assertThat(side.get("/api/v1/jobs?batch=%20").statusCode()).isEqualTo(404);
  }
}

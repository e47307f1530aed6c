package dev.swapgate.proxy.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.gate.core.JobRequest;
import dev.swapgate.proxy.AdminSide;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Workflows that are asked for by name. */
class NamedWorkTest {
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
  void areListedWithTheirInputs() throws Exception {
    assertThat(AdminSide.json(side.get("/api/v1/workflows")))
        .isEqualTo(
            AdminSide.json(
                """
                {"workflows":[{"name":"portrait","backend":"comfyui","type":"comfyui",
                   "makes":"image","inputs":[
                   {"name":"prompt","kind":"text","at":"6.text","value":"a cat"},
                   {"name":"seed","kind":"number","at":"6.seed","value":7}]}],
                 "backends":[{"name":"comfyui","type":"comfyui"}]}"""));
  }

  @Test
  void theFileIsTheServersAndTheValuesArePutIn() throws Exception {
    assertThat(
            side.post(
                    "/api/v1/jobs",
                    """
                    {"workflow_name":"portrait","set":{"prompt":"a dog","6.cfg":8},
                     "sets":[{"seed":1},{"seed":2}]}""")
                .statusCode())
        .isEqualTo(202);

    assertThat(side.gate.asked().getFirst()).startsWith("submit comfyui");
    assertThat(side.gate.requests)
        .extracting(JobRequest::set)
        .containsExactly(
            Map.of("6.text", "a dog", "6.cfg", "8", "6.seed", "1"),
            Map.of("6.text", "a dog", "6.cfg", "8", "6.seed", "2"));
    assertThat(side.gate.requests.getFirst().json()).contains("\"text\":\"a cat\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "unknown_workflow | {'workflow_name':'landscape'} | there are: portrait",
        "unknown_input    | {'workflow_name':'portrait','set':{'promt':'x'}} | prompt, seed",
        "missing_field    | {'workflow_name':'portrait','workflow':{}} | workflow_name",
        "bad_field        | {'workflow_name':'portrait','backend':'music'} | is one of comfyui",
      })
  void whatIsWrongIsToldWithWhatThereIs(String code, String body, String words) throws Exception {
    var answer = side.post("/api/v1/jobs", body.replace('\'', '"'));

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(AdminSide.json(answer).at("/error/code").textValue()).isEqualTo(code);
    assertThat(AdminSide.json(answer).at("/error/message").textValue()).contains(words);
    assertThat(side.gate.asked()).isEmpty();
  }
}

package dev.swapgate.proxy.chat;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModelNamesTest {
  private final ModelNames names = new ModelNames(Map.of("local", "qwen3-32b", "ü", "a\"b"));

  private String renamed(String json) {
    return new String(names.renamed(json.getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"model\":\"local\"}|{\"model\":\"qwen3-32b\"}",
        "{ \"x\" : [1.50, {\"model\":\"local\"}] ,\t\"model\" :  \"local\" , \"é\":\"ü\" }|{ \"x\""
            + " : [1.50, {\"model\":\"local\"}] ,\t\"model\" :  \"qwen3-32b\" , \"é\":\"ü\" }",
        "{\"é\":1,\"model\":\"ü\",\"z\":2}|{\"é\":1,\"model\":\"a\\\"b\",\"z\":2}",
        "{\"model\":\"loc\\u0061l\"}|{\"model\":\"qwen3-32b\"}",
        "{\"model\":\"other\"}|{\"model\":\"other\"}",
        "{\"model\":[\"local\"]}|{\"model\":[\"local\"]}",
        "[\"model\",\"local\"]|[\"model\",\"local\"]",
        "{\"model\":\"local\",|{\"model\":\"local\",",
      })
  void changesTheTopmostModelAndNothingElse(String before, String after) {
    assertThat(renamed(before)).isEqualTo(after);
  }

  @Test
  void theLengthUpstreamIsTheNewOne(@TempDir java.nio.file.Path dir) throws Exception {
    try (Street street =
            new Street(
                Duration.ZERO, Map.of("local", "qwen3-32b"), ChatSettings.Limits.standard(), dir);
        Wire client = street.client()) {
      street.gate.open();
      String body = "{\"model\":\"local\",\"stream\":true}";
      client.send(
          "POST /v1/chat/completions HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
              + "Content-Length: "
              + body.length()
              + "\r\n\r\n"
              + body);
      Wire engine = street.engine.next();

      assertThat(engine.message().text()).isEqualTo("{\"model\":\"qwen3-32b\",\"stream\":true}");
    }
  }
}

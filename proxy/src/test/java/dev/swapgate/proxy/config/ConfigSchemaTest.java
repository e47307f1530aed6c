package dev.swapgate.proxy.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The published schema, as an editor uses it. */
class ConfigSchemaTest {

  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  private static final String GOOD =
      """
      listen: 127.0.0.1:8484
      engines:
        vllm:
          container: vllm
          url: http://127.0.0.1:8000
          readiness: {budget: 900s, passes: 2, headers: {X-Key: a}}
          vram: 31GiB
      media:
        art: {type: comfyui, container: art, url: "http://127.0.0.1:8188", tries: 2}
      """;

  private final JsonSchema schema =
      JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(ConfigSchema.text());

  private static Path top() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("compose/swapgate.yaml"))) {
      folder = folder.getParent();
    }
    return folder;
  }

  private Set<ValidationMessage> problems(String text) throws Exception {
    JsonNode tree = YAML.readTree(text);
    return schema.validate(tree);
  }

  @Test
  void theFileIsWhatTheReadersAskFor() {
    assertThat(top().resolve("compose/swapgate.schema.json"))
        .as("write it anew: scripts/swapgate config --schema > compose/swapgate.schema.json")
        .hasContent(ConfigSchema.text());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "compose/swapgate.yaml",
        "compose/swapgate.compose.yaml",
        "compose/demo/swapgate.yaml",
        "compose/examples/a1111.yaml",
        "compose/examples/heartmula-studio.yaml",
        "compose/examples/kokoro-tts.yaml",
        "compose/examples/whisper.yaml",
        "compose/examples/yue.yaml",
        "scripts/demo.d/swapgate.yaml"
      })
  void whatIsShippedFitsAndNamesIt(String name) throws Exception {
    Path file = top().resolve(name);
    String text = Files.readString(file);

    assertThat(problems(text)).isEmpty();
    String named = text.lines().findFirst().orElse("").replaceFirst("^# yaml-.*schema=", "");
    assertThat(file.resolveSibling(named)).exists().hasFileName("swapgate.schema.json");
  }

  @Test
  void allShippedFilesAreLookedAt() throws Exception {
    ValueSource looked =
        ConfigSchemaTest.class
            .getDeclaredMethod("whatIsShippedFitsAndNamesIt", String.class)
            .getAnnotation(ValueSource.class);
    try (var files = Files.walk(top().resolve("compose"))) {
      assertThat(
              files
                  .filter(file -> file.getFileName().toString().endsWith(".yaml"))
                  .filter(file -> !file.getFileName().toString().startsWith("compose."))
                  .filter(file -> !file.getFileName().toString().equals("litellm.yaml"))
                  .map(file -> top().relativize(file).toString()))
          .isSubsetOf(Arrays.asList(looked.strings()));
    }
  }

  @Test
  void aGoodOneFitsWithVariablesToo() throws Exception {
    assertThat(problems(GOOD)).isEmpty();
    assertThat(problems(GOOD.replace("900s", "'${B}'").replace("passes: 2", "passes: '${N}'")))
        .isEmpty();
  }

  /** Each is refused by the readers as well, so that the schema is no stricter. */
  @ParameterizedTest
  @CsvSource({
    "listen:, lisen:",
    "900s, 900",
    "900s, 15 minutes",
    "passes: 2, passes: 0",
    "passes: 2, passes: 101",
    "passes: 2, passes: two",
    "31GiB, 31GB",
    "container: vllm, image: vllm",
    "type: comfyui, type: comfy",
    "'type: comfyui,', ''",
    "tries: 2, drain: 5m",
    "tries: 2, needs: [a]",
    "X-Key: a, X-Key: {path: a}",
    "art:, Art:",
    "'engines:', 'engine:'"
  })
  void aBrokenOneDoesNot(String part, String broken) throws Exception {
    String text = GOOD.replace(part, broken);
    assertThat(text).isNotEqualTo(GOOD);

    assertThat(problems(text)).isNotEmpty();
    assertThatThrownBy(() -> new ConfigLoader(Map.of()).parse("broken.yaml", text, Path.of("/")))
        .isInstanceOf(ConfigException.class);
  }
}

package dev.swapgate.proxy.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.gate.core.Backend;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an engine's {@code prefetch} may hold, and that it may change while all runs. */
class PrefetchKeysTest {

  @TempDir Path folder;
  private Refused refused;

  @BeforeEach
  void refuse() {
    refused = new Refused(folder);
  }

  private static SwapgateConfig with(String globs) {
    return new ConfigLoader(Map.of("MODELS", "/models"))
        .parse(
            "f.yaml",
            "engines: {a: {container: a, url: 'http://h:1', prefetch: " + globs + "}}",
            Path.of("/"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "models/* | is not absolute; write /models/my-model/*.safetensors",
        "/models/../* | holds ..; write the path without it",
        "/models/[a | is no glob: Missing ']",
        "/models/{a | is no glob: Missing '}",
      })
  void aGlobIsAbsoluteAndWellFormed(String globAndProblem) {
    String[] parts = globAndProblem.split(" \\| ");

    assertThat(
            refused.problems(
                "engines:",
                "  a:",
                "    container: a",
                "    url: http://h:1",
                "    prefetch: ['" + parts[0] + "']"))
        .containsExactly("f.yaml:5: engines.a.prefetch: \"" + parts[0] + "\" " + parts[1]);
  }

  @Test
  void thereIsALimit() {
    List<String> many = Collections.nCopies(101, "/m/*");
    assertThat(
            refused.problems(
                "engines:",
                "  a:",
                "    container: a",
                "    url: http://h:1",
                "    prefetch: ['" + String.join("', '", many) + "']"))
        .containsExactly("f.yaml:5: engines.a.prefetch: has 101 globs; at most 100 are read");
  }

  @Test
  void variablesMayStandInIt() {
    assertThat(with("['${MODELS}/a/*']").prefetch())
        .isEqualTo(Map.of(new Backend.Id("a"), List.of("/models/a/*")));
  }

  @Test
  void itMayChangeWhileAllRuns() {
    SwapgateConfig before = with("['/models/a/*']");
    SwapgateConfig wanted = with("['/models/b/*']");

    assertThat(before.withWhatMayChange(wanted).prefetch()).isEqualTo(wanted.prefetch());
    assertThat(ConfigChange.between(before, wanted))
        .extracting(ConfigChange::toString)
        .containsExactly("engines.a.prefetch [\"/models/a/*\"] → [\"/models/b/*\"]");
  }
}

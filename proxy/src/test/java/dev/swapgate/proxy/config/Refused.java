package dev.swapgate.proxy.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Reads a text named {@code f.yaml} that must be refused, with {@code WORD} in the environment, and
 * gives its problems.
 *
 * @param folder against which paths are resolved
 */
record Refused(Path folder) {

  private static final String ENGINE = "  a: {container: a, url: 'http://127.0.0.1:8000'}\n";

  List<String> problems(String... lines) {
    return problemsOf(String.join("\n", lines) + "\n");
  }

  /** With one good engine on the first two lines; the given lines begin on line 3. */
  List<String> afterAnEngine(String... lines) {
    return problemsOf("engines:\n" + ENGINE + String.join("\n", lines) + "\n");
  }

  /** The keys of one engine, which begin on line 3. */
  List<String> inAnEngine(String... lines) {
    String keys = String.join("\n    ", Arrays.asList(lines));
    return problemsOf(
        "engines:\n  a:\n    " + keys + "\n    container: a\n    url: http://127.0.0.1:8000\n");
  }

  /** The keys of one media backend, which begin on line 5. */
  List<String> inMedia(String... lines) {
    String keys = String.join("\n    ", Arrays.asList(lines));
    return afterAnEngine(
        "media:", "  m:", "    " + keys, "    container: m", "    url: http://127.0.0.1:1");
  }

  List<String> problemsOf(String text) {
    ConfigException refused =
        catchThrowableOfType(
            ConfigException.class,
            () -> new ConfigLoader(Map.of("WORD", "s3cret")).parse("f.yaml", text, folder));
    assertThat(refused).as("the refusal of%n%s", text).isNotNull();
    return refused.problems().stream().map(Problems.Problem::toString).toList();
  }
}

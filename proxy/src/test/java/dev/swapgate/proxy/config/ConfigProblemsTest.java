package dev.swapgate.proxy.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each kind of mistake, told with its line, its path and what to do. */
class ConfigProblemsTest {

  @TempDir Path folder;
  private Refused refused;

  @BeforeEach
  void refuse() {
    refused = new Refused(folder);
  }

  @Test
  void allAreToldAtOnceInTheOrderOfTheFile() {
    List<String> told =
        refused.problems(
            "selected: c",
            "engines:",
            "  a: {container: a, url: 'ftp://127.0.0.1', drain: soon}",
            "  b: {container: a, url: 'http://127.0.0.1:8000', reediness: {}}",
            "tail_hold: 20m");

    assertThat(told)
        .containsExactly(
            "f.yaml:1: selected: \"c\" is no engine; engines are: a, b",
            "f.yaml:3: engines.a.url: must begin with http:// or https://",
            "f.yaml:3: engines.a.drain: \"soon\" is no duration; write 90s, 15m, 1h30m or 500ms",
            "f.yaml:4: engines.b.container: container a belongs to engines.a.container already;"
                + " each needs its own",
            "f.yaml:4: engines.b.reediness: is not a known key; did you mean readiness?",
            "f.yaml:5: tail_hold: \"20m\" is out of range; it must lie between 0s and 10m");
  }

  @Nested
  class TheText {
    @Test
    void anUnknownKeyNamesTheNearestOrAll() {
      assertThat(refused.afterAnEngine("tail_hodl: 5s"))
          .containsExactly("f.yaml:3: tail_hodl: is not a known key; did you mean tail_hold?");
      assertThat(refused.afterAnEngine("retry_after: {minimum_wait: 5s}"))
          .containsExactly(
              "f.yaml:3: retry_after.minimum_wait: is not a known key; known here: min, max");
    }

    @Test
    void aDuplicateNamesTheFirst() {
      assertThat(refused.afterAnEngine("tail_hold: 5s", "listen: 127.0.0.1:1", "tail_hold: 6s"))
          .containsExactly("f.yaml:5: tail_hold: stands here again, first on line 3; keep one");
    }

    @Test
    void anchorsAliasesAndMergeKeysAreRefused() {
      assertThat(
              refused.problems(
                  "engines:",
                  "  a: &one {container: a, url: 'http://127.0.0.1:8000'}",
                  "  b: *one",
                  "  c:",
                  "    <<: {drain: 5s}",
                  "    container: c",
                  "    url: http://127.0.0.1:8001",
                  "selected: a"))
          .containsExactly(
              "f.yaml:2: engines.a: &one is an anchor; remove it",
              "f.yaml:3: engines.b: *one is an alias; write the value out",
              "f.yaml:5: engines.c.<<: is a merge key; write the values out");
    }

    @Test
    void tagsAreRefused() {
      assertThat(refused.afterAnEngine("tail_hold: !!str 5s", "policy: !mine {}"))
          .containsExactly(
              "f.yaml:3: tail_hold: the tag tag:yaml.org,2002:str is not used here; remove it",
              "f.yaml:4: policy: the tag !mine is not used here; remove it");
    }

    @Test
    void aSecondDocumentIsRefused() {
      assertThat(refused.afterAnEngine("---", "tail_hold: 5s"))
          .containsExactly("f.yaml:3: a second document begins; keep one, without ---");
    }

    @Test
    void whatIsNoYamlNamesTheLine() {
      assertThat(refused.problems("engines:", "  a: [1, 2", "b: 3"))
          .singleElement()
          .asString()
          .startsWith("f.yaml:3: is not readable as YAML: ");
      assertThat(refused.problems("engines:", "\ta: 1"))
          .singleElement()
          .asString()
          .startsWith("f.yaml:2: is not readable as YAML: ");
    }

    @Test
    void nestingHasALimit() {
      assertThat(refused.afterAnEngine("policy: " + "[".repeat(3000) + "]".repeat(3000)))
          .contains("f.yaml:3: policy" + "[0]".repeat(19) + ": is nested deeper than 20 levels");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "# nothing\n", "---\n", "~\n"})
    void anEmptyFileSaysWhatIsNeeded(String text) {
      assertThat(refused.problemsOf(text))
          .containsExactly("f.yaml: is empty; at least selected and engines are needed");
    }

    @Test
    void aListIsNoConfiguration() {
      assertThat(refused.problems("- a", "- b"))
          .containsExactly("f.yaml:1: the file must be a map of keys, but is a list");
    }

    @Test
    void aKeyWithoutAValueIsTold() {
      assertThat(refused.afterAnEngine("tail_hold:", "batch_engine: ~"))
          .containsExactly(
              "f.yaml:3: tail_hold: has no value; give one, or remove the key",
              "f.yaml:4: batch_engine: has no value; give one, or remove the key");
    }

    @Test
    void theWrongKindOfValueIsTold() {
      assertThat(refused.afterAnEngine("tail_hold: [5s]", "policy: 5s", "admin: {hosts: box.lan}"))
          .containsExactly(
              "f.yaml:3: tail_hold: must be a single value, but is a list",
              "f.yaml:4: policy: must be a map of keys, but is a single value",
              "f.yaml:5: admin.hosts: must be a list like [a, b], but is a single value");
    }
  }

  @Nested
  class TheFile {
    @Test
    void thatIsMissingIsNamed() {
      assertThat(loading(folder.resolve("none.yaml")))
          .containsExactly(folder.resolve("none.yaml") + ": there is no such file");
    }

    @Test
    void thatIsTooLargeIsNotRead() throws Exception {
      Path file = folder.resolve("large.yaml");
      Files.writeString(file, "#".repeat(256 * 1024 + 1));

      assertThat(loading(file)).containsExactly(file + ": is 256 KiB; at most 256 KiB are read");
    }

    @Test
    void thatIsNoUtf8IsTold() throws Exception {
      Path file = folder.resolve("latin.yaml");
      Files.write(file, "selected: ä\n".getBytes(StandardCharsets.ISO_8859_1));

      assertThat(loading(file)).containsExactly(file + ": is not UTF-8 text; save it as UTF-8");
    }

    private List<String> loading(Path file) {
      ConfigException refused =
          catchThrowableOfType(ConfigException.class, () -> new ConfigLoader(Map.of()).load(file));
      return refused.problems().stream().map(Problems.Problem::toString).toList();
    }
  }

  @Nested
  class Values {
    @ParameterizedTest
    @ValueSource(strings = {"5", "5 s", "1.5s", "-5s", "s", "5s3m", "5S"})
    void durationsNeedUnits(String text) {
      assertThat(refused.afterAnEngine("tail_hold: \"" + text + "\""))
          .containsExactly(
              "f.yaml:3: tail_hold: \""
                  + text
                  + "\" is no duration; write 90s, 15m, 1h30m or 500ms");
    }

    @ParameterizedTest
    @ValueSource(strings = {"31", "31GB", "31 GiB", "1.5GiB", "31g"})
    void sizesNeedUnits(String text) {
      assertThat(refused.inAnEngine("vram: " + text))
          .containsExactly(
              "f.yaml:3: engines.a.vram: \""
                  + text
                  + "\" is no size; write 31GiB, 512MiB or 64KiB");
    }

    @ParameterizedTest
    @ValueSource(strings = {"012", "1e3", "no", "0x10", "two", "1.0"})
    void numbersArePlain(String text) {
      assertThat(refused.afterAnEngine("limits: {queue: " + text + "}"))
          .containsExactly(
              "f.yaml:3: limits.queue: \""
                  + text
                  + "\" is no whole number; it must lie between 1 and 100000");
    }

    @Test
    void rangesAreTold() {
      assertThat(
              refused.inAnEngine(
                  "attempts: 0",
                  "vram: 2TiB",
                  "restore: 0s",
                  "readiness: {passes: 0, accept: [99], budget: 25h, interval: 1ms}"))
          .containsExactly(
              "f.yaml:3: engines.a.attempts: \"0\" is out of range; it must lie between 1 and 100",
              "f.yaml:4: engines.a.vram: \"2TiB\" is out of range; it must lie between 1MiB and"
                  + " 1TiB",
              "f.yaml:5: engines.a.restore: \"0s\" is out of range; it must lie between 1s and 1d",
              "f.yaml:6: engines.a.readiness.accept: \"99\" is out of range; it must lie between"
                  + " 100 and 599",
              "f.yaml:6: engines.a.readiness.budget: \"25h\" is out of range; it must lie between"
                  + " 1s and 1d",
              "f.yaml:6: engines.a.readiness.interval: \"1ms\" is out of range; it must lie"
                  + " between 50ms and 1m",
              "f.yaml:6: engines.a.readiness.passes: \"0\" is out of range; it must lie between 1"
                  + " and 100");
    }

    @Test
    void retryAfterIsWholeSecondsMinFirst() {
      assertThat(refused.afterAnEngine("retry_after: {min: 500ms}"))
          .containsExactly(
              "f.yaml:3: retry_after.min: \"500ms\" is out of range; it must lie between 1s and"
                  + " 1d");
      assertThat(refused.afterAnEngine("retry_after: {min: 10m, max: 5m}"))
          .containsExactly("f.yaml:3: retry_after.min: min (10m) is above max (5m)");
      assertThat(refused.afterAnEngine("retry_after: {min: 1s500ms}"))
          .containsExactly("f.yaml:3: retry_after.min: must be whole seconds, as Retry-After is");
    }

    @Test
    void aGenerationBeyondTheJobBudgetIsTold() {
      assertThat(refused.inMedia("type: comfyui", "generation: 1h"))
          .containsExactly(
              "f.yaml:6: media.m.generation: 1h is longer than job_budget (30m), so every job"
                  + " would be cut; lower it or raise job_budget");
    }
  }
}

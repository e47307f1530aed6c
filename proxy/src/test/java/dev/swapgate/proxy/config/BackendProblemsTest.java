package dev.swapgate.proxy.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Mistakes about places, backends and secrets, told with line, path and what to do. */
class BackendProblemsTest {

  @TempDir Path folder;
  private Refused refused;

  @BeforeEach
  void refuse() {
    refused = new Refused(folder);
  }

  @Nested
  class Places {
    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.0.0.1:70000", ":8484", "a b:1", "::1:8484"})
    void listenNeedsHostAndPort(String text) {
      assertThat(refused.afterAnEngine("listen: '" + text + "'"))
          .containsExactly("f.yaml:3: listen: is no address; write host:port like 127.0.0.1:8484");
    }

    @Test
    void theTwoListenersDiffer() {
      assertThat(refused.afterAnEngine("listen: localhost:8485"))
          .containsExactly(
              "f.yaml:3: listen: is the address of admin.listen too; give each its own");
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "127.0.0.1:8000 | must begin with http:// or https://",
          "http://me:pw@h | must not hold a user or password; give readiness.headers or"
              + " api_key_file",
          "http:///x | names no host; write http://127.0.0.1:8000",
          "http://h:99999 | the port must lie between 1 and 65535",
          "http://h/?a=b | is a base address and must not hold ? or #",
          "http://169.254.169.254 | is a link-local address, where clouds keep credentials; use"
              + " another",
        })
    void aUrlIsABaseAddress(String urlAndProblem) {
      String[] parts = urlAndProblem.split(" \\| ");

      assertThat(
              refused.problems(
                  "engines:", "  a:", "    container: a", "    url: '" + parts[0] + "'"))
          .containsExactly("f.yaml:4: engines.a.url: " + parts[1]);
    }

    @Test
    void twoBackendsNeverShareAUrl() {
      assertThat(
              refused.afterAnEngine(
                  "media:", "  m: {type: comfyui, container: m, url: 'http://localhost:8000/x'}"))
          .containsExactly(
              "f.yaml:4: media.m.url: http://localhost:8000/x belongs to engines.a.url already;"
                  + " each needs its own");
    }

    @Test
    void noBackendIsSwapgateItself() {
      assertThat(refused.problems("engines:", "  a: {container: a, url: 'http://localhost:8484'}"))
          .containsExactly(
              "f.yaml:2: engines.a.url: http://localhost:8484 belongs to listen already; each"
                  + " needs its own");
    }

    @Test
    void aDaemonIsASocketOrTcp() {
      assertThat(refused.afterAnEngine("docker: {host: /var/run/docker.sock}"))
          .containsExactly(
              "f.yaml:3: docker.host: must be unix:///path/docker.sock or tcp://host:port");
    }

    @Test
    void oneCardIsNamedOneWay() {
      assertThat(refused.afterAnEngine("card: {index: 0, uuid: GPU-1}"))
          .containsExactly("f.yaml:3: card.uuid: and index are both given; keep one");
      assertThat(refused.afterAnEngine("card: {uuid: '0'}"))
          .containsExactly("f.yaml:3: card.uuid: must look like GPU-…; see nvidia-smi -L");
    }
  }

  @Nested
  class Backends {
    @Test
    void atLeastOneEngineIsNeeded() {
      String needed = "engines: is missing; name at least one engine, which serves chat";

      assertThat(refused.problems("tail_hold: 5s")).containsExactly("f.yaml:1: " + needed);
      assertThat(refused.problems("tail_hold: 5s", "engines: {}"))
          .containsExactly("f.yaml:2: " + needed);
    }

    @Test
    void severalEnginesNeedASelectedOne() {
      assertThat(refused.afterAnEngine("  b: {container: b, url: 'http://127.0.0.1:8001'}"))
          .containsExactly(
              "f.yaml:1: selected: is missing; name the engine that serves chat: a, b");
    }

    @Test
    void fallbackAndBatchAreEngines() {
      assertThat(refused.afterAnEngine("fallback_engine: x", "batch_engine: y"))
          .containsExactly(
              "f.yaml:3: fallback_engine: \"x\" is no engine; engines are: a",
              "f.yaml:4: batch_engine: \"y\" is no engine; engines are: a");
    }

    @Test
    void containerAndUrlAreNeeded() {
      assertThat(refused.problems("engines:", "  a:", "    drain: 5s"))
          .containsExactly(
              "f.yaml:3: engines.a.container: is missing; name the Docker container",
              "f.yaml:3: engines.a.url: is missing; name its address, like"
                  + " http://127.0.0.1:8000");
    }

    @Test
    void namesArePlainAndUnique() {
      assertThat(refused.problems("engines:", "  Big One: {container: a, url: 'http://h:1'}"))
          .containsExactly(
              "f.yaml:2: engines.Big One: is no name for a backend; use a-z 0-9 _ - and begin"
                  + " with a letter or digit");
      assertThat(refused.problems("engines:", "  none: {container: a, url: 'http://h:1'}"))
          .containsExactly(
              "f.yaml:2: engines.none: is the word for nobody (swapgate lease none); choose"
                  + " another name");
      assertThat(
              refused.afterAnEngine(
                  "media:", "  a: {type: comfyui, container: m, url: 'http://h:1'}"))
          .containsExactly(
              "f.yaml:4: media.a: the name a belongs to engines.a already; each needs its own");
    }

    @Test
    void aTypeThatIsNotKnownIsTold() {
      assertThat(refused.inMedia("type: comfy"))
          .containsExactly(
              "f.yaml:5: media.m.type: \"comfy\" is not known; use comfyui, ace_step,"
                  + " sync_http, submit_poll_fetch or exec");
    }
  }

  @Nested
  class SecretsAndVariables {
    @Test
    void anUnknownVariableIsTold() {
      assertThat(refused.afterAnEngine("tail_hold: ${NOWHERE}"))
          .contains("f.yaml:3: tail_hold: the environment variable NOWHERE is not set; set it");
    }

    @Test
    void defaultsAndOpenBracesAreNotKnown() {
      assertThat(refused.afterAnEngine("state_dir: ${WORD:-x}", "results_dir: ${WORD"))
          .contains(
              "f.yaml:3: state_dir: ${WORD:-x} is no variable name; only ${NAME} is known, without"
                  + " defaults (a literal ${ is written $${)",
              "f.yaml:4: results_dir: ${WORD has no closing brace; write ${NAME}");
    }

    @Test
    void aVariablesContentIsNeverShown() {
      assertThat(refused.afterAnEngine("tail_hold: ${WORD}", "limits: {queue: '${WORD}'}"))
          .containsExactly(
              "f.yaml:3: tail_hold: \"${WORD}\" is no duration; write 90s, 15m, 1h30m or 500ms",
              "f.yaml:4: limits.queue: \"${WORD}\" is no whole number; it must lie between 1 and"
                  + " 100000");
    }

    @Test
    void aKeyInTheFileIsRefusedAndNotShown() {
      assertThat(refused.inMedia("type: comfyui", "api_key: abc123"))
          .containsExactly(
              "f.yaml:6: media.m.api_key: must not stand in this file; use api_key_file: PATH or"
                  + " api_key: ${NAME}");
    }

    @Test
    void aSecretFileThatCannotBeReadIsNamed() {
      assertThat(refused.inMedia("type: comfyui", "api_key_file: gone.txt"))
          .containsExactly(
              "f.yaml:6: media.m.api_key_file: "
                  + folder.resolve("gone.txt")
                  + " cannot be read (NoSuchFileException); check path and rights");
    }

    @Test
    void aSecretIsOneLine() throws Exception {
      Files.writeString(folder.resolve("two.txt"), "one\ntwo\n");

      assertThat(refused.inMedia("type: comfyui", "api_key_file: two.txt"))
          .containsExactly(
              "f.yaml:6: media.m.api_key_file: holds an empty or many-lined value; one line is"
                  + " needed");
    }
  }
}

package dev.swapgate.proxy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How swapgate is found, how mistakes end, and what works without one that runs. */
class InvocationTest {

  private static final String COMMANDS =
      "serve demo submit workflows jobs job wait cancel fetch logs status select lease release maintenance"
          + " cooldown history check rehearse clients mcp init config completion version";

  @TempDir Path folder;
  private ScriptedAdmin admin;

  @BeforeEach
  void start() throws Exception {
    admin = new ScriptedAdmin();
  }

  @AfterEach
  void stop() {
    admin.close();
  }

  private Call call(String... args) {
    return Call.of(folder, Map.of("SWAPGATE_ADMIN", admin.url()), "", args);
  }

  @Nested
  class TheToken {
    private String sentWith(Map<String, String> environment, String... args) {
      admin.on("GET status", 200, "{}");
      assertThat(Call.of(folder, environment, "", args).exitCode()).isZero();
      return String.valueOf(admin.lastAsked().authorization());
    }

    @Test
    void aFormatOfTheLogThatIsNoneIsRefusedBeforeAnythingStarts() {
      Call call = Call.of(folder, Map.of("SWAPGATE_LOG_FORMAT", "xml"), "", "serve");
      assertThat(call.exitCode()).isEqualTo(2);
      assertThat(call.err()).contains("SWAPGATE_LOG_FORMAT is 'xml'; use text or json");
    }

    @Test
    void comesFromTheOptionThenTheVariableThenTheStateFolder() throws Exception {
      Files.writeString(folder.resolve("mine"), "opt-token\n");
      Files.createDirectories(folder.resolve("state"));
      Files.writeString(folder.resolve("state/admin.token"), "state-token\n");
      Files.writeString(
          folder.resolve("swapgate.yaml"),
          "state_dir: state\nadmin: {listen: '" + admin.url().substring(7) + "'}\n");

      assertThat(sentWith(Map.of("SWAPGATE_TOKEN", "env"), "status", "--token-file", "mine"))
          .isEqualTo("Bearer opt-token");
      assertThat(sentWith(Map.of("SWAPGATE_TOKEN", "env"), "status")).isEqualTo("Bearer env");
      assertThat(sentWith(Map.of(), "status")).isEqualTo("Bearer state-token");
    }

    @Test
    void thatIsRefusedSaysWhereItIsLookedFor() {
      admin.on("GET status", 401, "{'error':{'message':'the token is missing'}}");

      Call call = call("status");

      assertThat(call.exitCode()).isEqualTo(2);
      assertThat(call.err().strip())
          .isEqualTo(
              "swapgate: the token is missing; the token is read from --token-file,"
                  + " $SWAPGATE_TOKEN or /var/lib/swapgate/admin.token");
    }
  }

  @Nested
  class Mistakes {
    @Test
    void nobodyAtTheAddressIsThree() {
      admin.close();

      Call call = call("status");

      assertThat(call.exitCode()).isEqualTo(3);
      assertThat(call.err().strip())
          .isEqualTo(
              "swapgate: swapgate does not answer at "
                  + admin.url()
                  + "; start it with swapgate serve, or name its address with --admin");
    }

    @Test
    void somethingElseAtTheAddressIsThree() {
      admin.on("GET status", 200, "<html>");

      Call call = call("status");

      assertThat(call.exitCode()).isEqualTo(3);
      assertThat(call.err()).contains("not as swapgate does; check --admin");
    }

    @Test
    void aFaultOfSwapgateIsSeventyWithoutAStackTraceUnlessAsked() {
      admin.on("GET status", 500, "{'error':{'message':'it broke'}}");

      Call call = call("status");
      assertThat(call.exitCode()).isEqualTo(70);
      assertThat(call.err().strip()).isEqualTo("swapgate: it broke");
      assertThat(call("status", "--debug").err()).contains("  at dev.swapgate.");
    }

    @Test
    void wrongUsageIsTwoAndOneLine() {
      Call call = call("statsu");
      assertThat(call.exitCode()).isEqualTo(2);
      assertThat(call.err().lines()).hasSize(1);
      assertThat(call("job").err().strip())
          .isEqualTo("swapgate: Missing required parameter: 'ID'; see swapgate job --help");
      assertThat(call().exitCode()).isEqualTo(2);
      assertThat(call("status", "--admin", "box.lan").exitCode()).isEqualTo(2);
    }

    @Test
    void helpNamesEveryCommand() {
      Call call = call("--help");

      assertThat(call.exitCode()).isZero();
      assertThat(call.out()).contains("jobs, ps").contains("Exit codes");
      for (String command : COMMANDS.split(" ")) {
        assertThat(call.out()).containsPattern("(?m)^  " + command + "[ ,]");
        assertThat(call(command, "--help").out()).startsWith("Usage: swapgate " + command + " ");
      }
      assertThat(call("submit", "--help").out()).contains("--set", "--wait", "--out");
    }
  }

  @Nested
  class WithoutASwapgate {
    @Test
    void clientsNamesABaseUrlForEach() throws Exception {
      Files.writeString(folder.resolve("swapgate.yaml"), "listen: 127.0.0.1:9100\n");

      Call call = call("clients");

      assertThat(call.exitCode()).isZero();
      assertThat(call.out())
          .contains("http://127.0.0.1:9100/v1")
          .contains("http://127.0.0.1:9100/as/hermes/v1")
          .contains("http://127.0.0.1:9100/as/short/v1")
          .containsPattern("http://127.0.0.1:9100/as/ollama +")
          .containsPattern("http://127.0.0.1:9100/as/anthropic-js +");
      assertThat(admin.asked()).isEmpty();
    }

    @Test
    void serveWithABadConfigurationIsSeventyEight() throws Exception {
      Files.writeString(folder.resolve("swapgate.yaml"), "tail_hold: 5\n");

      Call call = call("serve");

      assertThat(call.exitCode()).isEqualTo(78);
      assertThat(call.err()).contains("tail_hold: \"5\" is no duration");
    }

    @Test
    void serveThatCannotStartEndsAsTheWiringSays() throws Exception {
      Files.writeString(folder.resolve("file"), "");
      Files.writeString(
          folder.resolve("swapgate.yaml"),
          """
          listen: 127.0.0.1:0
          admin: {listen: '127.0.0.1:0'}
          state_dir: file
          docker: {host: 'unix:///nowhere/docker.sock'}
          engines: {vllm: {container: vllm, url: 'http://127.0.0.1:8000'}}
          """);

      Call call = call("serve");

      assertThat(call.exitCode()).isIn(69, 78);
      assertThat(call.err().lines()).hasSize(1);
      assertThat(call.err()).startsWith("swapgate: ");
    }

    @Test
    void configPrintsWhatApplies() throws Exception {
      Files.writeString(
          folder.resolve("swapgate.yaml"),
          "engines: {vllm: {container: vllm, url: 'http://127.0.0.1:8000'}}\n");

      Call call = call("config");

      assertThat(call.exitCode()).isZero();
      assertThat(call.out().lines())
          .contains("# from " + folder.resolve("swapgate.yaml"), "selected: vllm", "    drain: 5m");
    }

    @Test
    void aBadConfigurationIsSeventyEightAndTellsAll() throws Exception {
      Files.writeString(folder.resolve("swapgate.yaml"), "tail_hold: 5\nselekted: x\n");

      Call call = call("config");

      assertThat(call.exitCode()).isEqualTo(78);
      assertThat(call.err().lines())
          .hasSize(4)
          .anySatisfy(line -> assertThat(line).contains("did you mean selected?"));
    }

    @Test
    void noConfigurationSaysWhereItWasLookedFor() {
      Call call = call("config");

      assertThat(call.exitCode()).isEqualTo(78);
      assertThat(call.err())
          .contains(folder.resolve("swapgate.yaml").toString(), "/etc/swapgate/swapgate.yaml");
    }
  }
}

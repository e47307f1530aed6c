package dev.swapgate.proxy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code swapgate init} as it is typed. */
class InitTest {

  @TempDir Path folder;

  private Call init(String... args) {
    String[] words = new String[args.length + 1];
    words[0] = "init";
    System.arraycopy(args, 0, words, 1, args.length);
    return Call.of(folder, Map.of("DOCKER_HOST", "unix://" + folder + "/none.sock"), "", words);
  }

  @Test
  void neverOverwrites() throws Exception {
    Files.writeString(folder.resolve("swapgate.yaml"), "mine");

    Call call = init();

    assertThat(call.exitCode()).isEqualTo(2);
    assertThat(call.err()).contains("swapgate.yaml is there already and is not overwritten");
    assertThat(folder.resolve("swapgate.yaml")).hasContent("mine");
  }

  @Test
  void withoutDockerItSaysWhereItAsked() {
    Call call = init();

    assertThat(call.exitCode()).isEqualTo(69);
    assertThat(call.err()).contains("/none.sock", "is Docker running");
    assertThat(folder.resolve("swapgate.yaml")).doesNotExist();
  }

  @Test
  void aFileOfLlamaSwapIsPrintedAsOneThatLoads() throws Exception {
    Files.writeString(
        folder.resolve("config.yaml"),
        "models:\n  qwen: {cmd: 'docker run --rm -p ${PORT}:8000 vllm/vllm-openai:v1'}\n"
            + "  bare: {cmd: 'llama-server --port ${PORT}'}\n");

    Call call = init("--from", "llama-swap", "config.yaml");

    assertThat(call.exitCode()).isZero();
    assertThat(call.err()).startsWith("left out: bare").contains("it runs llama-server");
    Files.writeString(folder.resolve("swapgate.yaml"), call.out());
    assertThat(Call.of(folder, Map.of(), "", "config").exitCode()).isZero();
    assertThat(call.out())
        .contains("#   docker create --name qwen -p 5800:8000 vllm/vllm-openai:v1");
  }

  @Test
  void whatItCannotReadIsRefused() throws Exception {
    Files.writeString(folder.resolve("config.yaml"), "models:\n  bare: {cmd: llama-server}\n");

    assertThat(init("--from", "ollama", "config.yaml").exitCode()).isEqualTo(2);
    assertThat(init("--from", "llama-swap").err()).contains("needs the file to read");
    assertThat(init("--from", "llama-swap", "config.yaml").err())
        .contains("no model in", "is a docker run line");
  }
}

package dev.swapgate.proxy.init;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.swapgate.proxy.config.ConfigException;
import dev.swapgate.proxy.config.ConfigLoader;
import dev.swapgate.proxy.config.SwapgateConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of a llama-swap file. */
class LlamaSwapTest {

  private static final String FILE =
      """
      healthCheckTimeout: 500
      startPort: 10001
      macros:
        gpu: --gpus "device=0" --rm
        image: vllm/vllm-openai:v0.11.0
      models:
        "Qwen 30B":
          cmd: |
            # the big one
            docker run ${gpu} -it --init \\
              --name vllm-${MODEL_ID_SHORT} -p 127.0.0.1:${PORT}:8000 \\
              -e 'GREETING=it''s me' --restart=unless-stopped
              ${image} --model /m --served-model-name qwen
          macros: {MODEL_ID_SHORT: q30}
          cmdStop: docker stop vllm-q30
          useModelName: qwen
          ttl: 300
        small:
          cmd: /usr/bin/docker run --rm -d -p ${PORT}:8080 home/small:1 --jinja
          proxy: "http://localhost:${PORT}"
          checkEndpoint: /ready
        bare:
          cmd: llama-server --port ${PORT} -m /m.gguf
        odd:
          cmd: docker run --rm x:1 ${env.TOKEN}
        pod:
          cmd: podman run --rm x:1
      groups: {all: {members: [small]}}
      """;

  private static Draft draft(String text) {
    return LlamaSwap.draft("config.yaml", text);
  }

  @Test
  void itsDockerRunLinesBecomeContainersAndEngines() {
    Draft draft = draft(FILE);
    SwapgateConfig config =
        new ConfigLoader(Map.of()).parse("drafted.yaml", draft.text(), Path.of("/"));

    assertThat(draft.text().lines().filter(line -> line.startsWith("#   docker create ")))
        .containsExactly(
            "#   docker create --name vllm-q30 --gpus device=0 --init -p 127.0.0.1:10001:8000"
                + " -e 'GREETING=its me' vllm/vllm-openai:v0.11.0 --model /m"
                + " --served-model-name qwen",
            "#   docker create --name small -p 10002:8080 home/small:1 --jinja");
    assertThat(config.workshop().engines())
        .extracting(one -> one.container() + " " + one.url() + one.readiness().path())
        .containsExactly(
            "vllm-q30 http://127.0.0.1:10001/health", "small http://127.0.0.1:10002/ready");
    assertThat(config.box().engines().get(1).budgets().readiness()).hasSeconds(500);
    assertThat(config.models(config.box().selected())).containsEntry("Qwen 30B", "qwen");
    assertThat(config.box().selected().value()).isEqualTo("qwen-30b");
  }

  @Test
  void whatIsNoDockerRunLineIsNamedWithTheReason() {
    assertThat(draft(FILE).left())
        .hasSize(3)
        .anyMatch(line -> line.startsWith("bare") && line.contains("it runs llama-server"))
        .anyMatch(line -> line.startsWith("odd") && line.contains("${env.TOKEN}"))
        .anyMatch(line -> line.startsWith("pod") && line.contains("it runs podman"))
        .allMatch(line -> line.contains("not translatable"));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "docker run -dp 8000:80 x,                     write its options apart",
        "docker run --rm,                              it names no image",
        "docker run -v,                                it ends behind -v",
        "docker run --name 'a b' x,                    cannot be a container's name",
        "docker exec x y,                              it is no docker run",
        "docker run 'x,                                is not closed"
      })
  void aLineThatCannotBeReadIsNotGuessedAt(String line, String why) {
    assertThatThrownBy(() -> DockerRun.of(ShellWords.split(line), "n")).hasMessageContaining(why);
  }

  @Test
  void optionsKeepTheirValuesAndTheImageIsFound() {
    DockerRun run =
        DockerRun.of(
            ShellWords.split(
                "sudo docker container run --gpus=all -p8000:8000 -v \"/a b:/m\" --detach"
                    + " --ipc host --name=nn img:1 -p 3 --rm"),
            "other");

    assertThat(run.create())
        .isEqualTo(
            List.of(
                "docker",
                "create",
                "--name",
                "nn",
                "--gpus=all",
                "-p8000:8000",
                "-v",
                "/a b:/m",
                "--ipc",
                "host",
                "img:1",
                "-p",
                "3",
                "--rm"));
    assertThat(ShellWords.split(ShellWords.join(run.create()))).isEqualTo(run.create());
  }

  @Test
  void aFileThatIsNoneIsToldLineByLine() {
    assertThatThrownBy(() -> draft("models: *all\n"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("config.yaml:1");
  }
}

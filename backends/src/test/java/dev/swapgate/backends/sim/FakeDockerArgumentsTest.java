package dev.swapgate.backends.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class FakeDockerArgumentsTest {

  @Test
  void imagesAndContainersAreMadeOfWords() {
    FakeDockerArguments told =
        FakeDockerArguments.parse(
                "--socket",
                "/tmp/docker.sock",
                "--image",
                "sim=java -cp classes Sim",
                "--container",
                "vllm sim engine SIM_NAME=vllm  SIM_PORT=8000 --flag=1")
            .orElseThrow();

    assertThat(told.socket()).isEqualTo(Path.of("/tmp/docker.sock"));
    assertThat(told.entrypoints()).containsEntry("sim", List.of("java", "-cp", "classes", "Sim"));
    assertThat(told.containers())
        .containsExactly(
            new FakeDockerArguments.Container(
                "vllm",
                "sim",
                List.of("engine", "--flag=1"),
                List.of("SIM_NAME=vllm", "SIM_PORT=8000")));
  }

  @Test
  void whatIsNotUnderstoodIsRefused() {
    assertThat(FakeDockerArguments.parse()).isEmpty();
    assertThat(FakeDockerArguments.parse("--socket")).isEmpty();
    assertThat(FakeDockerArguments.parse("--socket", "/s", "--container", "alone")).isEmpty();
    assertThat(FakeDockerArguments.parse("--socket", "/s", "--colour", "red")).isEmpty();
  }
}

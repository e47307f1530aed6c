package dev.swapgate.proxy.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commented example that is shipped. */
class ExampleFileTest {

  private static Path example() {
    return shipped("swapgate.yaml");
  }

  private static Path shipped(String name) {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("compose/swapgate.yaml"))) {
      folder = folder.getParent();
    }
    return folder.resolve("compose").resolve(name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"swapgate.compose.yaml", "demo/swapgate.yaml"})
  void loads(String name) {
    assertThat(new ConfigLoader(Map.of()).load(shipped(name)).box().selected().value())
        .isEqualTo("vllm");
  }

  @Test
  void loadsAndHoldsRequestsNearTheEndOfASwap() {
    SwapgateConfig config = new ConfigLoader(Map.of()).load(example());

    assertThat(config.box().backends())
        .extracting(backend -> backend.id().value())
        .containsExactly("vllm", "ninfer", "comfyui", "music");
    assertThat(config.tailHold()).isEqualTo(Duration.ofSeconds(50));
    assertThat(config.box().engines().getFirst().budgets().vramMib()).hasValue(31 * 1024);
  }

  @Test
  void namesEveryKey() throws Exception {
    String text = Files.readString(example());
    SwapgateConfig config = new ConfigLoader(Map.of()).load(example());

    assertThat(EffectiveConfig.lines(config))
        .extracting(line -> line.strip().replace("\"", "").split(":")[0])
        .allSatisfy(key -> assertThat(text).contains(key + ":"));
  }

  /** They stand at the end of the file, as comments. */
  @Test
  void showsDescribedServersThatCanBeRead() throws Exception {
    StringBuilder text =
        new StringBuilder("engines:\n  a: {container: a, url: 'http://h:1'}\nmedia:\n");
    Files.readAllLines(example()).stream()
        .dropWhile(line -> !line.equals("#   speech:"))
        .map(line -> line.replaceFirst("^# ", ""))
        .forEach(
            line -> {
              text.append(line).append('\n');
              if (line.matches("  \\w+:")) {
                String name = line.strip().replace(":", "");
                text.append("    container: " + name + "\n");
                text.append(name.equals("yue") ? "" : "    url: http://" + name + "\n");
              }
            });

    SwapgateConfig config =
        new ConfigLoader(Map.of()).parse("shown.yaml", text.toString(), Path.of("/"));

    assertThat(config.workshop().media())
        .extracting(media -> media.type().word())
        .containsExactly("sync_http", "submit_poll_fetch", "exec");
    assertThat(EffectiveConfig.lines(config))
        .extracting(line -> line.strip().replace("\"", "").split(":")[0])
        .allSatisfy(key -> assertThat(text + Files.readString(example())).contains(key + ":"));
  }
}

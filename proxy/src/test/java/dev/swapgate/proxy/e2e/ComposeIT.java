package dev.swapgate.proxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The Compose files as somebody would use them, with the images built from this checkout. */
@Timeout(value = 600, unit = TimeUnit.SECONDS)
class ComposeIT {
  private static final Path CHECKOUT = Simulators.checkout();
  private static final String BOX = CHECKOUT.resolve("compose/compose.yaml").toString();
  private static final String DEMO = CHECKOUT.resolve("compose/compose.demo.yaml").toString();

  private static List<Integer> ports;

  @BeforeAll
  static void buildsTheImage() throws Exception {
    Simulators.assumeThere();
    ports = Simulators.freePorts(2);
    Program.run(CHECKOUT.resolve("scripts/build-images").toString(), "--swapgate");
  }

  @AfterAll
  static void takesAllDown() {
    if (ports != null) {
      compose(DEMO, "--profile", "card", "down", "-v");
    }
  }

  @Test
  void theBoxIsAccepted() {
    assertThat(compose(BOX, "--profile", "card", "config"))
        .contains("swapgate", "docker-proxy", "vllm", "ninfer", "comfyui", "ace-step");
  }

  @Test
  void thePretendBoxSwaps() {
    compose(DEMO, "--profile", "card", "up", "--no-start");
    compose(DEMO, "up", "-d");
    assertThat(Program.run("docker", "inspect", "-f", "{{.State.StartedAt}}", "pretend-comfyui"))
        .as("what needs the card is started by swapgate, not by `up`")
        .startsWith("0001-01-01");
    Await.until(
        () -> "chat is open; " + compose(DEMO, "logs", "swapgate"),
        Duration.ofSeconds(120),
        () -> compose(DEMO, "logs", "swapgate").contains("chat is open"));

    String said =
        Program.run(
            "sh",
            "-c",
            "exec docker exec -i \"$(docker ps -q -f publish=$1)\" swapgate submit comfyui -"
                + " --wait=chat < \"$2\" 2>&1",
            "sh",
            ports.get(0).toString(),
            CHECKOUT.resolve("scripts/demo.d/picture.json").toString());

    assertThat(said).contains(" is done: ");
    assertThat(compose(DEMO, "exec", "-T", "swapgate", "swapgate", "status"))
        .containsPattern("chat +open")
        .containsPattern("card +Pretend Card");
  }

  /** By the plugin, or where there is none by the older program. */
  private static String compose(String file, String... words) {
    boolean plugin = Program.isOk("docker", "compose", "version");
    return Program.run(
        Stream.of(
                Stream.of("env", "CHAT_PORT=" + ports.get(0), "ADMIN_PORT=" + ports.get(1)),
                plugin ? Stream.of("docker", "compose") : Stream.of("docker-compose"),
                Stream.of("-p", "swapgate-test", "-f", file),
                Stream.of(words))
            .flatMap(part -> part)
            .toArray(String[]::new));
  }
}

package dev.swapgate.proxy.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.swapgate.proxy.notify.Target;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who is told elsewhere, and where metrics are served. */
class NotifyKeysTest {
  private static final String BOX =
      "engines: {vllm: {container: vllm, url: \"http://127.0.0.1:8000\"}}\n";

  @TempDir Path folder;

  private SwapgateConfig read(String text) {
    return new ConfigLoader(Map.of("HOOK", "https://hooks.example/s3cret"))
        .parse("test", BOX + text, folder);
  }

  @Test
  void readsEveryKey() throws Exception {
    Files.writeString(folder.resolve("token"), "Bearer t0ken\n");
    Files.writeString(folder.resolve("address"), "https://ntfy.example/t0pic\n");
    SwapgateConfig config =
        read(
            """
            metrics: {listen: "127.0.0.1:9000"}
            notify:
              chat: {shape: slack, url: "${HOOK}", on: [degraded], timeout: 3s}
              phone: {shape: ntfy, url_file: address, headers: {Authorization: {file: token}}}
            """);

    assertThat(config.metricsListen())
        .isEqualTo(Optional.of(new SwapgateConfig.Address("127.0.0.1", 9000)));
    assertThat(config.notices())
        .containsExactly(
            new Target(
                "chat",
                URI.create("https://hooks.example/s3cret"),
                Target.Shape.SLACK,
                Set.of("degraded"),
                Map.of(),
                Duration.ofSeconds(3)),
            new Target(
                "phone",
                URI.create("https://ntfy.example/t0pic"),
                Target.Shape.NTFY,
                Set.of("degraded", "healed", "job_done", "job_failed"),
                Map.of("Authorization", "Bearer t0ken"),
                Duration.ofSeconds(10)));
    String shown = config + String.join("\n", EffectiveConfig.lines(config));
    assertThat(shown)
        .contains("https://hooks.example/***")
        .doesNotContain("s3cret")
        .doesNotContain("t0pic")
        .doesNotContain("t0ken");
  }

  @Test
  void whatIsPrintedReadsTheSame() {
    SwapgateConfig config =
        read("metrics: {listen: \"127.0.0.1:9000\"}\nnotify: {a: {url: \"http://box.lan/x?y=1\"}}");
    String printed = String.join("\n", EffectiveConfig.lines(config));

    SwapgateConfig again = new ConfigLoader(Map.of()).parse("printed", printed, folder);

    assertThat(EffectiveConfig.lines(again)).isEqualTo(EffectiveConfig.lines(config));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "notify: {a: {}} | notify.a.url: or url_file is needed",
        "notify: {a: {url: http://x/, url_file: y}} | keep one",
        "notify: {a: {url: ftp://x/}} | must be http",
        "notify: {a: {url: 'http://user:pw@x/'}} | no user in it",
        "notify: {a: {url: http://169.254.169.254/latest}} | link-local",
        "notify: {a: {url: http://x/, shape: teams}} | write json, ntfy or slack",
        "notify: {a: {url: http://x/, on: [job_lost]}} | is nothing to be told",
        "notify: {a: {url: http://x/, timeout: 1h}} | out of range",
        "notify: {a: {url: http://x/, hours: 9}} | hours",
        "metrics: {listen: here} | is no address",
        "metrics: {listen: '127.0.0.1:8000'} | metrics.listen"
      })
  void tellsWhatIsWrong(String text, String problem) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(problem);
  }
}

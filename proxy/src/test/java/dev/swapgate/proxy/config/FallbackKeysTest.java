package dev.swapgate.proxy.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.swapgate.proxy.fallback.Cover;
import dev.swapgate.proxy.fallback.FallbackSettings;
import dev.swapgate.proxy.fallback.FallbackSettings.When;
import dev.swapgate.proxy.fallback.Provider;
import dev.swapgate.proxy.fallback.ProviderRules;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who answers chat while the card is away. */
class FallbackKeysTest {
  private static final String BOX =
      "engines: {vllm: {container: vllm, url: \"http://127.0.0.1:8000\"}}\n";

  @TempDir Path folder;

  private SwapgateConfig read(String text) {
    return new ConfigLoader(Map.of("ONE", "sk-first-s3cret", "H", "h3ader"))
        .parse("test", BOX + text, folder);
  }

  @Test
  void nothingGoesElsewhereUnlessItIsConfigured() {
    assertThat(read("").fallback().isOn()).isFalse();
    assertThat(read("fallback: {use: [degraded]}").fallback().isOn()).isFalse();
  }

  @Test
  void aProviderNeedsNothingButItsAddress() {
    FallbackSettings read =
        read("fallback: {providers: {a: {url: \"https://a.example/v1/\"}}}").fallback();

    assertThat(read)
        .isEqualTo(
            new FallbackSettings(
                Set.of(When.DURING_SWAP, When.DEGRADED),
                Map.of(),
                false,
                3,
                50,
                List.of(
                    new Provider(
                        "a",
                        URI.create("https://a.example/v1"),
                        Provider.Api.OPENAI,
                        List.of(new Provider.Key("key", "")),
                        Map.of(),
                        Set.of("/v1/chat/completions", "/v1/completions", "/v1/responses"),
                        Map.of(),
                        1,
                        Provider.Timeouts.standard(),
                        ProviderRules.standard()))));
  }

  @Test
  void readsEveryKeyAndShowsNoSecret() throws Exception {
    Files.writeString(folder.resolve("two"), "sk-second-s3cret\n");
    SwapgateConfig config =
        read(
            """
            fallback:
              use: [degraded, stopped_by_hand]
              profiles: {hermes: [], short: [during_swap]}
              pick: by_weight
              tries: 2
              in_flight: 7
              providers:
                b:
                  url: https://b.example
                  api: anthropic
                  keys: {one: "${ONE}", two: {file: two}}
                  models: {local: big, "*": small}
                  paths: [/v1/messages]
                  headers: {X-Title: "${H}"}
                  weight: 4
                  timeouts: {connect: 1s, answer: 2s, idle: 3s}
                  limits: model
                  cooldowns: {rate_limited: 1s, unauthorized: 2s, unpaid: 3s, unavailable: 4s,
                    refused: 5s, timed_out: 6s, failed: 7s, longest_fault: 8s, longest: 9s}
            """);

    FallbackSettings read = config.fallback();
    assertThat(read.use()).containsExactlyInAnyOrder(When.DEGRADED, When.STOPPED_BY_HAND);
    assertThat(read.profiles())
        .isEqualTo(Map.of("hermes", Set.of(), "short", Set.of(When.DURING_SWAP)));
    assertThat(read.byWeight()).isTrue();
    assertThat(read.tries()).isEqualTo(2);
    assertThat(read.inFlight()).isEqualTo(7);
    assertThat(read.providers())
        .containsExactly(
            new Provider(
                "b",
                URI.create("https://b.example"),
                Provider.Api.ANTHROPIC,
                List.of(
                    new Provider.Key("one", "sk-first-s3cret"),
                    new Provider.Key("two", "sk-second-s3cret")),
                Map.of("local", "big", "*", "small"),
                Set.of("/v1/messages"),
                Map.of("X-Title", "h3ader"),
                4,
                new Provider.Timeouts(seconds(1), seconds(2), seconds(3)),
                new ProviderRules(
                    Cover.MODEL,
                    seconds(1),
                    seconds(2),
                    seconds(3),
                    seconds(4),
                    seconds(5),
                    seconds(6),
                    seconds(7),
                    seconds(8),
                    seconds(9))));
    assertThat(config + String.join("\n", EffectiveConfig.lines(config)))
        .contains("limits: model", "longest_fault: 8s", "use: [degraded, stopped_by_hand]")
        .doesNotContain("s3cret")
        .doesNotContain("h3ader");
  }

  private static Duration seconds(long seconds) {
    return Duration.ofSeconds(seconds);
  }

  @Test
  void whatIsPrintedReadsTheSame() {
    SwapgateConfig config =
        read("fallback: {profiles: {short: []}, providers: {a: {url: \"http://a.lan:1/x\"}}}");
    String printed = String.join("\n", EffectiveConfig.lines(config));

    SwapgateConfig again = new ConfigLoader(Map.of()).parse("printed", printed, folder);

    assertThat(EffectiveConfig.lines(again)).isEqualTo(EffectiveConfig.lines(config));
    assertThat(again.fallback()).isEqualTo(config.fallback());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "use: [always] | write during_swap, degraded or stopped_by_hand",
        "profiles: {short: [never]} | fallback.profiles.short: \"never\" is no time for it",
        "pick: random | write in_order or by_weight",
        "tries: 0 | out of range",
        "hosts: [] | fallback.hosts",
        "providers: {a: {}} | fallback.providers.a.url: is missing",
        "providers: {A!: {url: 'https://x'}} | must match",
        "providers: {a: {url: 'ftp://x'}} | must begin with http",
        "providers: {a: {url: 'https://u:p@x'}} | must not hold a user",
        "providers: {a: {url: 'http://127.0.0.1:8484/v1'}} | is swapgate's own address",
        "providers: {a: {url: 'http://localhost:8485'}} | is swapgate's own address",
        "providers: {a: {url: 'http://169.254.169.254/v1'}} | link-local",
        "providers: {a: {url: 'https://x', api: ollama}} | write openai or anthropic",
        "providers: {a: {url: 'https://x', api_key: sk-1}} | must not stand in this file",
        "providers: {a: {url: 'https://x', keys: {k: sk-1}}} | must not stand in this file",
        "providers: {a: {url: 'https://x', keys: {'k:k': '${ONE}'}}} | is no name for a key",
        "providers: {a: {url: 'https://x', api_key: '${ONE}', keys: {k: '${ONE}'}}} | keep one",
        "providers: {a: {url: 'https://x', keys: {m: '${ONE}'}, models: {x: m}}} | name of a model",
        "providers: {a: {url: 'https://x', paths: [/api/chat]}} | is no path below /v1/",
        "providers: {a: {url: 'https://x', headers: {Host: y}}} | is set by swapgate itself",
        "providers: {a: {url: 'https://x', limits: all}} | write key, model or provider",
        "providers: {a: {url: 'https://x', cooldowns: {failed: 0s}}} | out of range",
        "providers: {a: {url: 'https://x', timeouts: {read: 1s}}} | timeouts.read"
      })
  void tellsWhatIsWrong(String text, String problem) {
    assertThatThrownBy(() -> read("fallback: {" + text + "}"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(problem)
        .hasMessageNotContaining("s3cret");
  }

  /** It stands in the example as a comment. */
  @Test
  void theExampleShowsEveryKeyWithItsDefault() throws Exception {
    Path root = Path.of("").toAbsolutePath();
    while (!Files.exists(root.resolve("compose/swapgate.yaml"))) {
      root = root.getParent();
    }
    StringBuilder text = new StringBuilder();
    Files.readAllLines(root.resolve("compose/swapgate.yaml")).stream()
        .dropWhile(line -> !line.equals("# fallback:"))
        .takeWhile(line -> line.startsWith("#"))
        .forEach(line -> text.append(line.substring(2)).append('\n'));
    Files.writeString(folder.resolve("openrouter.key"), "x");
    SwapgateConfig config =
        new ConfigLoader(Map.of("OPENROUTER_KEY", "k")).parse("shown", BOX + text, folder);

    Provider shown = config.fallback().providers().getFirst();
    assertThat(shown.rules()).isEqualTo(ProviderRules.standard());
    assertThat(shown.timeouts()).isEqualTo(Provider.Timeouts.standard());
    assertThat(shown.paths()).isEqualTo(Provider.Api.OPENAI.paths());
    assertThat(FallbackLines.of(config.fallback()))
        .extracting(line -> line.strip().replace("\"", "").split(":")[0])
        .allSatisfy(key -> assertThat(text.toString()).contains(key));
  }
}

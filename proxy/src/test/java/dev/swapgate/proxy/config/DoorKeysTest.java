package dev.swapgate.proxy.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.gate.core.Backend;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A listener of swapgate's before a media server. */
class DoorKeysTest {
  private static final Backend.Id COMFYUI = new Backend.Id("comfyui");

  private final Refused refused = new Refused(Path.of("/"));

  private static SwapgateConfig read(String keys) {
    return new ConfigLoader(Map.of())
        .parse(
            "test",
            """
            engines: {vllm: {container: vllm, url: "http://127.0.0.1:8000"}}
            media:
              comfyui: {type: comfyui, container: c, url: "http://127.0.0.1:18188"%s}
            """
                .formatted(keys),
            Path.of("/"));
  }

  private List<String> problems(String keys) {
    return refused.afterAnEngine("media: {m: {type: comfyui, container: c, " + keys + "}}");
  }

  @Test
  void thereIsNoneUnlessItIsConfigured() {
    assertThat(read("").doors()).isEmpty();
  }

  @Test
  void isReadWithItsDefaultAndWrittenOut() {
    SwapgateConfig config = read(", door: 127.0.0.1:8188");

    assertThat(config.doors())
        .containsExactly(
            new SwapgateConfig.Door(
                COMFYUI, new SwapgateConfig.Address("127.0.0.1", 8188), Duration.ofMinutes(10)));
    assertThat(EffectiveConfig.lines(config))
        .contains("    door: \"127.0.0.1:8188\"", "    door_idle: 10m");
    assertThat(read(", door: 127.0.0.1:8188, door_idle: 90s").door(COMFYUI).orElseThrow().idle())
        .isEqualTo(Duration.ofSeconds(90));
  }

  @Test
  void staysAsItIsWhileAllRuns() {
    SwapgateConfig now = read(", door: 127.0.0.1:8188");
    SwapgateConfig wanted = read(", door: 127.0.0.1:9999, generation: 90s");

    SwapgateConfig next = now.withWhatMayChange(wanted);

    assertThat(next.doors()).isEqualTo(now.doors());
    assertThat(ConfigChange.between(next, wanted))
        .extracting(ConfigChange::path)
        .containsExactly("media.comfyui.door");
  }

  @Test
  void needsAPlaceOfItsOwn() {
    assertThat(problems("url: 'http://127.0.0.1:8188', door: localhost:8188"))
        .singleElement()
        .asString()
        .contains("media.m.door", "belongs to media.m.url already");
    assertThat(problems("url: 'http://127.0.0.1:18188', door: 127.0.0.1:8484"))
        .singleElement()
        .asString()
        .contains("media.m.door", "belongs to listen already");
  }

  @Test
  void needsAnAddressAndPlainHttp() {
    assertThat(problems("url: 'http://127.0.0.1:18188', door: 8188"))
        .singleElement()
        .asString()
        .contains("write host:port like 127.0.0.1:8188");
    assertThat(problems("url: 'https://box.lan', door: 127.0.0.1:8188"))
        .singleElement()
        .asString()
        .contains("leads to plain HTTP only");
    assertThat(problems("url: 'http://127.0.0.1:18188', door_idle: 5m"))
        .singleElement()
        .asString()
        .contains("is of no use without door");
  }
}

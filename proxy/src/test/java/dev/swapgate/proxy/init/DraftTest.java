package dev.swapgate.proxy.init;

import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.proxy.config.ConfigLoader;
import dev.swapgate.proxy.config.SwapgateConfig;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What is written for a box, and what is left out of it. */
class DraftTest {

  private static final Found VLLM =
      Found.running("vllm", "vllm/vllm-openai:v0.11", "127.0.0.1:8000:8000");

  private int status = 200;
  private OptionalLong card = OptionalLong.empty();

  private Draft draft(Found... containers) {
    return Draft.ofBox(
        Arrays.stream(containers).map(Found::details).toList(),
        url -> status == 0 ? Optional.empty() : Optional.of(new Answers.Answer(status, "")),
        card,
        "unix:///var/run/docker.sock");
  }

  private static SwapgateConfig loaded(Draft draft) {
    return new ConfigLoader(Map.of()).parse("drafted.yaml", draft.text(), Path.of("/"));
  }

  private String leftOut(Found doubtful) {
    Draft draft = draft(VLLM, doubtful);
    SwapgateConfig config = loaded(draft);
    assertThat(config.box().backends()).hasSize(1);
    assertThat(draft.text()).contains("# Seen and left out:", "# " + doubtful.name());
    return draft.left().getFirst();
  }

  @Test
  void theEngineThatRunsIsSelected() {
    Draft draft =
        draft(Found.stopped("a-llama", "ghcr.io/ggml-org/llama.cpp:server", ":8080:8080"), VLLM);

    assertThat(loaded(draft).box().selected().value()).isEqualTo("vllm");
    assertThat(draft.text()).contains("# fallback_engine: a-llama");
  }

  @Test
  void readinessStandsWithItsReasonAndWhatWasSeen() {
    assertThat(draft(VLLM).text())
        .contains("# It runs, and /health answers 200.", "/v1/models answers 401 once one is set");
    status = 401;
    assertThat(draft(VLLM).text()).contains("give readiness.headers");
    status = 0;
    assertThat(draft(VLLM).text()).contains("does not answer at this url yet");
  }

  @Test
  void guessesAreMarked() {
    card = OptionalLong.of(32_607);

    Draft draft = draft(VLLM.withCommand("--model", "q", "--gpu-memory-utilization=0.85"));

    assertThat(draft.text().lines().filter(line -> line.matches("    (restore|vram):.*")))
        .hasSize(2)
        .allMatch(line -> line.contains("# guess"));
    assertThat(loaded(draft).box().engines().getFirst().budgets().vramMib()).hasValue(27_716);
  }

  @Test
  void withoutACardToReadVramStaysAComment() {
    assertThat(draft(VLLM).text()).contains("    # vram: 31GiB   # not known");
  }

  @Test
  void aComposeServiceGivesItsShortName() {
    Draft draft =
        draft(
            Found.running("box-Chat.1-1", "vllm/vllm-openai", ":8000:8000").service("Chat.1"),
            Found.stopped("none", "yanwk/comfyui-boot", ":8188:8188"));

    assertThat(loaded(draft).box().backends())
        .extracting(backend -> backend.id().value() + "=" + backend.container())
        .containsExactly("chat-1=box-Chat.1-1", "none-2=none");
  }

  @Test
  void onTheHostsNetworkThePortIsThatOfItsCommand() {
    Draft draft = draft(VLLM.withCommand("serve", "--port", "8123").onHostNetwork());

    assertThat(loaded(draft).workshop().engines().getFirst().url())
        .hasToString("http://127.0.0.1:8123");
  }

  @Test
  void aRestartPolicyIsNamedWithWhatMendsIt() {
    assertThat(draft(VLLM.restarting("always")).text()).contains("docker update --restart=no vllm");
  }

  @Test
  void whatCannotWorkIsLeftOutWithTheReason() {
    String comfy = "yanwk/comfyui-boot:cu126";

    assertThat(leftOut(Found.stopped("comfy", comfy, ":8188:8188").removed())).contains("--rm");
    assertThat(leftOut(Found.stopped("comfy", comfy, "::8188")))
        .contains("new host port for it at each start");
    assertThat(leftOut(Found.stopped("comfy", comfy)))
        .contains("publishes no port", "http://comfy:8188");
    assertThat(leftOut(Found.stopped("comfy", comfy, ":1:1", ":2:2"))).contains("1/tcp, 2/tcp");
    assertThat(leftOut(Found.stopped("comfy", comfy, ":8000:8188")))
        .contains("127.0.0.1:8000 is that of vllm too");
    assertThat(leftOut(Found.stopped("comfy", comfy, ":8484:8188"))).contains("own listener");
    assertThat(leftOut(Found.stopped("train", "home/train:1"))).contains("it asks for the card");
  }

  @Test
  void whatOthersNamedStaysInsideItsComment() {
    Draft draft = draft(Found.running("x", "vllm/vllm-openai:a\nlisten: 1", ":8000:8000"));

    assertThat(loaded(draft).listen()).hasToString("127.0.0.1:8484");
  }

  @Test
  void anotherDaemonIsWrittenDown() {
    Draft draft =
        Draft.ofBox(
            List.of(VLLM.details()),
            url -> Optional.empty(),
            OptionalLong.empty(),
            "unix:///run/user/1000/docker.sock");

    assertThat(loaded(draft).workshop().docker().host())
        .hasToString("unix:///run/user/1000/docker.sock");
  }
}

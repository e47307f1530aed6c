package dev.swapgate.proxy.init;

import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.proxy.config.ConfigLoader;
import dev.swapgate.proxy.config.SwapgateConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is made of images as they are called in registries. */
class RecognitionTest {

  private static final Answers NOBODY = url -> Optional.empty();

  private static SwapgateConfig loaded(Draft draft) {
    return new ConfigLoader(Map.of()).parse("drafted.yaml", draft.text(), Path.of("/"));
  }

  private static Draft draft(Found... containers) {
    return Draft.ofBox(
        List.of(containers).stream().map(Found::details).toList(),
        NOBODY,
        OptionalLong.empty(),
        "unix:///var/run/docker.sock");
  }

  @ParameterizedTest
  @CsvSource({
    "vllm/vllm-openai:v0.11.0, 8000, /health, 900",
    "vllm/vllm-openai@sha256:0a1b2c, 8000, /health, 900",
    "registry.box.lan:5000/mirror/vllm-openai:nightly, 8000, /health, 900",
    "rocm/vllm:latest, 8000, /health, 900",
    "nvcr.io/nvidia/vllm:25.09-py3, 8000, /health, 900",
    "alpindale/aphrodite-openai:latest, 2242, /health, 900",
    "lmsysorg/sglang:v0.5.2-cu129, 30000, /health, 900",
    "neroued/ninfer:latest, 8080, /health, 180",
    "ghcr.io/neroued/ninfer:0.3, 11434, /health, 180",
    "ghcr.io/ggml-org/llama.cpp:server-cuda, 8080, /health, 300",
    "ghcr.io/ggerganov/llama.cpp:full-cuda, 8080, /health, 300",
    "local/ik_llama.cpp:cuda, 8080, /health, 300",
    "ghcr.io/theroyallab/tabbyapi:latest, 5000, /health, 600",
    "ollama/ollama:0.12.3, 11434, /api/version, 60",
    "ollama/ollama, 11434, /api/version, 60",
    "ghcr.io/huggingface/text-generation-inference:3.3.6, 80, /health, 900",
    "koboldai/koboldcpp:latest, 5001, /api/extra/version, 300",
    "nvcr.io/nvidia/tensorrt-llm/release:1.0.0, 8000, /health, 900",
    "mlc-llm:local, 8000, /v1/models, 600",
    "lmstudio/llmster-preview:cuda, 1234, /v1/models, 60"
  })
  void anEngineIsRecognisedByItsImage(String image, int port, String path, int budget) {
    SwapgateConfig config = loaded(draft(Found.stopped("chat", image, "127.0.0.1:18000:" + port)));

    var settings = config.workshop().engines().getFirst();
    assertThat(settings.url()).hasToString("http://127.0.0.1:18000");
    assertThat(settings.readiness().path()).isEqualTo(path);
    assertThat(config.box().engines().getFirst().budgets().readiness()).hasSeconds(budget);
    assertThat(config.box().selected().value()).isEqualTo("chat");
  }

  @ParameterizedTest
  @CsvSource({
    "yanwk/comfyui-boot:cu126-slim, 8188, comfyui, /system_stats",
    "mmartial/comfyui-nvidia-docker:latest, 8188, comfyui, /system_stats",
    "ghcr.io/ai-dock/comfyui:v2-cuda-12.1.1-base-22.04, 8188, comfyui, /system_stats",
    "my-comfyui:latest, 8188, comfyui, /system_stats",
    "valyriantech/ace-step-1.5:latest, 8001, ace_step, /health",
    "acestep-api:local, 8001, ace_step, /health",
    "universonic/stable-diffusion-webui:full, 7860, sync_http, /sdapi/v1/progress",
    "ghcr.io/ai-dock/stable-diffusion-webui-forge:latest, 7860, sync_http, /sdapi/v1/progress",
    "ghcr.io/remsky/kokoro-fastapi-gpu:v0.2.4, 8880, sync_http, /health",
    "ghcr.io/speaches-ai/speaches:0.8.3-cuda, 8000, sync_http, /health",
    "fedirz/faster-whisper-server:latest-cuda, 8000, sync_http, /health",
    "ghcr.io/fspecii/heartmula-studio:latest, 8000, submit_poll_fetch, /health"
  })
  void aMediaServerIsRecognisedByItsImage(String image, int port, String type, String path) {
    SwapgateConfig config =
        loaded(
            draft(
                Found.running("vllm", "vllm/vllm-openai", ":8000:8000"),
                Found.stopped("studio", image, ":18188:" + port)));

    var media = config.workshop().media().getFirst();
    assertThat(media.type().word()).isEqualTo(type);
    assertThat(media.backend().container()).isEqualTo("studio");
    assertThat(media.backend().url()).hasToString("http://127.0.0.1:18188");
    assertThat(media.backend().readiness().path()).isEqualTo(path);
  }

  /** Names that look like the above and are something else. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ghcr.io/open-webui/open-webui:ollama",
        "ghcr.io/open-webui/open-webui:cuda",
        "ghcr.io/berriai/litellm:main-stable",
        "ghcr.io/saladtechnologies/comfyui-api:1.17",
        "runpod/worker-comfyui:5.8.5-base",
        "tabbyml/tabby:latest",
        "postgres:17",
        "llama.cpp:5000/postgres"
      })
  void whatOnlySoundsLikeOneIsNot(String image) {
    assertThat(KnownServers.byImage(image)).isEmpty();
  }

  @Test
  void llamaSwapIsToldApartFromWhatItStarts() {
    Draft draft =
        draft(
            Found.running("vllm", "vllm/vllm-openai", ":8000:8000"),
            Found.running("swap", "ghcr.io/mostlygeek/llama-swap:cuda", ":9292:8080"));

    assertThat(draft.engines()).isEqualTo(1);
    assertThat(draft.left()).singleElement().asString().contains("init --from llama-swap FILE");
  }

  /** Images made at home are called anything. */
  @Test
  void anUnknownImageIsRecognisedByWhatItAnswers() {
    Map<String, String> said =
        Map.of(
            "http://127.0.0.1:9001/v1/models", "{\"data\":[{\"id\":\"q\",\"owned_by\":\"vllm\"}]}",
            "http://127.0.0.1:9002/system_stats", "{\"system\":{\"comfyui_version\":\"0.38.1\"}}");
    Draft draft =
        Draft.ofBox(
            List.of(
                Found.running("brain", "home/brain:3", ":9001:9001").details(),
                Found.running("paint", "home/paint:3", ":9002:9002").details()),
            url -> Optional.ofNullable(said.get(url)).map(body -> new Answers.Answer(200, body)),
            OptionalLong.empty(),
            "unix:///var/run/docker.sock");

    SwapgateConfig config = loaded(draft);
    assertThat(draft.text()).contains("# vLLM, by what it answers (home/brain:3).");
    assertThat(config.box().media().getFirst().id().value()).isEqualTo("paint");
  }

  @Test
  void aServerThatDoesNotAskForTheCardIsNotAsked() {
    Draft draft =
        Draft.ofBox(
            List.of(Found.running("db", "home/db:3", ":9001:9001").withoutGpu().details()),
            url -> {
              throw new AssertionError("asked " + url);
            },
            OptionalLong.empty(),
            "unix:///var/run/docker.sock");

    assertThat(draft.engines()).isZero();
    assertThat(draft.left()).isEmpty();
  }
}

package dev.swapgate.proxy.init;

import dev.swapgate.proxy.init.KnownServer.AdapterForm;
import dev.swapgate.proxy.init.KnownServer.ExampleForm;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The servers that are recognised; the first that fits wins. */
final class KnownServers {

  private static final String KEY =
      "it answers without a key, while /v1/models answers 401 once one is set";
  private static final String DEAF =
      "its first process does not hear SIGTERM, so all of it is waited for; results are saved"
          + " before";

  static final List<KnownServer> ALL =
      List.of(
          KnownServer.engine(
                  "NInfer", "ninfer", "(^|[/_-])ninfer", List.of(8080, 11434), "/health", KEY)
              .loads("180s", "20s")
              .stops("60s", "a running answer may finish; while it loads it hears no SIGTERM"),
          KnownServer.engine("vLLM", "vllm", "(^|[/_-])vllm(-|$)", List.of(8000), "/health", KEY)
              .loads("900s", "480s")
              .stops("60s", "it ends what runs at once, but freeing the card takes a while"),
          KnownServer.engine("Aphrodite", "aphrodite", "aphrodite", List.of(2242), "/health", KEY)
              .loads("900s", "480s")
              .stops("60s", "it ends what runs at once, but freeing the card takes a while"),
          KnownServer.engine(
                  "SGLang",
                  "sglang",
                  "(^|[/_-])sglang",
                  List.of(30000),
                  "/health",
                  KEY + "; it runs one token, so 200 means that it answers")
              .loads("900s", "480s")
              .stops("30s", "until its first request it does not hear SIGTERM and waits it out"),
          KnownServer.engine(
                  "ik_llama.cpp",
                  "ik-llama",
                  "ik[_-]llama",
                  List.of(8080, 9931),
                  "/health",
                  "503 while it loads; /v1/models answers 200 before the model is there")
              .loads("300s", "30s"),
          KnownServer.engine(
                  "llama.cpp",
                  "llama-cpp",
                  "llama[._-]?cpp|llama-server",
                  List.of(8080, 9931),
                  "/health",
                  "503 while it loads; /v1/models answers 200 too early in some builds")
              .loads("300s", "30s"),
          KnownServer.engine(
                  "TabbyAPI",
                  "tabbyapi",
                  "tabby-?api",
                  List.of(5000),
                  "/health",
                  "/v1/models lists what is on disk and asks for a key")
              .loads("600s", "")
              .stops("30s", "it waits for open streams without a limit")
              .note("After any fault /health stays 503 until it is started anew."),
          KnownServer.engine(
                  "Ollama",
                  "ollama",
                  "(^|/)ollama$",
                  List.of(11434),
                  "/api/version",
                  "there is no /health; it answers before a model is loaded, which the first"
                      + " request does")
              .loads("60s", "10s"),
          KnownServer.engine(
                  "Text Generation Inference",
                  "tgi",
                  "text-generation-inference",
                  List.of(80, 3000),
                  "/health",
                  "it answers without a key")
              .loads("900s", "")
              .stops("100s", "it lets answers finish for up to 90 s"),
          KnownServer.engine(
                  "KoboldCpp",
                  "koboldcpp",
                  "koboldcpp",
                  List.of(5001),
                  "/api/extra/version",
                  "it answers without the password, and only once the model is loaded")
              .loads("300s", "30s")
              .stops("5s", "it does not hear SIGTERM; all of it is waited for"),
          KnownServer.engine(
                  "TensorRT-LLM",
                  "trtllm",
                  "tensorrt-llm|trtllm",
                  List.of(8000),
                  "/health",
                  "it answers once the engine is built")
              .loads("900s", ""),
          KnownServer.engine(
                  "MLC-LLM",
                  "mlc",
                  "(^|[/_-])mlc[_-]llm",
                  List.of(8000),
                  "/v1/models",
                  "there is no /health; its server begins to listen when the model is there")
              .loads("600s", "")
              .note(
                  "With a key all of it answers 401; then add to readiness:",
                  "  headers: {Authorization: \"Bearer ${MLC_KEY}\"}"),
          KnownServer.engine(
                  "LM Studio",
                  "lmstudio",
                  "lmstudio|lm-studio|llmster",
                  List.of(1234),
                  "/v1/models",
                  "there is no /health; it answers before a model is loaded, which the first"
                      + " request does")
              .loads("60s", "")
              .note(
                  "With authentication on it answers 401; then add to readiness:",
                  "  headers: {Authorization: \"Bearer ${LMSTUDIO_KEY}\"}"),
          KnownServer.media(
                  "ComfyUI",
                  "comfyui",
                  new AdapterForm("comfyui"),
                  "comfyui(?!-api|-worker)(?<!worker-comfyui)",
                  List.of(8188),
                  "/system_stats",
                  "it answers when all custom nodes are loaded; there is no /health")
              .stops("10s", DEAF),
          KnownServer.media(
                  "ACE-Step 1.5",
                  "music",
                  new AdapterForm("ace_step"),
                  "ace[_-]?step",
                  List.of(8001, 8000),
                  "/health",
                  "it answers without a key")
              .stops("10s", DEAF),
          described(
              "A1111 or Forge",
              "pictures",
              "a1111",
              "stable-diffusion-webui|automatic1111|a1111|sd-webui|webui-forge",
              7860,
              "it is there once the models are; needs --api"),
          described(
              "Kokoro-FastAPI", "speech", "kokoro-tts", "kokoro", 8880, "it answers without a key"),
          described(
              "faster-whisper",
              "whisper",
              "whisper",
              "speaches|faster-whisper",
              8000,
              "it answers without a key"),
          described(
              "HeartMuLa-Studio",
              "songs",
              "heartmula-studio",
              "heartmula",
              8000,
              "it answers before its model is loaded, and says so"));

  /** What the owner names differently in its models list: who serves. */
  private static final Map<String, String> OWNERS =
      Map.of("vllm", "vllm", "aphrodite", "aphrodite", "sglang", "sglang", "llamacpp", "llama-cpp");

  private KnownServers() {}

  private static KnownServer described(
      String title, String word, String example, String image, int port, String reason) {
    return KnownServer.media(
        title, word, new ExampleForm(example), image, List.of(port), "", reason);
  }

  /** By the image's name: the registry, the tag and the digest say nothing about what is in it. */
  static Optional<KnownServer> byImage(String image) {
    String path =
        image
            .toLowerCase(Locale.ROOT)
            .replaceFirst("^[^/]*[.:][^/]*/", "")
            .replaceFirst("@.*$", "")
            .replaceFirst(":[^/:]*$", "");
    return ALL.stream().filter(known -> known.image().matcher(path).find()).findFirst();
  }

  static Optional<KnownServer> byOwner(String ownedBy) {
    return Optional.ofNullable(OWNERS.get(ownedBy)).flatMap(KnownServers::byWord);
  }

  static Optional<KnownServer> byWord(String word) {
    return ALL.stream().filter(known -> known.word().equals(word)).findFirst();
  }
}

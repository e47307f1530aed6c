package dev.swapgate.proxy.clients;

import java.time.Duration;
import java.util.List;

/**
 * A chat client as its rules were measured or read.
 *
 * @param path how it reaches swapgate, by the profile meant for it
 * @param patience how long it waits for the head of an answer
 */
record ModelledClient(String name, String path, RetryRule rule, Duration patience) {
  private static final Duration FOR_EVER = Duration.ofDays(1);

  /** Node's fetch, measured: 300.9 s. */
  private static final Duration NODE = Duration.ofSeconds(300);

  private static final Duration PYTHON = Duration.ofSeconds(600);
  private static final Duration QUARTER = Duration.ofMinutes(15);
  private static final Duration MINUTE = Duration.ofSeconds(60);

  private static final RetryRule STAINLESS_BACKOFF =
      RetryRule.backsOff(2, Duration.ofMillis(500), 2, Duration.ofSeconds(8));

  static final ModelledClient HERMES = hermes("/v1");

  /** Three attempts, two waits of at most 600 s. */
  static ModelledClient hermes(String path) {
    return new ModelledClient(
        "Hermes", path, RetryRule.obeys(2, Duration.ofSeconds(600)), Duration.ofSeconds(900));
  }

  static List<ModelledClient> all() {
    RetryRule sixty = RetryRule.believes(2, 60, STAINLESS_BACKOFF);
    RetryRule below60 = RetryRule.believes(2, 59, STAINLESS_BACKOFF);
    RetryRule vercel =
        RetryRule.believes(
            2, 59, RetryRule.backsOff(2, Duration.ofSeconds(2), 2, Duration.ofSeconds(60)));
    RetryRule langChainJs = RetryRule.believes(6, 60, RetryRule.never());
    RetryRule openAiPy = RetryRule.believes(2, 120, RetryRule.never());
    return List.of(
        HERMES,
        of("opencode", "opencode", RetryRule.obeys(5, Duration.ofMinutes(15)), NODE),
        of("Zed", "zed", RetryRule.obeys(4, FOR_EVER), FOR_EVER),
        of("Roo Code, auto-approve", "roo-code", rooCode(), NODE),
        of("openai-java 4.25+", "openai-java", RetryRule.obeys(2, FOR_EVER), PYTHON),
        of("Spring AI 2, OpenAI", "spring-ai", RetryRule.obeys(3, FOR_EVER), MINUTE),
        of("@anthropic-ai/sdk 1.14", "anthropic-js", RetryRule.obeys(2, FOR_EVER), NODE),
        of("openai (js) 6.26–7.4", "openai-js", RetryRule.obeys(2, FOR_EVER), NODE),
        of("openai (js) 7.5+", "openai-js", sixty, NODE),
        of("openai (js) before 6.26", "openai-js", below60, NODE),
        of("Vercel AI SDK, Cline", "vercel-ai", vercel, NODE),
        of("Continue, openai provider", "continue", below60, NODE),
        of("LangChain JS, LibreChat", "langchain-js", langChainJs, NODE),
        of("anthropic-python, LiteLLM", "anthropic-py", sixty, PYTHON),
        of("aider", "aider", aider(), PYTHON),
        of("openai-python 2.52+, langchain-openai", "openai-py", openAiPy, PYTHON),
        of("Open WebUI", "open-webui", RetryRule.never(), FOR_EVER),
        of("ollama-js", "ollama", RetryRule.never(), NODE),
        of("LangChain4j, plain", "langchain4j", langChain4j(), MINUTE),
        of("LangChain4j, streaming", "langchain4j", RetryRule.never(), MINUTE),
        of("LangChain4j, timeout 15 min", "langchain4j", RetryRule.never(), QUARTER),
        of("n8n", "n8n", n8n(), NODE),
        of("Codex", "codex", codex(), NODE),
        of("Spring AI 1, RetryTemplate", "spring-ai-1", springAi1(), PYTHON));
  }

  private static ModelledClient of(String name, String alias, RetryRule rule, Duration patience) {
    return new ModelledClient(name, "/as/" + alias + "/v1", rule, patience);
  }

  /** Its library's two quick tries, then a schedule of its own for as long as it takes. */
  private static RetryRule rooCode() {
    return RetryRule.backsOff(Integer.MAX_VALUE, Duration.ofSeconds(5), 2, Duration.ofSeconds(600));
  }

  private static RetryRule aider() {
    return RetryRule.backsOff(8, Duration.ofMillis(250), 2, Duration.ofSeconds(32));
  }

  private static RetryRule langChain4j() {
    return RetryRule.backsOff(2, Duration.ofMillis(500), 1.5, MINUTE);
  }

  private static RetryRule n8n() {
    return RetryRule.backsOff(2, Duration.ofSeconds(1), 4, Duration.ofSeconds(4)).notOn429();
  }

  private static RetryRule codex() {
    return RetryRule.backsOff(4, Duration.ofMillis(200), 2, MINUTE).notOn429();
  }

  private static RetryRule springAi1() {
    return RetryRule.backsOff(10, Duration.ofSeconds(2), 5, Duration.ofSeconds(180)).notOn429();
  }
}

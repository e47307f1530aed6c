package dev.swapgate.proxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.swapgate.proxy.chat.ProviderServer;
import dev.swapgate.proxy.clients.JavaLibraries;
import dev.swapgate.proxy.clients.NodeLibraries;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole program with a provider beside it, called by unmodified OpenAI clients. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class FallbackSwapTest {
  private static final String SECRET = "sk-elsewhere-s3cret-key-0001";
  private static final String ELSEWHERE = "from elsewhere";

  @TempDir Path folder;
  private final ProviderServer provider = new ProviderServer();

  FallbackSwapTest() throws IOException {}

  @AfterEach
  void close() throws IOException {
    provider.close();
  }

  private Path config(FakeBox box) throws IOException {
    Files.writeString(folder.resolve("key"), SECRET);
    return Files.writeString(
        box.config(),
        """
        fallback:
          providers:
            elsewhere:
              url: %s
              keys: {first: {file: key}}
              models: {any: vendor/model}
        """
            .formatted(provider.url()),
        StandardOpenOption.APPEND);
  }

  @Test
  void theFallbackServesAWholeSwapAndTheEngineTakesOverAgain() throws Exception {
    provider.answers(ELSEWHERE);
    Optional<NodeLibraries> node =
        NodeLibraries.areInstalled() ? Optional.of(new NodeLibraries()) : Optional.empty();
    try (FakeBox box = new FakeBox(folder, Map.of("SIM_STEP_TIME", "300ms"));
        CommandLine swapgate = CommandLine.serve(folder, config(box), box.admin());
        AdminApi admin = new AdminApi(box.admin(), swapgate::said)) {
      admin.awaitChat(Place.VLLM);
      String base = box.chat() + "/v1";
      assertThat(call(base, node)).allMatch(answer -> answer.contains("vllm"));

      String job = admin.submit(Place.COMFYUI, "workflow", SwapIT.workflow());
      admin.awaitStatus("chat is shut", status -> !status.path("chat_open").asBoolean());
      List<String> answers = new ArrayList<>(call(base, node));
      assertThat(answers).as("while the card is away").allMatch(a -> a.contains(ELSEWHERE));
      Await.until(
          () -> "the engine answers again; so far " + answers,
          AdminApi.PATIENCE,
          () -> {
            answers.addAll(call(base, node));
            return answers.getLast().contains("vllm");
          });

      assertThat(answers).allMatch(a -> a.contains(ELSEWHERE) || a.contains("vllm"));
      assertThat(answers.stream().dropWhile(a -> a.contains(ELSEWHERE)))
          .as("once the engine is back nobody else is asked")
          .allMatch(a -> a.contains("vllm"));
      assertThat(admin.job(job).path("state").asText()).isEqualTo("done");
      assertThat(admin.text("/metrics"))
          .contains("{answered_by=\"fallback:elsewhere\",code=\"200\"}")
          .contains("{answered_by=\"engine:vllm\",code=\"200\"}");
      assertThat(swapgate.said()).doesNotContain(SECRET);
    } finally {
      node.ifPresent(NodeLibraries::close);
    }
  }

  /** Plain and streamed, by each library that is there. */
  private static List<String> call(String base, Optional<NodeLibraries> node) {
    List<String> answers = new ArrayList<>();
    try {
      for (boolean streamed : new boolean[] {false, true}) {
        answers.add(JavaLibraries.all().get("openai-java").call(base, streamed));
        if (node.isPresent()) {
          answers.add(node.get().call("openai", base, streamed).get(60, TimeUnit.SECONDS));
        }
      }
    } catch (Exception e) {
      answers.add("threw: " + e);
    }
    return answers;
  }

  @Test
  void whatIsSetAsideIsSeenAndCanBeCleared() throws Exception {
    try (FakeBox box = new FakeBox(folder, Map.of("SIM_STEP_TIME", "2s"));
        CommandLine swapgate = CommandLine.serve(folder, config(box), box.admin());
        AdminApi admin = new AdminApi(box.admin(), swapgate::said)) {
      admin.awaitChat(Place.VLLM);
      Path config = folder.resolve("state.yaml");
      assertThat(CommandLine.run(folder, config, "check").said())
          .contains("chat prompts leave this machine to 127.0.0.1");
      admin.submit(Place.COMFYUI, "workflow", SwapIT.workflow());
      admin.awaitStatus("chat is shut", status -> !status.path("chat_open").asBoolean());
      provider.says(ProviderServer.status(429, "{}", "Retry-After: 600"));
      try (AdminApi chat = new AdminApi(box.chat())) {
        assertThat(chat.ask(Chat.OPENAI, body()).statusCode()).isEqualTo(429);
        assertThat(chat.ask(Chat.OPENAI, body()).statusCode()).isEqualTo(429);
        assertThat(provider.asked()).isEqualTo(1);

        JsonNode key = admin.status().path("fallback").path(0).path("keys").path(0);
        assertThat(key.path("key").asText()).isEqualTo("…0001");
        assertThat(key.path("cooldown").asText()).isEqualTo("elsewhere:first");
        assertThat(key.path("left_seconds").asInt()).isBetween(500, 661);
        assertThat(CommandLine.run(folder, config, "status").said())
            .contains("FALLBACK", "elsewhere:first", "429, a rate limit")
            .doesNotContain(SECRET);
        assertThat(admin.text("/metrics"))
            .contains("swapgate_fallback_calls_total{end=\"limit\",provider=\"elsewhere\"} 1.0")
            .contains("swapgate_fallback_not_sent_total{why=\"cooling\"} 1.0")
            .contains("swapgate_fallback_aside{kind=\"limit\",provider=\"elsewhere\"} 1.0");

        CommandLine.End cleared =
            CommandLine.run(folder, config, "cooldown", "clear", "elsewhere:first");
        assertThat(cleared.exitCode()).as(cleared.said()).isZero();
        provider.answers(ELSEWHERE);
        assertThat(chat.ask(Chat.OPENAI, body()).body()).contains(ELSEWHERE);
        CommandLine.End again =
            CommandLine.run(folder, config, "cooldown", "clear", "elsewhere:first");
        assertThat(again.exitCode()).as(again.said()).isEqualTo(2);

        provider.says(ProviderServer.status(410, "{}"));
        assertThat(chat.ask(Chat.OPENAI, body()).statusCode()).isEqualTo(429);
        assertThat(
                CommandLine.run(folder, config, "cooldown", "clear", "elsewhere:vendor/model")
                    .exitCode())
            .isZero();
      }
    }
  }

  @Test
  void aChangedFileAppliesAtOnceAndDropsNoStream() throws Exception {
    try (FakeBox box = new FakeBox(folder, Map.of("SIM_STEP_TIME", "2s"));
        CommandLine swapgate = CommandLine.serve(folder, config(box), box.admin());
        AdminApi admin = new AdminApi(box.admin(), swapgate::said);
        AdminApi chat = new AdminApi(box.chat());
        KeptConnection streaming = new KeptConnection(box.chat())) {
      admin.awaitChat(Place.VLLM);
      admin.submit(Place.COMFYUI, "workflow", SwapIT.workflow());
      admin.awaitStatus("chat is shut", status -> !status.path("chat_open").asBoolean());
      CompletableFuture<Void> mayEnd = new CompletableFuture<>();
      provider.streams(ELSEWHERE, mayEnd);
      streaming.send(Chat.OPENAI, body().replace("{\"model\"", "{\"stream\":true,\"model\""));
      assertThat(streaming.head().status()).isEqualTo(200);
      assertThat(streaming.chunk()).contains(ELSEWHERE);

      provider.answers("from the new one");
      Path file = folder.resolve("state.yaml");
      Files.writeString(file, Files.readString(file).replace("vendor/model", "vendor/new"));
      Program.signal(swapgate.pid(), "HUP");
      Await.until(
          () -> "the new model is asked for; it said " + swapgate.said(),
          AdminApi.PATIENCE,
          () ->
              chat.ask(Chat.OPENAI, body()).statusCode() == 200
                  && provider.lastBody().contains("vendor/new"));
      mayEnd.complete(null);

      assertThat(streaming.rest()).endsWith("data: [DONE]\n\n");
    }
  }

  private static String body() {
    return "{\"model\":\"any\",\"messages\":[{\"role\":\"user\",\"content\":\"hello\"}]}";
  }

  @Test
  void aProfileNobodyKnowsIsNotStartedWith() throws Exception {
    try (FakeBox box = new FakeBox(folder, Map.of())) {
      Path config = config(box);
      Files.writeString(
          config, "  profiles: {hermes: [], hermse: []}\n", StandardOpenOption.APPEND);
      CommandLine.End end = CommandLine.run(folder, config, "serve");

      assertThat(end.exitCode()).as(end.said()).isEqualTo(78);
      assertThat(end.said()).contains("hermse").contains("fallback.profiles");
    }
  }
}

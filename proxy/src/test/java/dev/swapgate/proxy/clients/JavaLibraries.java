package dev.swapgate.proxy.clients;

import com.anthropic.client.AnthropicClient;
import com.anthropic.client.okhttp.AnthropicOkHttpClient;
import com.anthropic.core.http.StreamResponse;
import com.anthropic.models.messages.Message;
import com.anthropic.models.messages.MessageCreateParams;
import com.anthropic.models.messages.RawMessageStreamEvent;
import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.models.chat.completions.ChatCompletionChunk;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.openai.OpenAiChatOptions;

/** One call by each Java library, with its own defaults. */
public final class JavaLibraries {
  private static final String MODEL = "any";
  private static final String HELLO = "hello";
  private static final long PATIENCE_SECONDS = 240;

  private JavaLibraries() {}

  /** Makes one call and returns the text of the answer; blocks. */
  @FunctionalInterface
  public interface Library {

    /**
     * @param base the base URL as {@code swapgate clients} prints it
     */
    String call(String base, boolean stream) throws Exception;
  }

  /** By the names that the table shows. */
  public static Map<String, Library> all() {
    return Map.of(
        "openai-java",
        JavaLibraries::openAi,
        "anthropic-java",
        JavaLibraries::anthropic,
        "langchain4j",
        (base, stream) -> langChain4j(base, stream, Optional.empty()),
        "langchain4j-patient",
        (base, stream) -> langChain4j(base, stream, Optional.of(Duration.ofMinutes(15))),
        "spring-ai",
        JavaLibraries::springAi,
        "hermes",
        JavaLibraries::hermes);
  }

  private static String openAi(String base, boolean stream) {
    OpenAIClient client = OpenAIOkHttpClient.builder().baseUrl(base).apiKey("none").build();
    ChatCompletionCreateParams ask =
        ChatCompletionCreateParams.builder().model(MODEL).addUserMessage(HELLO).build();
    try {
      if (!stream) {
        return client
            .chat()
            .completions()
            .create(ask)
            .choices()
            .getFirst()
            .message()
            .content()
            .orElseThrow();
      }
      try (com.openai.core.http.StreamResponse<ChatCompletionChunk> chunks =
          client.chat().completions().createStreaming(ask)) {
        return chunks.stream()
            .flatMap(chunk -> chunk.choices().stream())
            .flatMap(choice -> choice.delta().content().stream())
            .collect(Collectors.joining());
      }
    } finally {
      client.close();
    }
  }

  private static String anthropic(String base, boolean stream) {
    AnthropicClient client = AnthropicOkHttpClient.builder().baseUrl(base).apiKey("none").build();
    MessageCreateParams ask =
        MessageCreateParams.builder().model(MODEL).maxTokens(100).addUserMessage(HELLO).build();
    try {
      if (!stream) {
        Message message = client.messages().create(ask);
        return message.content().getFirst().asText().text();
      }
      try (StreamResponse<RawMessageStreamEvent> events = client.messages().createStreaming(ask)) {
        return events.stream()
            .flatMap(event -> event.contentBlockDelta().stream())
            .flatMap(delta -> delta.delta().text().stream())
            .map(text -> text.text())
            .collect(Collectors.joining());
      }
    } finally {
      client.close();
    }
  }

  private static String langChain4j(String base, boolean stream, Optional<Duration> timeout)
      throws Exception {
    if (!stream) {
      OpenAiChatModel.OpenAiChatModelBuilder model =
          OpenAiChatModel.builder().baseUrl(base).apiKey("none").modelName(MODEL);
      timeout.ifPresent(model::timeout);
      return model.build().chat(HELLO);
    }
    OpenAiStreamingChatModel.OpenAiStreamingChatModelBuilder model =
        OpenAiStreamingChatModel.builder().baseUrl(base).apiKey("none").modelName(MODEL);
    timeout.ifPresent(model::timeout);
    CompletableFuture<String> text = new CompletableFuture<>();
    model
        .build()
        .chat(
            HELLO,
            new StreamingChatResponseHandler() {
              @Override
              public void onCompleteResponse(ChatResponse answer) {
                text.complete(answer.aiMessage().text());
              }

              @Override
              public void onError(Throwable error) {
                text.completeExceptionally(error);
              }
            });
    return text.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  private static String springAi(String base, boolean stream) {
    org.springframework.ai.openai.OpenAiChatModel model =
        org.springframework.ai.openai.OpenAiChatModel.builder()
            .options(OpenAiChatOptions.builder().baseUrl(base).apiKey("none").model(MODEL).build())
            .build();
    if (!stream) {
      return model.call(HELLO);
    }
    return model.stream(new Prompt(HELLO))
        .mapNotNull(part -> part.getResult())
        .mapNotNull(result -> result.getOutput().getText())
        .collect(Collectors.joining())
        .block(Duration.ofSeconds(PATIENCE_SECONDS));
  }

  /** Not a library: the rule of {@link ModelledClient#HERMES}, on the wire. */
  private static String hermes(String base, boolean stream) throws Exception {
    HttpRequest ask =
        HttpRequest.newBuilder(URI.create(base + "/chat/completions"))
            .header("Content-Type", "application/json")
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    "{\"model\":\"any\",\"stream\":%s,\"messages\":[{\"role\":\"user\",\"content\":\"hello\"}]}"
                        .formatted(stream)))
            .build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      for (int refused = 1; ; refused++) {
        HttpResponse<String> answer = client.send(ask, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() == 200) {
          return answer.body();
        }
        int seconds = (int) answer.headers().firstValueAsLong("Retry-After").orElse(0);
        Optional<Duration> wait =
            ModelledClient.HERMES.rule().next(refused, answer.statusCode(), seconds);
        if (wait.isEmpty()) {
          throw new IOException("gave up on " + answer.statusCode() + " " + answer.body());
        }
        CompletableFuture.runAsync(
                () -> {},
                CompletableFuture.delayedExecutor(wait.get().toMillis(), TimeUnit.MILLISECONDS))
            .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      }
    }
  }
}

package dev.swapgate.proxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.models.images.ImageGenerateParams;
import dev.swapgate.proxy.clients.NodeLibraries;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;

/** The openai libraries' image call, and the named workflow that it asks for. */
final class ImageCalls {
  private static final String PNG = "PNG";

  private ImageCalls() {}

  /**
   * Puts the workflow's file beside the configuration.
   *
   * @param inputs as in {@code prompt: 2.text}
   * @return what the configuration says of it
   */
  static String portrait(Path folder, String inputs) throws IOException {
    Files.writeString(folder.resolve("portrait.json"), SwapIT.workflow());
    return "workflows: {portrait: {backend: comfyui, file: portrait.json, inputs: {%s}}}\n"
        .formatted(inputs);
  }

  private static OpenAIClient openAi(URI chat) {
    return OpenAIOkHttpClient.builder().baseUrl(chat + "/v1").apiKey("none").build();
  }

  /** The first picture. */
  static byte[] java(URI chat, String prompt) {
    return openAi(chat)
        .images()
        .generate(ImageGenerateParams.builder().model("portrait").prompt(prompt).build())
        .data()
        .orElseThrow()
        .getFirst()
        .b64Json()
        .map(text -> Base64.getDecoder().decode(text))
        .orElseThrow();
  }

  static void assertPicture(byte[] picture) {
    assertThat(new String(picture, 1, 3, StandardCharsets.ISO_8859_1)).isEqualTo(PNG);
  }

  /**
   * Begins one from JavaScript; {@link #assertPicture(String)} takes its end.
   *
   * @param node null where the JavaScript libraries are not installed: what one would have said
   */
  static CompletableFuture<String> javaScript(NodeLibraries node, URI chat) {
    return node == null
        ? CompletableFuture.completedFuture("0 " + PNG)
        : node.call("openai-images", chat + "/v1", false);
  }

  static void assertPicture(String said) {
    assertThat(said).endsWith(" " + PNG);
  }
}

package dev.swapgate.proxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.swapgate.proxy.clients.NodeLibraries;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The images API with real client libraries, through whole swaps of the whole program. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class ImagesTest {
  private static final String INPUTS =
      "prompt: 2.text, seed: 5.seed, width: 4.width, height: 4.height";

  @TempDir Path folder;

  private Path config(FakeBox box) throws IOException {
    return box.config("policy:", ImageCalls.portrait(folder, INPUTS) + "policy:");
  }

  @Test
  void librariesGetTheirPicturesAfterASwapAndAnAnswerUnderWayIsFinished() throws Exception {
    try (FakeBox box = new FakeBox(folder, Map.of());
        NodeLibraries node = NodeLibraries.areInstalled() ? new NodeLibraries() : null;
        CommandLine swapgate = CommandLine.serve(folder, config(box), box.admin());
        AdminApi admin = new AdminApi(box.admin(), swapgate::said)) {
      admin.awaitChat(Place.VLLM);
      CompletableFuture<String> stream = chat(box.chat());
      admin.awaitStatus("one is inside", status -> status.path("inside").asInt() == 1);

      CompletableFuture<byte[]> java =
          CompletableFuture.supplyAsync(() -> ImageCalls.java(box.chat(), "a mill"));
      CompletableFuture<String> javaScript = ImageCalls.javaScript(node, box.chat());

      ImageCalls.assertPicture(java.get(120, TimeUnit.SECONDS));
      ImageCalls.assertPicture(javaScript.get(120, TimeUnit.SECONDS));
      assertThat(stream.get(10, TimeUnit.SECONDS)).contains("[DONE]").doesNotContain("error");
      admin.awaitChat(Place.VLLM);
      for (JsonNode job : admin.get("/api/v1/jobs").path("jobs")) {
        assertThat(job.path("state").asText()).isEqualTo("done");
      }
      assertThat(box.journal().failedClaims()).isEmpty();
      assertThat(box.journal().overlaps()).isEmpty();
    }
  }

  /** Also one whose client and whose swapgate are both gone meanwhile. */
  @Test
  void aRetryJoinsTheJobItBeganEvenAfterAKill() throws Exception {
    try (FakeBox box = new FakeBox(folder, Map.of("SIM_STEP_TIME", "300ms"))) {
      Path config = config(box);
      try (CommandLine swapgate = CommandLine.serve(folder, config, box.admin());
          AdminApi admin = new AdminApi(box.admin(), swapgate::said)) {
        admin.awaitChat(Place.VLLM);
        leave(box.chat(), "{\"model\":\"portrait\",\"prompt\":\"a mill\"}");
        admin.awaitStatus("it runs", status -> status.path("phase").asText().equals("running"));
        box.awaitRender();
        swapgate.kill();
      }
      try (CommandLine again = CommandLine.serve(folder, config, box.admin());
          AdminApi admin = new AdminApi(box.admin(), again::said)) {
        ImageCalls.assertPicture(ImageCalls.java(box.chat(), "a mill"));

        assertThat(admin.get("/api/v1/jobs").path("jobs")).hasSize(1);
        admin.awaitChat(Place.VLLM);
      }
    }
  }

  /** Asks, and does not wait for the answer. */
  private static void leave(URI chat, String body) throws IOException {
    Socket socket = new Socket(chat.getHost(), chat.getPort());
    socket
        .getOutputStream()
        .write(
            ("POST /v1/images/generations HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                    + "Content-Length: "
                    + body.length()
                    + "\r\n\r\n"
                    + body)
                .getBytes(StandardCharsets.UTF_8));
    CompletableFuture.runAsync(
        () -> {
          try (socket) {
            socket.getOutputStream().flush();
          } catch (IOException gone) {
            // It is gone, as it should be.
          }
        },
        CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS));
  }

  private static CompletableFuture<String> chat(URI chat) {
    return CompletableFuture.supplyAsync(
        () -> {
          try (Socket socket = new Socket(chat.getHost(), chat.getPort())) {
            String body =
                "{\"model\":\"any\",\"stream\":true,\"max_tokens\":1000,"
                    + "\"messages\":[{\"role\":\"user\",\"content\":\"hello\"}]}";
            socket.setSoTimeout((int) Duration.ofSeconds(60).toMillis());
            socket
                .getOutputStream()
                .write(
                    ("POST "
                            + Chat.OPENAI
                            + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
                            + "X-Sim-Tokens: 60\r\nX-Sim-Token-Delay: 100ms\r\n"
                            + "Content-Type: application/json\r\nContent-Length: "
                            + body.length()
                            + "\r\n\r\n"
                            + body)
                        .getBytes(StandardCharsets.UTF_8));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
          } catch (IOException e) {
            return "error: " + e;
          }
        });
  }
}

package dev.swapgate.proxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code compose/guides/haproxy.cfg} in front of two boxes, each with a swapgate of its own. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class SeveralBoxesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path folder;
  private final HttpClient client = HttpClient.newHttpClient();
  private URI front;

  @Test
  void aBoxInASwapIsSkippedAndComesBackAndAllInASwapSayWhenToRetry() throws Exception {
    Map<String, String> slow = Map.of("SIM_STEP_TIME", "500ms");
    try (FakeBox a = new FakeBox(Files.createDirectory(folder.resolve("a")), slow);
        FakeBox b = new FakeBox(Files.createDirectory(folder.resolve("b")), slow);
        CommandLine first = CommandLine.serve(folder.resolve("a"), a.config(), a.admin());
        CommandLine second = CommandLine.serve(folder.resolve("b"), b.config(), b.admin());
        AdminApi adminA = new AdminApi(a.admin(), first::said);
        AdminApi adminB = new AdminApi(b.admin(), second::said)) {
      adminA.awaitChat(Place.VLLM);
      adminB.awaitChat(Place.VLLM);
      Process haProxy = haProxy(a, b);
      try {
        awaitAnswer("both boxes in turn: a", answer -> isFrom(answer, "a", 200));
        awaitAnswer("both boxes in turn: b", answer -> isFrom(answer, "b", 200));

        String job = adminA.submit(Place.COMFYUI, "workflow", SwapIT.workflow());
        awaitSkipped(adminA);
        for (int i = 0; i < 10; i++) {
          assertThat(isFrom(chat(), "b", 200)).as("box a is in a swap: " + chat()).isTrue();
        }

        adminB.submit(Place.COMFYUI, "workflow", SwapIT.workflow());
        awaitAnswer(
            "the refusal of a box, when both are in a swap",
            answer ->
                answer.statusCode() == 429
                    && answer.headers().firstValueAsLong("Retry-After").orElse(0) >= 30);

        assertThat(adminA.awaitEnd(job).path("state").asText()).isEqualTo("done");
        awaitAnswer("box a is back", answer -> isFrom(answer, "a", 200));
      } finally {
        haProxy.destroyForcibly().waitFor();
      }
    }
  }

  /** HAProxy looks once a second; until then a refusal of that box may go through. */
  private void awaitSkipped(AdminApi box) {
    box.awaitStatus("its swap", status -> !status.path("chat_open").asBoolean());
    int[] inARow = new int[1];
    awaitAnswer(
        "the other box, five times in a row",
        answer -> (inARow[0] = isFrom(answer, "b", 200) ? inARow[0] + 1 : 0) == 5);
  }

  private Process haProxy(FakeBox a, FakeBox b) throws IOException {
    int port = Simulators.freePorts(1).getFirst();
    front = URI.create("http://127.0.0.1:" + port);
    ProcessBuilder program =
        new ProcessBuilder(
                "haproxy",
                "-db",
                "-f",
                Simulators.checkout().resolve("compose/guides/haproxy.cfg").toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("haproxy.log").toFile());
    program.environment().put("LISTEN", "127.0.0.1:" + port);
    program.environment().put("BOX_A", a.chat().getAuthority());
    program.environment().put("BOX_B", b.chat().getAuthority());
    program.environment().put("PATH", System.getenv("PATH") + ":/usr/sbin");
    return program.start();
  }

  private void awaitAnswer(String what, Predicate<HttpResponse<String>> isSo) {
    Await.until(
        () -> what,
        PATIENCE,
        () -> {
          try {
            return isSo.test(chat());
          } catch (UncheckedIOException notYet) {
            return false;
          }
        });
  }

  private static boolean isFrom(HttpResponse<String> answer, String box, int status) {
    return answer.statusCode() == status
        && answer.headers().firstValue("X-Box").orElse("").equals(box);
  }

  private HttpResponse<String> chat() {
    String body =
        "{\"model\":\"sim\",\"max_tokens\":1,\"messages\":[{\"role\":\"user\",\"content\":\"a\"}]}";
    try {
      return client.send(
          HttpRequest.newBuilder(front.resolve("/v1/chat/completions"))
              .header("Content-Type", "application/json")
              .timeout(Duration.ofSeconds(20))
              .POST(HttpRequest.BodyPublishers.ofString(body))
              .build(),
          HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException("no answer from " + front, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while asking", e);
    }
  }
}

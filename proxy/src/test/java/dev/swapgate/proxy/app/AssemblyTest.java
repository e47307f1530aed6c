package dev.swapgate.proxy.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import com.fasterxml.jackson.databind.JsonNode;
import dev.swapgate.proxy.AdminSide;
import dev.swapgate.proxy.config.ConfigLoader;
import dev.swapgate.proxy.config.SwapgateConfig;
import dev.swapgate.proxy.metrics.Exposition;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole program in this process, with a Docker daemon that does not answer. */
class AssemblyTest {
  @TempDir Path folder;
  private final HttpClient client = HttpClient.newHttpClient();

  @Test
  void startsAndWaitsWhereDockerDoesNotAnswer() throws Exception {
    try (RunningSwapgate swapgate = Assembly.start(config("state", 0, 0))) {
      HttpResponse<String> status = get(swapgate.adminAddress(), "/api/v1/status");
      HttpResponse<String> check = get(swapgate.adminAddress(), "/api/v1/check");
      HttpResponse<String> ready = get(swapgate.adminAddress(), "/readyz");

      assertThat(status.statusCode()).isEqualTo(200);
      JsonNode json = AdminSide.json(status);
      assertThat(json.get("chat_open").booleanValue()).isFalse();
      assertThat(json.get("selected").textValue()).isEqualTo("vllm");
      assertThat(check.body()).contains("docker_unreachable");
      assertThat(ready.statusCode()).isEqualTo(503);
    }
    assertThat(folder.resolve("state/admin.token")).exists();
  }

  @Test
  void refusesChatWithRetryAfterWhileNoEngineServesAndCountsIt() throws Exception {
    try (RunningSwapgate swapgate = Assembly.start(config("state", 0, 0))) {
      HttpResponse<String> refused =
          client.send(
              HttpRequest.newBuilder(uri(swapgate.chatAddress(), "/v1/chat/completions"))
                  .timeout(Duration.ofSeconds(20))
                  .POST(HttpRequest.BodyPublishers.ofString("{}"))
                  .build(),
              HttpResponse.BodyHandlers.ofString());

      assertThat(refused.statusCode()).isIn(429, 503);
      assertThat(refused.headers().firstValue("Retry-After").orElse("")).matches("[0-9]+");
      HttpResponse<String> metrics = get(swapgate.adminAddress(), "/metrics");
      assertThat(metrics.headers().firstValue("Content-Type").orElse(""))
          .startsWith("text/plain; version=0.0.4");
      assertThat(Exposition.parse(metrics.body()).samples())
          .contains(
              entry("swapgate_chat_open", 0.0),
              entry(
                  "swapgate_requests_total{answered_by=\"gate\",code=\""
                      + refused.statusCode()
                      + "\"}",
                  1.0));
    }
  }

  @Test
  void keepsAnAcceptedJobOverARestart() throws Exception {
    String id;
    try (RunningSwapgate swapgate = Assembly.start(config("state", 0, 0))) {
      HttpResponse<String> accepted =
          client.send(
              HttpRequest.newBuilder(uri(swapgate.adminAddress(), "/api/v1/jobs"))
                  .timeout(Duration.ofSeconds(20))
                  .header("Content-Type", "application/json")
                  .POST(
                      HttpRequest.BodyPublishers.ofString(
                          """
                          {"backend":"comfyui","workflow":{"9":{"class_type":"SaveImage",
                           "inputs":{"images":["8",0],"filename_prefix":"x"}}}}"""))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(accepted.body()).contains("queued");
      id = AdminSide.json(accepted).get("id").textValue();
    }
    try (RunningSwapgate swapgate = Assembly.start(config("state", 0, 0))) {
      assertThat(get(swapgate.adminAddress(), "/api/v1/jobs/" + id).body()).contains("queued");
    }
  }

  @Test
  void refusesASecondSwapgateOnTheSameState() throws Exception {
    try (RunningSwapgate swapgate = Assembly.start(config("state", 0, 0))) {
      assertThatThrownBy(() -> Assembly.start(config("state", 0, 0)))
          .isInstanceOf(StartException.class)
          .hasMessageContaining("another swapgate")
          .hasMessageContaining("process")
          .satisfies(e -> assertThat(((StartException) e).exitCode()).isEqualTo(69));
      assertThat(get(swapgate.adminAddress(), "/healthz").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void saysWhichPortIsTakenAndWhichKeyNamesIt() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();

      assertThatThrownBy(() -> Assembly.start(config("chat", port, 0)))
          .isInstanceOf(StartException.class)
          .hasMessageContaining("127.0.0.1:" + port)
          .hasMessageContaining("the key listen")
          .satisfies(e -> assertThat(((StartException) e).exitCode()).isEqualTo(69));
      assertThatThrownBy(() -> Assembly.start(config("admin", 0, port)))
          .isInstanceOf(StartException.class)
          .hasMessageContaining("the key admin.listen");
      assertThatThrownBy(() -> Assembly.start(config("metrics", 0, 0, "metrics", port)))
          .isInstanceOf(StartException.class)
          .hasMessageContaining("the key metrics.listen");
    }
    // What was begun was given back: the same folder can be used again.
    Assembly.start(config("chat", 0, 0)).close();
  }

  @Test
  void endsWithZeroWhenItIsClosed() throws Exception {
    RunningSwapgate swapgate = Assembly.start(config("state", 0, 0));
    CompletableFuture<Integer> exitCode = CompletableFuture.supplyAsync(swapgate::awaitEnd);

    swapgate.close();

    assertThat(exitCode.get(20, TimeUnit.SECONDS)).isZero();
  }

  private SwapgateConfig config(String state, int chatPort, int adminPort) throws Exception {
    return config(state, chatPort, adminPort, "", 0);
  }

  private SwapgateConfig config(String state, int chatPort, int adminPort, String section, int port)
      throws Exception {
    Path file = folder.resolve(state + ".yaml");
    Files.writeString(
        file,
        """
        listen: 127.0.0.1:%d
        admin: {listen: 127.0.0.1:%d}
        state_dir: %s
        docker: {host: unix://%s/no-docker.sock}
        selected: vllm
        engines:
          vllm:
            container: vllm
            url: http://127.0.0.1:1
            readiness: {path: /health, budget: 60s}
        media:
          comfyui:
            type: comfyui
            container: comfyui
            url: http://127.0.0.1:2
            readiness: {path: /system_stats, budget: 60s}
            generation: 180s
        """
                .formatted(chatPort, adminPort, folder.resolve(state), folder)
            + (section.isEmpty() ? "" : section + ": {listen: 127.0.0.1:" + port + "}\n"));
    return new ConfigLoader(Map.of()).load(file);
  }

  private HttpResponse<String> get(InetSocketAddress address, String path) throws Exception {
    return client.send(
        HttpRequest.newBuilder(uri(address, path)).timeout(Duration.ofSeconds(30)).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private static URI uri(InetSocketAddress address, String path) {
    return URI.create("http://127.0.0.1:" + address.getPort() + path);
  }
}

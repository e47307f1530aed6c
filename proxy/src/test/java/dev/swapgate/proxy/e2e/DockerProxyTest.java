package dev.swapgate.proxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code compose/docker-proxy.cfg} in HAProxy: enough for a swap, and for nothing else. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class DockerProxyTest {
  @TempDir static Path folder;

  private static FakeBox box;
  private static Process haProxy;
  private static Process widened;
  private static int port;
  private static int widerPort;

  @BeforeAll
  static void opens() throws Exception {
    box = new FakeBox(folder, Map.of());
    port = Simulators.freePorts(2).get(0);
    widerPort = Simulators.freePorts(2).get(1);
    haProxy = haProxy(port, Map.of());
    widened = haProxy(widerPort, Map.of("CONTAINERS_INSIDE", "comfyui"));
  }

  private static Process haProxy(int listen, Map<String, String> more) throws Exception {
    ProcessBuilder program =
        new ProcessBuilder(
                "haproxy",
                "-db",
                "-f",
                Simulators.checkout().resolve("compose/docker-proxy.cfg").toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("haproxy-" + listen).toFile());
    program.environment().putAll(more);
    program.environment().put("CONTAINERS", "vllm|comfyui");
    program.environment().put("LISTEN", "127.0.0.1:" + listen);
    program.environment().put("DOCKER_SOCKET", "unix@" + URI.create(address()).getPath());
    program.environment().put("PATH", System.getenv("PATH") + ":/usr/sbin");
    Process started = program.start();
    Await.until(
        () -> "HAProxy listens; its log is " + folder.resolve("haproxy-" + listen),
        Duration.ofSeconds(20),
        () -> answer(listen, "GET", "/_ping").startsWith("200"));
    return started;
  }

  private static String address() {
    return box.docker().address().toString();
  }

  @AfterAll
  static void closes() throws Exception {
    haProxy.destroy();
    widened.destroy();
    box.close();
  }

  @Test
  void aSwapGoesThroughIt() throws Exception {
    Path config = box.config(address(), "tcp://127.0.0.1:" + port);
    try (CommandLine swapgate = CommandLine.serve(folder, config, box.admin());
        AdminApi admin = new AdminApi(box.admin(), swapgate::said)) {
      admin.awaitChat(Place.VLLM);
      String id = admin.submit(Place.COMFYUI, "workflow", SwapIT.workflow());
      Await.until(
          () -> "the job is done: " + admin.job(id),
          Duration.ofSeconds(90),
          () -> admin.job(id).path("state").asText().equals("done"));
      assertThat(admin.job(id).path("files")).hasSize(2);
      admin.awaitChat(Place.VLLM);
      assertThat(admin.get("/api/v1/check").toString()).doesNotContain("docker_unreachable");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /_ping",
        "HEAD /_ping",
        "GET /v1.41/version",
        "GET /v1.41/containers/json?all=true",
        "GET /v1.41/containers/vllm/json",
        "GET /containers/comfyui/logs?stdout=true&tail=10",
      })
  void asksWhatSwapgateAsks(String request) {
    String[] words = request.split(" ");
    assertThat(answer(words[0], words[1])).startsWith("200 ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "POST /v1.41/containers/create",
        "POST /v1.41/containers/create?name=vllm",
        "POST /v1.41/containers/other/stop",
        "POST /v1.41/containers/other/start",
        "GET /v1.41/containers/other/json",
        "GET /v1.41/containers/vllmx/json",
        "POST /v1.41/containers/xvllm/stop",
        "POST /v1.41/containers/vllm/exec",
        "POST /v1.41/containers/vllm/rename?name=x",
        "POST /v1.41/containers/vllm/update",
        "POST /v1.41/containers/vllm/pause",
        "GET /v1.41/containers/vllm/archive?path=/",
        "PUT /v1.41/containers/vllm/archive?path=/",
        "GET /v1.41/containers/vllm/export",
        "POST /v1.41/containers/vllm/attach",
        "DELETE /v1.41/containers/vllm",
        "DELETE /v1.41/containers/vllm/stop",
        "GET /v1.41/containers/vllm/stop",
        "POST /v1.41/containers/vllm/json",
        "POST /v1.23/containers/vllm/start",
        "POST /v1.1/containers/vllm/start",
        "POST /v1.41/containers/vllm%2Fexec%3f/stop",
        "POST /v1.41/containers//create",
        "POST //containers/create",
        "POST /v1.41/containers/vllm/../create",
        "POST /containers/create#/containers/vllm/stop",
        "POST http://x/v1.41/containers/create",
        "POST /v1.41/containers/prune",
        "POST /v1.41/exec/1/start",
        "POST /v1.41/build",
        "POST /v1.41/images/create?fromImage=x",
        "GET /v1.41/images/json",
        "POST /v1.41/networks/create",
        "GET /v1.41/secrets",
        "GET /v1.41/info",
        "POST /v1.41/session",
        "POST /grpc",
        "CONNECT /v1.41/containers/vllm/stop",
      })
  void refusesAllElse(String request) {
    String[] words = request.split(" ");
    assertThat(answer(words[0], words[1])).matches("(?s)(403|400) .*");
  }

  /**
   * What {@code inside:} needs, in the containers that are named for it, and only once they are.
   */
  @Test
  void runsCommandsInsideOnlyWhereThatIsSwitchedOn() {
    String begin = "/v1.41/exec/" + "0a".repeat(32) + "/start";
    for (String target : new String[] {"/containers/comfyui/exec", begin}) {
      assertThat(answer(port, "POST", target)).startsWith("403 ");
      assertThat(answer(widerPort, "POST", target)).doesNotStartWith("403 ");
    }
    assertThat(answer(widerPort, "GET", begin.replace("/start", "/json"))).startsWith("404 ");
    for (String refused :
        new String[] {
          "POST /containers/vllm/exec",
          "POST /exec/1/start",
          "POST " + begin.replace("/start", "/resize"),
          "POST /containers/comfyui/attach",
          "POST /containers/create"
        }) {
      String[] words = refused.split(" ");
      assertThat(answer(widerPort, words[0], words[1])).as(refused).startsWith("403 ");
    }
  }

  /** Status and the rest of the answer, on a connection of its own. */
  private static String answer(String method, String target) {
    return answer(port, method, target);
  }

  private static String answer(int to, String method, String target) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress("127.0.0.1", to), 2_000);
      socket.setSoTimeout(5_000);
      String request =
          method
              + " "
              + target
              + " HTTP/1.1\r\nHost: docker\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      String said = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
      return said.replaceFirst("HTTP/1.. ", "");
    } catch (IOException e) {
      return e.toString();
    }
  }
}

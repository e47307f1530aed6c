package dev.swapgate.backends.docker;

import static dev.swapgate.backends.docker.ScriptedSocket.answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.swapgate.backends.settings.DockerSettings;
import dev.swapgate.gate.core.CommandEnd;
import dev.swapgate.gate.core.ContainerSighting;
import dev.swapgate.gate.core.ContainerSighting.State;
import dev.swapgate.gate.port.BackendException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is seen is Docker's answer and nothing else; no answer is an exception, in time. */
class LooksOnTheWireTest {
  private static final Duration SHORT = Duration.ofMillis(300);

  @TempDir Path folder;
  private ScriptedSocket socket;
  private DockerContainers docker;

  @AfterEach
  void closes() throws IOException {
    docker.close();
    if (socket != null) {
      socket.close();
    }
  }

  @Test
  void aRunningOneIsSeenWithAllThatCounts() throws IOException {
    daemonThat(request -> Inspected.running("vllm"));

    ContainerSighting seen = docker.look("vllm");

    assertThat(seen.state()).isEqualTo(State.RUNNING);
    assertThat(seen.id()).isEqualTo(Inspected.ID);
    assertThat(seen.startedAt()).contains(Instant.parse(Inspected.STARTED));
    assertThat(seen.exitCode()).isEmpty();
    assertThat(seen.stopTimeout()).isEqualTo(Duration.ofSeconds(60));
    assertThat(socket.requests()).containsExactly("GET /containers/vllm/json HTTP/1.1");
  }

  @Test
  void aProcessThatIsStillThereIsNotDown() throws IOException {
    seen("\"Running\":false,\"Pid\":4711,\"ExitCode\":0");

    assertThat(docker.look("vllm").state()).isEqualTo(State.RUNNING);
  }

  @Test
  void oneBetweenTwoRunsOfARestartPolicyIsNotDown() throws IOException {
    seen("\"Running\":false,\"Restarting\":true,\"Pid\":0,\"ExitCode\":1");

    assertThat(docker.look("vllm").state()).isEqualTo(State.RUNNING);
  }

  @Test
  void theYearOneMeansNeverStarted() throws IOException {
    seen("\"Running\":false,\"Pid\":0,\"ExitCode\":0,\"StartedAt\":\"0001-01-01T00:00:00Z\"");

    ContainerSighting seen = docker.look("vllm");

    assertThat(seen.state()).isEqualTo(State.DOWN);
    assertThat(seen.startedAt()).isEmpty();
    assertThat(seen.exitCode()).isEmpty();
  }

  @Test
  void theEndOfTheLastRunIsSeen() throws IOException {
    seen(
        "\"Running\":false,\"Pid\":0,\"ExitCode\":137,\"OOMKilled\":true,\"StartedAt\":\""
            + Inspected.STARTED
            + "\"");

    assertThat(docker.look("vllm").exitCode()).hasValue(137);
    assertThat(docker.look("vllm").oomKilled()).isTrue();
  }

  @Test
  void restartPolicyAndAutoRemoveAreSeen() throws IOException {
    String host = "\"AutoRemove\":true,\"RestartPolicy\":{\"Name\":\"unless-stopped\"}";
    String json = Inspected.json("vllm", Inspected.ID, Inspected.RUNNING, "\"Image\":\"i\"", host);
    daemonThat(request -> answer("200 OK", json));

    ContainerSighting seen = docker.look("vllm");

    assertThat(seen.restartPolicy()).isTrue();
    assertThat(seen.autoRemove()).isTrue();
    assertThat(seen.stopTimeout()).isEqualTo(ContainerSighting.DEFAULT_STOP_TIMEOUT);
  }

  @Test
  void thePolicyNoIsNoPolicy() throws IOException {
    String host = "\"RestartPolicy\":{\"Name\":\"no\",\"MaximumRetryCount\":0}";
    String json = Inspected.json("vllm", Inspected.ID, Inspected.RUNNING, "\"Image\":\"i\"", host);
    daemonThat(request -> answer("200 OK", json));

    assertThat(docker.look("vllm").restartPolicy()).isFalse();
  }

  @Test
  void anIdThatBeginsLikeTheNameIsAnotherContainer() throws IOException {
    daemonThat(request -> Inspected.running("vllm", "ace".repeat(21) + "f"));

    assertThat(docker.look("ace").state()).isEqualTo(State.MISSING);
  }

  @Test
  void onlyDockersOwnWordsMeanMissing() throws IOException {
    daemonThat(request -> answer("404 Not Found", "{\"message\":\"No such container: vllm\"}"));
    assertThat(docker.look("vllm").state()).isEqualTo(State.MISSING);
  }

  @Test
  void anotherServersNotFoundIsNotMissing() throws IOException {
    daemonThat(request -> answer("404 Not Found", "<html>nginx</html>"));
    assertThatThrownBy(() -> docker.look("vllm")).isInstanceOf(BackendException.class);
  }

  @Test
  void aTruncatedAnswerIsAnException() throws IOException {
    String json = Inspected.json("vllm", Inspected.ID, Inspected.RUNNING);
    daemonThat(request -> ScriptedSocket.cut(json.substring(0, json.length() / 2)));

    assertThatThrownBy(() -> docker.look("vllm")).isInstanceOf(BackendException.class);
  }

  @Test
  void halfAJsonDocumentInAWholeAnswerIsAnException() throws IOException {
    String json = Inspected.json("vllm", Inspected.ID, Inspected.RUNNING);
    daemonThat(request -> answer("200 OK", json.substring(0, json.length() / 2)));

    assertThatThrownBy(() -> docker.look("vllm")).isInstanceOf(BackendException.class);
  }

  @Test
  void anAnswerWithoutTheStateIsAnException() throws IOException {
    daemonThat(request -> answer("200 OK", "{\"Id\":\"1\",\"Name\":\"/vllm\",\"State\":{}}"));

    assertThatThrownBy(() -> docker.look("vllm"))
        .isInstanceOf(BackendException.class)
        .hasMessageContaining("State.Running");
  }

  @Test
  void anErrorIsToldInDockersWords() throws IOException {
    daemonThat(request -> answer("500 Internal Server Error", "{\"message\":\"disk on fire\"}"));

    assertThatThrownBy(() -> docker.look("vllm"))
        .isInstanceOf(BackendException.class)
        .hasMessageContaining("disk on fire");
  }

  @Test
  void anAbsentSocketIsAnException() {
    docker = new DockerContainers(new DockerSettings(URI.create("unix:///nowhere/docker.sock")));

    assertThatThrownBy(() -> docker.look("vllm"))
        .isInstanceOf(BackendException.class)
        .hasMessageContaining("unix:///nowhere/docker.sock");
  }

  @Test
  void aHungStopDoesNotKeepALookFromItsAnswer() throws IOException {
    daemonThat(r -> r.startsWith("POST") ? ScriptedSocket.SILENCE : Inspected.running("vllm"));

    CommandEnd end = docker.stop("vllm", Duration.ofSeconds(5), SHORT);

    assertThat(end).isInstanceOf(CommandEnd.Unknown.class);
    assertThat(docker.look("vllm").state()).isEqualTo(State.RUNNING);
  }

  /** More than the limit on calls under way: the abandoned ones must give their place back. */
  @Test
  void manyHungCommandsInARowDoNotKeepALookFromItsAnswer() throws IOException {
    daemonThat(r -> r.startsWith("POST") ? ScriptedSocket.SILENCE : Inspected.running("vllm"));

    for (int i = 0; i < 70; i++) {
      docker.start("hung", Duration.ofMillis(20));
    }

    assertThat(docker.look("vllm").state()).isEqualTo(State.RUNNING);
  }

  @Test
  void manyHungLooksAtOnceDoNotKeepALaterOneFromItsAnswer() throws Exception {
    daemonThat(
        Duration.ofSeconds(3),
        r -> r.contains("/vllm/") ? Inspected.running("vllm") : ScriptedSocket.SILENCE);

    List<CompletableFuture<Void>> hung = new ArrayList<>();
    for (int i = 0; i < 70; i++) {
      hung.add(CompletableFuture.runAsync(() -> docker.look("hung"), Thread::startVirtualThread));
    }
    for (CompletableFuture<Void> one : hung) {
      assertThat(one).failsWithin(Duration.ofSeconds(20));
    }

    assertThat(docker.look("vllm").state()).isEqualTo(State.RUNNING);
  }

  @Test
  void aLogOfATerminalIsReadToo() throws IOException {
    String text = "plain text of a tty\nsecond line\n";
    daemonThat(
        request ->
            "HTTP/1.1 200 OK\r\nContent-Type: application/vnd.docker.raw-stream\r\n"
                + "Content-Length: "
                + text.length()
                + "\r\n\r\n"
                + text);

    assertThat(docker.lastLogLines("vllm", 5))
        .isEqualTo(List.of("plain text of a tty", "second line"));
  }

  @Test
  void namesAreThoseOfAllContainersWithoutLinks() throws IOException {
    daemonThat(
        request ->
            answer(
                "200 OK", "[{\"Names\":[\"/vllm\",\"/web/engine\"]},{\"Names\":[\"/comfyui\"]}]"));

    assertThat(docker.names()).containsExactly("comfyui", "vllm");
    assertThat(socket.requests().get(0)).startsWith("GET /containers/json?all=true");
  }

  @Test
  void theVersionIsTheDaemonsOwn() throws IOException {
    daemonThat(
        r ->
            answer(
                "200 OK",
                "{\"Version\":\"29.0.0\",\"ApiVersion\":\"1.52\",\"MinAPIVersion\":\"1.44\"}"));

    assertThat(docker.version()).isEqualTo(new DaemonVersion("29.0.0", "1.52", "1.44"));
  }

  @Test
  void detailsTellWhatThePreflightAsks() throws IOException {
    String config =
        "\"Image\":\"vllm/vllm-openai\",\"StopSignal\":\"SIGINT\",\"Cmd\":[\"--model\",\"m\"],"
            + "\"Entrypoint\":[\"python3\"],\"Labels\":{\"com.docker.compose.service\":\"vllm\"}";
    String host =
        "\"AutoRemove\":true,\"Init\":true,\"PidMode\":\"host\",\"IpcMode\":\"private\","
            + "\"RestartPolicy\":{\"Name\":\"always\"},\"PortBindings\":{"
            + "\"8000/tcp\":[{\"HostIp\":\"127.0.0.1\",\"HostPort\":\"8000\"}],"
            + "\"9000/tcp\":[{\"HostIp\":\"\",\"HostPort\":\"\"}]}";
    String state = Inspected.RUNNING + ",\"Health\":{\"Status\":\"starting\"}";
    String json = Inspected.json("vllm", Inspected.ID, state, config, host);
    daemonThat(request -> answer("200 OK", json));

    ContainerDetails seen = docker.details("vllm").orElseThrow();

    assertThat(seen.image()).isEqualTo("vllm/vllm-openai");
    assertThat(seen.autoRemove()).isTrue();
    assertThat(seen.restartPolicy()).isEqualTo("always");
    assertThat(seen.init()).contains(true);
    assertThat(seen.stopSignal()).isEqualTo("SIGINT");
    assertThat(seen.pidMode()).isEqualTo("host");
    assertThat(seen.entrypoint()).containsExactly("python3");
    assertThat(seen.command()).containsExactly("--model", "m");
    assertThat(seen.health()).contains("starting");
    assertThat(seen.composeService()).contains("vllm");
    assertThat(seen.ports())
        .containsExactlyInAnyOrder(
            new ContainerDetails.PublishedPort("8000/tcp", "127.0.0.1", "8000"),
            new ContainerDetails.PublishedPort("9000/tcp", "", ""));
    assertThat(seen.ports()).filteredOn(port -> !port.isFixed()).hasSize(1);
  }

  private void seen(String state) throws IOException {
    daemonThat(request -> answer("200 OK", Inspected.json("vllm", Inspected.ID, state)));
  }

  private void daemonThat(Function<String, String> script) throws IOException {
    daemonThat(AskDocker.DEADLINE, script);
  }

  private void daemonThat(Duration readDeadline, Function<String, String> script)
      throws IOException {
    socket = new ScriptedSocket(folder.resolve("docker.sock"), script);
    docker = new DockerContainers(new DockerSettings(socket.address()), readDeadline);
  }
}

package dev.swapgate.backends.docker;

import static dev.swapgate.backends.docker.ScriptedSocket.answer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.backends.settings.DockerSettings;
import dev.swapgate.gate.core.CommandEnd;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each command is one request on the wire, and its end is told truly. */
class CommandsOnTheWireTest {
  private static final Duration DEADLINE = Duration.ofSeconds(10);
  private static final Duration SHORT = Duration.ofMillis(300);
  private static final String NO_CONTENT = "HTTP/1.1 204 No Content\r\nServer: x\r\n\r\n";

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
  void aStopIsOneRequestWithItsGraceInSeconds() throws IOException {
    daemonThat(request -> NO_CONTENT);

    CommandEnd end = docker.stop("vllm", Duration.ofMillis(59_001), DEADLINE);

    assertThat(end).isEqualTo(new CommandEnd.Done());
    assertThat(socket.requests()).containsExactly("POST /containers/vllm/stop?t=60 HTTP/1.1");
  }

  @Test
  void startAndKillAreOneRequestEachWithoutAnApiVersion() throws IOException {
    daemonThat(request -> NO_CONTENT);

    docker.start("vllm", DEADLINE);
    docker.kill("vllm", DEADLINE);

    assertThat(socket.requests())
        .containsExactly(
            "POST /containers/vllm/start HTTP/1.1",
            "POST /containers/vllm/kill?signal=SIGKILL HTTP/1.1");
  }

  @Test
  void aConnectionDroppedAfterTheRequestIsUnknownAndNotSentAgain() throws IOException {
    daemonThat(request -> ScriptedSocket.HANG_UP);

    assertUnknown(docker.stop("vllm", Duration.ofSeconds(5), DEADLINE));
    assertThat(socket.requests()).hasSize(1);

    assertUnknown(docker.start("vllm", DEADLINE));
    assertThat(socket.requests()).hasSize(2);
  }

  /** docker-java's own transports send it again after a second when they get a 503 or 429. */
  @Test
  void anOverloadedDaemonGetsNoSecondStop() throws IOException {
    daemonThat(request -> answer("503 Service Unavailable", "{\"message\":\"busy\"}"));

    CommandEnd end = docker.stop("vllm", Duration.ofSeconds(5), DEADLINE);

    assertUnknown(end);
    assertThat(socket.requests()).hasSize(1);
  }

  @Test
  void noAnswerByTheDeadlineIsUnknown() throws IOException {
    daemonThat(request -> request.contains("/first/") ? NO_CONTENT : ScriptedSocket.SILENCE);
    docker.start("first", DEADLINE); // Loads the classes, which may take longer than the deadline.

    CommandEnd end = docker.stop("vllm", Duration.ofSeconds(5), SHORT);

    assertThat(end).isInstanceOf(CommandEnd.Unknown.class);
    assertThat(((CommandEnd.Unknown) end).reason())
        .contains("stop vllm")
        .contains("no answer within 300 ms");
    assertThat(socket.requests()).hasSize(2);
  }

  @Test
  void aTruncatedAnswerIsUnknown() throws IOException {
    daemonThat(request -> "HTTP/1.1 204 No Con");

    assertUnknown(docker.start("vllm", DEADLINE));
  }

  @Test
  void whatIsNoHttpAnswerIsUnknown() throws IOException {
    daemonThat(request -> "SSH-2.0-OpenSSH\n");

    assertUnknown(docker.start("vllm", DEADLINE));
  }

  @Test
  void notModifiedProvesNothing() throws IOException {
    daemonThat(request -> "HTTP/1.1 304 Not Modified\r\n\r\n");

    assertUnknown(docker.start("vllm", DEADLINE));
  }

  @Test
  void aRefusalFailsWithDockersWordsWordForWord() throws IOException {
    String words = "could not select device driver \\\"\\\" with capabilities: [[gpu]]";
    daemonThat(request -> answer("500 Internal Server Error", "{\"message\":\"" + words + "\"}"));

    CommandEnd end = docker.start("vllm", DEADLINE);

    assertThat(end).isInstanceOf(CommandEnd.Failed.class);
    assertThat(((CommandEnd.Failed) end).reason())
        .contains("could not select device driver \"\" with capabilities: [[gpu]]");
  }

  @Test
  void aRefusalInChunksIsReadWhole() throws IOException {
    daemonThat(
        request ->
            "HTTP/1.1 409 Conflict\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "c\r\n{\"message\":\"\r\n5\r\nno!\"}\r\n0\r\n\r\n");

    assertThat(docker.start("vllm", DEADLINE)).isEqualTo(new CommandEnd.Failed("no! (status 409)"));
  }

  @Test
  void anAbsentSocketMeansThatNothingWasSent() {
    docker = containers(URI.create("unix://" + folder.resolve("absent.sock")));

    CommandEnd end = docker.start("vllm", DEADLINE);

    assertThat(end).isInstanceOf(CommandEnd.Failed.class);
    assertThat(((CommandEnd.Failed) end).reason()).contains("cannot reach Docker at unix://");
  }

  @Test
  void aSocketNobodyListensOnMeansThatNothingWasSent() throws IOException {
    Path left = folder.resolve("left.sock");
    try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      dead.bind(UnixDomainSocketAddress.of(left));
    }
    docker = containers(URI.create("unix://" + left));

    assertThat(docker.start("vllm", DEADLINE)).isInstanceOf(CommandEnd.Failed.class);
  }

  @Test
  void aTcpPortNobodyListensOnMeansThatNothingWasSent() throws IOException {
    int port;
    try (ServerSocket taken = new ServerSocket(0)) {
      port = taken.getLocalPort();
    }
    docker = containers(URI.create("tcp://127.0.0.1:" + port));

    assertThat(docker.start("vllm", DEADLINE)).isInstanceOf(CommandEnd.Failed.class);
  }

  @Test
  void aNameThatCouldBeAnIdIsSentAsTheIdOfTheOneThatReallyHasIt() throws IOException {
    String id = "f".repeat(64);
    daemonThat(request -> request.startsWith("GET") ? Inspected.running("ace", id) : NO_CONTENT);

    docker.start("ace", DEADLINE);

    assertThat(socket.requests())
        .containsExactly(
            "GET /containers/ace/json HTTP/1.1", "POST /containers/" + id + "/start HTTP/1.1");
  }

  @Test
  void aNameThatIsOnlyTheBeginningOfAnotherOnesIdIsNotSent() throws IOException {
    String id = "ace".repeat(21) + "f";
    daemonThat(request -> request.startsWith("GET") ? Inspected.running("vllm", id) : NO_CONTENT);

    assertThat(docker.stop("ace", Duration.ofSeconds(5), DEADLINE))
        .isInstanceOf(CommandEnd.Failed.class);
    assertThat(socket.requests()).containsExactly("GET /containers/ace/json HTTP/1.1");
  }

  @Test
  void aNameThatIsNoneIsNotSent() throws IOException {
    daemonThat(request -> NO_CONTENT);

    assertThat(docker.start("../images", DEADLINE)).isInstanceOf(CommandEnd.Failed.class);
    assertThat(socket.requests()).isEmpty();
  }

  private static void assertUnknown(CommandEnd end) {
    assertThat(end).isInstanceOf(CommandEnd.Unknown.class);
  }

  private void daemonThat(Function<String, String> script) throws IOException {
    socket = new ScriptedSocket(folder.resolve("docker.sock"), script);
    docker = containers(socket.address());
  }

  private static DockerContainers containers(URI address) {
    return new DockerContainers(new DockerSettings(address));
  }
}

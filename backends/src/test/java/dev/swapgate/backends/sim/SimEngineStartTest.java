package dev.swapgate.backends.sim;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimEngineStartTest {
  private static final String ASK =
      "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}";
  private static final String ASK_STREAM = ASK.replace("{\"model\"", "{\"stream\":true,\"model\"");

  /** At 20 ms each, far longer than a start takes on a busy machine. */
  private static final int LOOKS = 1500;

  @TempDir Path directory;

  @Test
  void endsWithOneWhenTheCardIsNotFree() throws Exception {
    PretendCard card = PretendCard.at(directory);
    try (Claim stranger = card.claim("desktop", 400);
        SimProcess engine = start(Map.of())) {
      assertThat(engine.exitCode()).isEqualTo(1);
      assertThat(engine.output())
          .contains("Free memory on device")
          .contains("is less than desired");
      assertThat(stranger.mib()).isEqualTo(400);
    }
    assertThat(card.journal().failedClaims()).hasSize(1);
  }

  @Test
  void endsWithOneWhenFreeMemoryRisesWhileItLoads() throws Exception {
    PretendCard card = PretendCard.at(directory).withLag(Duration.ZERO);
    try (Claim leaving = card.claim("leaving", 100);
        SimProcess engine = start(Map.of("SIM_LOAD_TIME", "1h", "SIM_WHILE_LOADING", "hang"))) {
      awaitClaims(card, 2);
      leaving.close();
      assertThat(engine.exitCode()).isEqualTo(1);
      assertThat(engine.output()).contains("Error in memory profiling");
    }
    assertThat(card.journal().failedClaims())
        .singleElement()
        .satisfies(entry -> assertThat(entry.holder().who()).isEqualTo("vllm"));
  }

  @Test
  void refusesConnectionsOrAnswers503WhileLoading() throws Exception {
    int port = freePort();
    Map<String, String> slow =
        Map.of("SIM_LOAD_TIME", "1h", "SIM_MIB", "1000", "SIM_PORT", Integer.toString(port));
    PretendCard card = PretendCard.at(directory);
    try (SimProcess refusing = start(slow)) {
      awaitClaims(card, 1);
      assertThatThrownBy(() -> new Socket("127.0.0.1", port).close())
          .isInstanceOf(ConnectException.class);
      assertThat(refusing.alive()).isTrue();
    }
    // What the first one held must be free again, or the second one ends when it becomes so.
    awaitEmpty(card);
    try (SimProcess busy = start(with(slow, "SIM_WHILE_LOADING", "503"))) {
      SimClient client = new SimClient(port);
      SimClient.Reply loading = firstAnswer(client);
      assertThat(loading.status()).isEqualTo(503);
      assertThat(loading.at("error.message")).isEqualTo("Loading model");
      assertThat(busy.alive()).isTrue();
    }
  }

  @Test
  void acceptsAndNeverAnswersWhenItHangsWhileLoading() throws Exception {
    int port = freePort();
    try (SimProcess engine =
            start(
                Map.of(
                    "SIM_LOAD_TIME", "1h",
                    "SIM_WHILE_LOADING", "hang",
                    "SIM_PORT", Integer.toString(port)));
        Socket socket = firstConnection(port)) {
      socket.getOutputStream().write("GET /health HTTP/1.1\r\n\r\n".getBytes(US_ASCII));
      socket.setSoTimeout(300);
      assertThatThrownBy(() -> socket.getInputStream().read())
          .isInstanceOf(SocketTimeoutException.class);
      assertThat(engine.alive()).isTrue();
    }
  }

  @Test
  void endsOnSigtermWith143OrWhatItIsTold() throws Exception {
    PretendCard.at(directory).withLag(Duration.ZERO);
    try (SimProcess engine = start(Map.of())) {
      engine.port();
      engine.terminate();
      assertThat(engine.exitCode()).isEqualTo(143);
    }
    try (SimProcess engine = start(Map.of("SIM_TERM_EXIT", "0"))) {
      engine.port();
      engine.terminate();
      assertThat(engine.exitCode()).isZero();
    }
  }

  @Test
  void finishesWhatRunsBeforeItEndsWhenToldToDrain() throws Exception {
    try (SimProcess engine =
        start(Map.of("SIM_TERM_DRAIN", "20s", "SIM_TOKENS", "100", "SIM_TOKEN_DELAY", "10ms"))) {
      SimClient client = new SimClient(engine.port());
      CompletableFuture<HttpResponse<String>> running =
          client.http.sendAsync(
              client
                  .request("/v1/chat/completions")
                  .POST(HttpRequest.BodyPublishers.ofString(ASK_STREAM))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      client.until("/sim/stats", reply -> reply.at("running").equals(1L));

      engine.terminate();

      assertThat(running.get(20, SECONDS).body()).endsWith("data: [DONE]\n\n");
      assertThat(engine.exitCode()).isEqualTo(143);
    }
  }

  @Test
  void goesOnThroughSigtermWhenToldToIgnoreIt() throws Exception {
    try (SimProcess engine = start(Map.of("SIM_IGNORE_TERM", "true"))) {
      SimClient client = new SimClient(engine.port());
      engine.terminate();
      engine.line("ignores SIGTERM");
      assertThat(client.post("/v1/chat/completions", ASK).status()).isEqualTo(200);
      assertThat(engine.alive()).isTrue();
    }
  }

  @Test
  void startsWithAFaultThatLiesInTheCardsDirectory() throws Exception {
    Files.writeString(directory.resolve("fault-vllm"), "exit");
    try (SimProcess engine = start(Map.of())) {
      assertThat(engine.exitCode()).isEqualTo(1);
    }
    Files.delete(directory.resolve("fault-vllm"));
    PretendCard.at(directory).withLag(Duration.ZERO);
    try (SimProcess engine = start(Map.of())) {
      assertThat(engine.port()).isPositive();
    }
  }

  private SimProcess start(Map<String, String> more) {
    Map<String, String> environment =
        new HashMap<>(
            Map.of(
                "SIM_NAME", "vllm",
                "SIM_CARD", directory.toString(),
                "SIM_PORT", "0",
                "SIM_LOAD_TIME", "10ms"));
    environment.putAll(more);
    return SimProcess.start(SimEngine.class, environment);
  }

  private static Map<String, String> with(Map<String, String> map, String name, String value) {
    Map<String, String> more = new HashMap<>(map);
    more.put(name, value);
    return more;
  }

  private static void awaitClaims(PretendCard card, int count) {
    for (int look = 0; look < LOOKS && card.reading().held().size() < count; look++) {
      aMoment();
    }
    assertThat(card.reading().held()).hasSize(count);
  }

  private static void awaitEmpty(PretendCard card) {
    for (int look = 0; look < LOOKS && !card.reading().held().isEmpty(); look++) {
      aMoment();
    }
    assertThat(card.reading().held()).isEmpty();
  }

  private static SimClient.Reply firstAnswer(SimClient client) throws Exception {
    for (int look = 0; look < LOOKS; look++) {
      try {
        return client.get("/health");
      } catch (ConnectException e) {
        aMoment();
      }
    }
    throw new AssertionError("the engine never answered");
  }

  private static Socket firstConnection(int port) throws IOException {
    for (int look = 0; look < LOOKS; look++) {
      try {
        return new Socket("127.0.0.1", port);
      } catch (ConnectException e) {
        aMoment();
      }
    }
    throw new AssertionError("the engine never listened");
  }

  private static void aMoment() {
    new CompletableFuture<Void>().completeOnTimeout(null, 20, MILLISECONDS).join();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}

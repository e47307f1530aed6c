package dev.swapgate.proxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.swapgate.gate.runtime.SteadyClock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole program is told to stop, at rest and in the middle of things. */
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class StopTest {
  private static final Duration DOCKERS_PATIENCE = Duration.ofSeconds(10);

  @TempDir Path folder;
  private final SteadyClock clock = SteadyClock.system();
  private FakeBox box;
  private CommandLine swapgate;
  private AdminApi admin;

  @BeforeEach
  void serves() throws Exception {
    box = new FakeBox(folder, Map.of("SIM_STEP_TIME", "400ms"));
    swapgate = box.serve();
    admin = new AdminApi(box.admin(), swapgate::said);
  }

  @AfterEach
  void takesAllDown() {
    admin.close();
    swapgate.close();
    box.close();
  }

  @Test
  void atRestItEndsAtOnceAndLeavesTheEngineServing() throws Exception {
    stops();

    try (AdminApi engine = new AdminApi(box.server(Place.VLLM))) {
      assertThat(engine.code("/health")).isEqualTo(200);
    }
  }

  @Test
  void aStreamEndsWholeWhileNewChatIsRefused() throws Exception {
    try (KeptConnection streaming = new KeptConnection(box.chat());
        KeptConnection late = new KeptConnection(box.chat())) {
      begin(streaming, 30);

      swapgate.terminate();
      awaitRefusal(late);

      assertThat(streaming.rest()).contains("t29").endsWith("data: [DONE]\n\n");
      assertThat(swapgate.end().exitCode()).as(swapgate.said()).isZero();
    }
  }

  @Test
  void aLongStreamIsEndedVisiblyWithinDockersPatience() throws Exception {
    try (KeptConnection streaming = new KeptConnection(box.chat())) {
      begin(streaming, 600);

      stops();

      StringBuilder said = new StringBuilder();
      try {
        said.append(streaming.chunk());
        while (!said.toString().endsWith("\n\n") || !said.toString().contains("event: error")) {
          said.append(streaming.chunk());
        }
      } catch (IOException e) {
        throw new AssertionError("no last words after " + said, e);
      }
      assertThat(said).contains("event: error").doesNotContain("[DONE]");
    }
  }

  @Test
  void theSecondSignalEndsItAtOnce() throws Exception {
    try (KeptConnection streaming = new KeptConnection(box.chat());
        KeptConnection late = new KeptConnection(box.chat())) {
      begin(streaming, 600);
      swapgate.terminate();
      awaitRefusal(late);
      Duration again = clock.now().steady();

      swapgate.terminate();

      assertThat(swapgate.end().exitCode()).as(swapgate.said()).isZero();
      assertThat(clock.now().steady().minus(again)).isLessThan(Duration.ofSeconds(3));
    }
  }

  @Test
  void inADrainTheNextStartDoesTheJobOnce() throws Exception {
    String id;
    try (KeptConnection streaming = new KeptConnection(box.chat())) {
      begin(streaming, 600);
      id = admin.submit(Place.COMFYUI, "workflow", SwapIT.workflow());
      admin.awaitStatus("it drains", status -> status.path("phase").asText().equals("draining"));
      stops();
    }
    assertDoneOnceAfterTheNextStart(id);
  }

  @Test
  void inARenderTheNextStartDeliversThatVeryRender() throws Exception {
    String id = admin.submit(Place.COMFYUI, "workflow", SwapIT.workflow());
    admin.awaitStatus("it runs", status -> status.path("phase").asText().equals("running"));
    box.awaitRender();

    stops();

    try (AdminApi comfyUi = new AdminApi(box.server(Place.COMFYUI))) {
      assertThat(comfyUi.code("/queue")).as("the media server goes on").isEqualTo(200);
    }
    assertDoneOnceAfterTheNextStart(id);
  }

  private static void awaitRefusal(KeptConnection client) {
    Await.until(
        () -> "new chat is refused",
        Duration.ofSeconds(3),
        () -> {
          try {
            return Chat.ask(client, Chat.OPENAI).status() == 429;
          } catch (IOException e) {
            throw new AssertionError("the door shut before the stream ended", e);
          }
        });
  }

  private static void begin(KeptConnection connection, int tokens) throws IOException {
    connection.send(
        Chat.OPENAI,
        "{\"model\":\"any\",\"stream\":true,\"max_tokens\":1000,"
            + "\"messages\":[{\"role\":\"user\",\"content\":\"hello\"}]}",
        "X-Sim-Tokens: " + tokens,
        "X-Sim-Token-Delay: 100ms");
    assertThat(connection.head().status()).isEqualTo(200);
    assertThat(connection.chunk()).isNotEmpty();
  }

  /** SIGTERM, and it ends with 0 before Docker would lose its patience. */
  private void stops() {
    Duration told = clock.now().steady();
    swapgate.terminate();
    CommandLine.End end = swapgate.end();
    assertThat(end.exitCode()).as(end.said()).isZero();
    assertThat(clock.now().steady().minus(told)).isLessThan(DOCKERS_PATIENCE);
  }

  private void assertDoneOnceAfterTheNextStart(String id) throws IOException {
    swapgate = CommandLine.serve(folder, box.config(), box.admin());
    JsonNode job = admin.awaitEnd(id);
    assertThat(job.path("state").asText()).as("%s", job).isEqualTo("done");
    assertThat(job.path("attempts").asInt()).as("%s", job).isEqualTo(1);
    assertThat(job.path("files")).hasSize(2);
    admin.awaitChat(Place.VLLM);
    assertThat(box.journal().failedClaims()).isEmpty();
    assertThat(box.journal().overlaps()).isEmpty();
  }
}

package dev.swapgate.proxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The file is changed and the whole program is told to read it again, by SIGHUP. */
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class ReloadTest {

  @TempDir Path folder;
  private FakeBox box;
  private CommandLine swapgate;
  private AdminApi admin;

  @BeforeEach
  void serves() throws Exception {
    box = new FakeBox(folder, Map.of()).andNinfer();
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
  void whatMayChangeAppliesWithoutDroppingAStreamAndTheRestIsNamed() throws Exception {
    try (KeptConnection streaming = new KeptConnection(box.chat());
        KeptConnection other = new KeptConnection(box.chat())) {
      Chat.beginLongStream(streaming, Place.VLLM);
      box.config(
          "min_chat: 100ms", "min_chat: 150ms",
          "drain: 30s", "drain: 40s\n    models: {any: renamed}",
          "admin: {listen:", "admin: {hosts: [box.lan], listen:");

      awaitTold("read again: ");

      assertThat(told("read again: "))
          .contains("engines.vllm.drain 30s → 40s")
          .contains("policy.min_chat 100ms → 150ms")
          .contains("only after a restart: admin.hosts");
      assertThat(Chat.ask(other, Chat.OPENAI).body()).contains("\"renamed\"");
      Chat.assertEndsWhole(streaming);
    }
  }

  @Test
  void anotherEngineInTheFileIsServedAfterASwap() throws Exception {
    box.config("selected: vllm", "selected: ninfer");

    awaitTold("read again: ");

    admin.awaitChat(Place.NINFER);
    assertThat(box.journal().overlaps()).isEmpty();
  }

  @Test
  void aWrongFileChangesNothing() throws Exception {
    box.config("min_chat: 100ms", "min_chat: soon");

    signal();
    Await.until(
        () -> "the problem is told; it said " + swapgate.said(),
        AdminApi.PATIENCE,
        () -> swapgate.said().contains("policy.min_chat"));

    assertThat(swapgate.said()).contains("nothing was changed");
    try (KeptConnection client = new KeptConnection(box.chat())) {
      assertThat(Chat.ask(client, Chat.OPENAI).status()).isEqualTo(200);
    }
  }

  private void signal() {
    Program.signal(swapgate.pid(), "HUP");
  }

  private void awaitTold(String text) {
    signal();
    Await.until(
        () -> "it tells '" + text + "'; it said " + swapgate.said(),
        AdminApi.PATIENCE,
        () -> !told(text).isEmpty());
  }

  /** What the history tells. */
  private String told(String text) {
    for (JsonNode event : admin.get("/api/v1/history").path("history")) {
      if (event.path("detail").asText().contains(text)) {
        return event.path("detail").asText();
      }
    }
    return "";
  }
}

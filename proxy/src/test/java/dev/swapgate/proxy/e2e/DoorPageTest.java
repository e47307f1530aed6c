package dev.swapgate.proxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.backends.sim.ComfyGraph;
import dev.swapgate.proxy.page.Browser;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** ComfyUI's own port in a real browser, and for a program, with the whole program behind it. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class DoorPageTest {
  /** Some fifteen seconds of an answer, for a browser takes its time. */
  private static final int A_TOKEN_MILLIS = 300;

  @TempDir Path folder;
  private URI door;

  private Path config(FakeBox box, String idle) throws Exception {
    int port = Simulators.freePorts(1).getFirst();
    door = URI.create("http://127.0.0.1:" + port);
    return box.config(
        "    generation: 100s",
        "    generation: 100s\n    door: 127.0.0.1:" + port + "\n    door_idle: " + idle);
  }

  @Test
  void aBrowserWakesItAndATabThatIsLeftOpenLosesTheCard() throws Exception {
    try (FakeBox box = new FakeBox(folder, Map.of());
        Browser browser = Browser.open(folder.resolve("profile"));
        CommandLine swapgate = CommandLine.serve(folder, config(box, "6s"), box.admin());
        AdminApi admin = new AdminApi(box.admin(), swapgate::said);
        KeptConnection reader = new KeptConnection(box.chat())) {
      admin.awaitChat(Place.VLLM);
      DoorTab tab = new DoorTab(browser, door);
      tab.show();
      tab.awaitText("comfyui sleeps");
      Chat.beginStream(reader, Place.VLLM, A_TOKEN_MILLIS);
      tab.show();
      tab.awaitText("One answer under way is finished first");
      assertThat(browser.complaints).filteredOn(one -> !one.contains("503")).isEmpty();
      tab.wake();
      tab.awaitText("comfyui is being woken");
      tab.awaitText("answers of the chat engine finish: 1");
      Chat.assertEndsWhole(reader);

      tab.awaitComfyUi();

      admin.awaitChat(Place.VLLM);
      browser.await(DoorTab.SOCKET + " === 'closed'");
      // Meanwhile it would have opened its socket ten times.
      browser.run("new Promise(done => setTimeout(() => done(1), 3000))");
      assertThat(admin.status().path("chat_open").asBoolean()).isTrue();
      assertThat(admin.get("/api/v1/leases").path("leases")).isEmpty();

      // Somebody else wakes it: the tab is there again.
      admin.post("leases", "{\"backend\":\"comfyui\",\"for\":\"1m\"}");
      browser.await(DoorTab.SOCKET + " === 'open'");
      assertThat(box.journal().failedClaims()).isEmpty();
      assertThat(box.journal().overlaps()).isEmpty();
    }
  }

  /** As {@link DoorIT} has it with real containers. */
  @Test
  void openWebUiMakesItsPicturesThroughASleepingDoor() throws Exception {
    try (FakeBox box = new FakeBox(folder, Map.of());
        CommandLine swapgate = CommandLine.serve(folder, config(box, "10m"), box.admin());
        AdminApi admin = new AdminApi(box.admin(), swapgate::said);
        KeptConnection reader = new KeptConnection(box.chat())) {
      admin.awaitChat(Place.VLLM);
      Chat.beginLongStream(reader, Place.VLLM);
      try (OpenWebUi openWebUi = new OpenWebUi(door, "a")) {
        assertThat(openWebUi.makes(SwapIT.workflow()))
            .containsExactlyInAnyOrder(
                ComfyGraph.expectedFile(SwapIT.workflow(), "8", 0),
                ComfyGraph.expectedFile(SwapIT.workflow(), "9", 0));
      }
      Chat.assertEndsWhole(reader);
      admin.delete("leases/" + admin.get("/api/v1/leases").at("/leases/0/id").asText());
      admin.awaitChat(Place.VLLM);
    }
  }
}

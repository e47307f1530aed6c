package dev.swapgate.proxy.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.swapgate.gate.core.JobRequest;
import dev.swapgate.proxy.AdminSide;
import dev.swapgate.proxy.workflows.Pictures;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Submitting a file of one's own from the dashboard, in a real browser. */
class OwnFileFormTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Its seed is none that a browser's numbers can hold. */
  private static final String GRAPH =
      "{\"6\":{\"class_type\":\"CLIPTextEncode\",\"inputs\":{\"text\":\"NaN, \\\"is_changed\\\":1\"}},"
          + "\"3\":{\"class_type\":\"KSampler\",\"inputs\":{\"seed\":18446744073709551615}}}";

  @TempDir Path folder;
  private Browser browser;
  private AdminSide side;

  @BeforeEach
  void openTheForm() throws Exception {
    browser = Browser.open(folder.resolve("profile"));
    side = new AdminSide(folder, false);
    browser.show("http://127.0.0.1:" + side.port() + "/");
    browser.await("document.getElementById('headline').innerText === 'Chat waits'");
    choose();
  }

  @AfterEach
  void close() {
    side.close();
    browser.close();
  }

  private void choose() throws Exception {
    browser.run("document.getElementById('submit-open').click()");
    browser.await("document.getElementById('submit').open");
    browser.run(
        "(() => { const box = document.getElementById('submit-backend'); box.value = 'comfyui';"
            + " box.dispatchEvent(new Event('change')); })()");
  }

  private void put(String input, String name, byte[] content) throws Exception {
    browser.run(
        "(() => { const all = new DataTransfer(); all.items.add(new File([Uint8Array.from(atob('"
            + Base64.getEncoder().encodeToString(content)
            + "'), (one) => one.charCodeAt(0))], '"
            + name
            + "')); document.getElementById('"
            + input
            + "').files = all.files; })()");
  }

  private String submit() throws Exception {
    browser.run("document.getElementById('told').replaceChildren()");
    browser.run("document.querySelector('#submit .go').click()");
    browser.await("document.getElementById('told').innerText !== ''");
    return browser.run("document.getElementById('told').innerText").asText();
  }

  private void assertAccepted(String graph) throws Exception {
    assertThat(submit()).contains("is accepted");
    assertThat(JSON.readTree(side.gate.requests.getLast().json())).isEqualTo(JSON.readTree(graph));
  }

  @Test
  void aWorkflowComesFromAFileOrAnyOfComfyUisPictures() throws Exception {
    String noted = GRAPH.replace("}}}", "},\"is_changed\":[NaN]}}");
    String first = GRAPH.replace("{\"class_type\":\"K", "{\"is_changed\":NaN,\"class_type\":\"K");
    for (byte[] content :
        List.of(
            GRAPH.getBytes(StandardCharsets.UTF_8),
            Pictures.png(Pictures.text("workflow", "{}"), Pictures.text("prompt", noted)),
            Pictures.png(Pictures.packed("prompt", first)),
            Pictures.png(Pictures.international("prompt", noted, false)),
            Pictures.png(Pictures.international("prompt", GRAPH, true)))) {
      put("submit-file", "any", content);
      assertAccepted(GRAPH);
      choose();
    }
    put(
        "submit-file",
        "any",
        Pictures.png(Pictures.international("prompt", GRAPH.replace("NaN", "東京 NaN"), false)));
    assertAccepted(GRAPH.replace("NaN", "東京 NaN"));
  }

  @Test
  void aPictureWithoutAWorkflowIsRefusedInWords() throws Exception {
    put("submit-file", "any", Pictures.png());
    assertThat(submit()).contains("has no workflow in it");
    choose();
    put("submit-file", "any", Pictures.png(Pictures.text("workflow", "{}")));
    assertThat(submit()).contains("only the editor's form");
    assertThat(side.gate.requests).isEmpty();
  }

  @Test
  void filesGoAlong() throws Exception {
    put("submit-file", "any", GRAPH.getBytes(StandardCharsets.UTF_8));
    put("submit-along", "face.png", new byte[] {1, 2, 3});
    browser.run("document.getElementById('submit-set').value = '10.image=face.png'");
    assertAccepted(GRAPH);

    JobRequest request = side.gate.requests.getLast();
    assertThat(request.set()).isEqualTo(Map.of("10.image", "face.png"));
    assertThat(request.attachments()).singleElement();
    JobRequest.Attachment file = request.attachments().getFirst();
    assertThat(file.name()).isEqualTo("face.png");
    assertThat(Files.readAllBytes(Path.of(file.path()))).containsExactly(1, 2, 3);
  }
}

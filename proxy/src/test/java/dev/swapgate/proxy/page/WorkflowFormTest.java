package dev.swapgate.proxy.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.proxy.AdminSide;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Submitting a named workflow from the dashboard, in a real browser. */
class WorkflowFormTest {
  @TempDir Path folder;

  @Test
  void offersANamedWorkflowWithAFieldForEachInput() throws Exception {
    try (Browser browser = Browser.open(folder.resolve("profile"));
        AdminSide side = new AdminSide(folder, false)) {
      browser.show("http://127.0.0.1:" + side.port() + "/");
      browser.await("document.getElementById('headline').innerText === 'Chat waits'");

      browser.run("document.getElementById('submit-open').click()");
      browser.await("document.getElementById('submit').open");
      assertThat(browser.run("document.getElementById('submit-backend').innerText").asText())
          .contains("portrait", "comfyui");
      assertThat(browser.run("document.getElementById('submit-own').hidden").asBoolean()).isTrue();
      assertThat(browser.run("document.querySelector('[data-input=seed]').value").asText())
          .isEqualTo("7");
      browser.run("document.querySelector('[data-input=prompt]').value = 'a <b>barn</b>'");
      browser.run("document.querySelector('#submit .go').click()");
      browser.await("document.getElementById('told').innerText.includes('is accepted')");

      assertThat(side.gate.requests.getFirst().set())
          .isEqualTo(Map.of("6.text", "a <b>barn</b>", "6.seed", "7"));
    }
  }

  @Test
  void asksForAFileWhereABackendIsChosen() throws Exception {
    try (Browser browser = Browser.open(folder.resolve("profile"));
        AdminSide side = new AdminSide(folder, false)) {
      browser.show("http://127.0.0.1:" + side.port() + "/");
      browser.await("document.getElementById('headline').innerText === 'Chat waits'");
      browser.run("document.getElementById('submit-open').click()");
      browser.await("document.getElementById('submit').open");

      browser.run(
          "(() => { const box = document.getElementById('submit-backend'); box.value = 'comfyui';"
              + " box.dispatchEvent(new Event('change')); })()");

      assertThat(browser.run("document.getElementById('submit-own').hidden").asBoolean()).isFalse();
      assertThat(browser.run("document.getElementById('submit-inputs').innerText").asText())
          .isEmpty();
      assertThat(browser.run("document.getElementById('submit-file').required").asBoolean())
          .isTrue();
    }
  }
}

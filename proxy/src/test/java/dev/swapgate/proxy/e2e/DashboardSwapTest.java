package dev.swapgate.proxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.proxy.page.Browser;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole swap as its owner sees it in a browser, and a swapgate that is killed and comes back. */
class DashboardSwapTest {
  private static final String HEADLINE = "document.getElementById('headline').innerText";
  private static final String LINK = "document.getElementById('link').className";

  @TempDir Path folder;

  @Test
  void showsASwapFromItsBeginningToThePictureAndComesBackAfterAKill() throws Exception {
    try (FakeBox box = new FakeBox(folder, Map.of("SIM_STEP_TIME", "300ms")).andNinfer();
        Browser browser = Browser.open(folder.resolve("profile"))) {
      try (CommandLine swapgate = box.serve();
          AdminApi admin = new AdminApi(box.admin(), swapgate::said)) {
        admin.awaitChat(Place.VLLM);
        browser.show(box.admin() + "/");
        browser.await(LINK + " === 'live' && " + HEADLINE + " === 'Chat is open'");
        browser.run(
            "window.phases = new Set(); setInterval(() => { for (const e of"
                + " document.querySelectorAll('#facts dd')) phases.add(e.innerText); }, 20)");

        admin.submit(Place.COMFYUI, "workflow", SwapIT.workflow());
        browser.await(HEADLINE + " === 'Chat waits'");
        browser.await("document.getElementById('until').innerText.startsWith('Until about')");
        browser.await("document.querySelector('#swap-steps [aria-current]')");
        browser.await("document.querySelector('#queue progress')?.value > 0");
        browser.await("document.querySelector('#ended img').naturalWidth > 0");
        browser.await(HEADLINE + " === 'Chat is open'");
        browser.await("document.querySelectorAll('#swaps tbody tr').length === 1");
        assertThat(browser.run("[...phases].join()").asText())
            .contains("stopping engine", "starting media", "running", "restoring");
        assertThat(browser.run("document.getElementById('swaps').innerText").asText())
            .contains("GiB");

        assertTellsNobodysWords(box, browser, admin, swapgate);

        browser.run("document.querySelector('[data-key=\"select ninfer\"]').click()");
        browser.await("document.getElementById('confirm').open");
        browser.run("document.getElementById('confirm-yes').click()");
        browser.await(HEADLINE + " === 'Chat waits'");
        browser.await(HEADLINE + " === 'Chat is open'");
        assertThat(admin.status().path("owner").asText()).isEqualTo("ninfer");
        browser.await("document.querySelector('[data-key=\"select vllm\"]')");

        swapgate.kill();
        browser.await(LINK + " === 'lost'");
      }
      try (CommandLine again = CommandLine.serve(folder, box.config(), box.admin())) {
        browser.await(LINK + " === 'live' && " + HEADLINE + " === 'Chat is open'");
        browser.await("document.querySelectorAll('#swaps tbody tr').length === 2");
        assertThat(again.isAlive()).isTrue();
      }
    }
  }

  /** Neither what was asked nor what was answered, neither the token. */
  private static void assertTellsNobodysWords(
      FakeBox box, Browser browser, AdminApi admin, CommandLine swapgate) throws Exception {
    String asked = "xyzzy-plugh";
    try (HttpClient client = HttpClient.newHttpClient()) {
      String body =
          "{\"model\":\"any\",\"messages\":[{\"role\":\"user\",\"content\":\"" + asked + "\"}]}";
      HttpRequest chat =
          HttpRequest.newBuilder(box.chat().resolve(Chat.OPENAI))
              .POST(HttpRequest.BodyPublishers.ofString(body))
              .build();
      String answer = client.send(chat, HttpResponse.BodyHandlers.ofString()).body();
      String reply = AdminApi.parse(answer).at("/choices/0/message/content").asText();
      assertThat(reply).isNotBlank();
      HttpRequest scrape = HttpRequest.newBuilder(box.admin().resolve("/metrics")).build();
      String metrics = client.send(scrape, HttpResponse.BodyHandlers.ofString()).body();
      assertThat(metrics).contains("swapgate_chat_open");

      String prompt = "a turnstile in the morning sun";
      assertThat(SwapIT.workflow()).contains(prompt);
      for (String place :
          List.of(
              browser.run("document.documentElement.outerHTML").asText(),
              metrics,
              admin.get("/api/v1/history").toString(),
              swapgate.said())) {
        assertThat(place).doesNotContain(asked, reply, prompt, box.token());
      }
    }
  }
}

package dev.swapgate.proxy.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.GateEvent;
import dev.swapgate.gate.core.Job;
import dev.swapgate.gate.core.JobRequest;
import dev.swapgate.proxy.AdminSide;
import dev.swapgate.proxy.RecordedGate;
import dev.swapgate.proxy.Views;
import io.undertow.Undertow;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The dashboard before a recorded gate, in a real browser. */
class PageTest {
  private static final String HOSTILE = "\"><img src=x onerror=window.hit=1><script>hit=1</script>";
  private static final String LIVE = "document.getElementById('link').className === 'live'";

  @TempDir Path folder;
  private Browser browser;
  private AdminSide side;

  @BeforeEach
  void open() throws Exception {
    browser = Browser.open(folder.resolve("profile"));
  }

  @AfterEach
  void close() {
    browser.close();
    if (side != null) {
      side.close();
    }
  }

  private void show(boolean tokenRequired) throws Exception {
    side = new AdminSide(folder, tokenRequired);
    browser.show("http://127.0.0.1:" + side.port() + "/");
  }

  private void job(String id, Job.State state, String error, List<String> files) {
    Job queued =
        new Job(
            new Job.Id(id),
            new Backend.Id("comfyui"),
            "shape",
            Job.State.QUEUED,
            0,
            Optional.empty(),
            RecordedGate.THEN,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            "",
            List.of());
    Job job =
        switch (state) {
          case QUEUED -> queued;
          case RUNNING -> queued.attempted(new Job.Ticket("t"), RecordedGate.THEN);
          case DONE, FAILED, CANCELLED -> queued.ended(state, error, files, RecordedGate.THEN);
        };
    side.store.insert(job, new JobRequest("{}", Map.of(), List.of()), "");
  }

  private String text(String selector) throws Exception {
    return browser.run("document.querySelector('" + selector + "').innerText").asText();
  }

  @Test
  void showsWhyChatWaitsAndUntilWhen() throws Exception {
    show(false);
    browser.await(LIVE);
    browser.await("document.getElementById('headline').innerText === 'Chat waits'");

    assertThat(text("#until")).matches("Until about \\d\\d:\\d\\d, in \\d min \\d\\d s\\.");
    assertThat(text("#reason")).isEqualTo("a job of comfyui runs");
    assertThat(text("#backends")).contains("vllm", "8 min 00 s", "comfyui");

    assertThat(text("[data-key=\"lease comfyui\"]")).isEqualTo("Lease …");

    side.gate.view = Views.degraded("vllm exited with code 1");
    side.gate.tellChanged();
    browser.await("document.getElementById('headline').innerText === 'Chat cannot be served'");
    assertThat(text("#reason")).isEqualTo("vllm exited with code 1");

    side.gate.view = Views.open();
    side.gate.tellChanged();
    browser.await("document.getElementById('headline').innerText === 'Chat is open'");
    browser.await("document.querySelector('[data-key=\"lease comfyui\"]') === null");
    assertThat(browser.run("document.title").asText()).isEqualTo("Chat is open · swapgate");
  }

  @Test
  void showsHowFarAJobHasCome() throws Exception {
    show(false);
    job("j1", Job.State.RUNNING, "", List.of());
    side.gate.view = Views.working("j1", 0.25);
    browser.show("http://127.0.0.1:" + side.port() + "/");
    browser.await("document.querySelector('#queue progress')?.value === 0.25");
    assertThat(AdminSide.json(side.get("/api/v1/jobs/j1")).get("progress").doubleValue())
        .isEqualTo(0.25);

    side.gate.view = Views.working("j1", 0.5);
    side.gate.tellChanged();

    browser.await("document.querySelector('#queue .meter').innerText.includes('50 %')");
  }

  @Test
  void whatComesFromOutsideStaysText() throws Exception {
    show(false);
    job("j1", Job.State.FAILED, HOSTILE, List.of(HOSTILE + ".png", HOSTILE + ".svg"));
    side.store.addHistory(RecordedGate.THEN, HOSTILE, HOSTILE, "", HOSTILE);
    side.gate.view = Views.degraded(HOSTILE);
    browser.show("http://127.0.0.1:" + side.port() + "/");
    browser.await("document.querySelector('#ended .why').innerText.includes('onerror')");
    side.gate.tell(
        new GateEvent(RecordedGate.THEN, GateEvent.Level.ERROR, "job", HOSTILE, HOSTILE, HOSTILE));
    browser.await("document.getElementById('log').children.length === 2");

    assertThat(text("#reason")).isEqualTo(HOSTILE);
    assertThat(text("#log")).contains(HOSTILE);
    assertThat(browser.run("typeof window.hit").asText()).isEqualTo("undefined");
    assertThat(browser.run("document.querySelectorAll('main script, [onerror]').length").intValue())
        .isZero();
    assertThat(browser.asked)
        .allMatch(address -> address.startsWith("http://127.0.0.1:" + side.port() + "/"));
  }

  @Test
  void showsWhatIsSetAsideOfFallbackProvidersAndClearsIt() throws Exception {
    show(false);
    browser.await(LIVE);
    assertThat(browser.run("document.getElementById('fallback').hidden").asBoolean()).isTrue();
    side.fallback.add(
        Map.of(
            "name", "openrouter",
            "url", "openrouter.ai",
            "state", "cooling",
            "cooldown", "openrouter",
            "kind", "limit",
            "why", "429, a rate limit",
            "left_seconds", 42,
            "until", "2027-01-31T12:00:42Z",
            "keys", List.of(Map.of("name", "first", "key", "…1234")),
            "models", List.of(Map.of("name", HOSTILE, "cooldown", "m", "why", HOSTILE))));
    side.gate.tellChanged();

    browser.await("document.querySelectorAll('#providers tbody tr').length === 3");
    assertThat(text("#providers"))
        .contains("openrouter.ai", "429, a rate limit", "key first", "…1234", HOSTILE);
    assertThat(browser.run("typeof window.hit").asText()).isEqualTo("undefined");
    browser.run("document.querySelector('[data-key=\"clear openrouter\"]').click()");
    browser.await("document.getElementById('confirm').open");
    browser.run("document.getElementById('confirm-yes').click()");
    browser.await("document.getElementById('fallback').hidden");
    assertThat(browser.complaints).isEmpty();
  }

  @Test
  void asksBeforeItActsAndLeavesWhatIsLeft() throws Exception {
    show(false);
    job("j1", Job.State.QUEUED, "", List.of());
    browser.show("http://127.0.0.1:" + side.port() + "/");
    browser.await("document.querySelector('#queue button')");

    browser.run("document.querySelector('#queue button').click()");
    browser.await("document.getElementById('confirm').open");
    assertThat(text("#confirm-title")).isEqualTo("Cancel job j1?");
    browser.run("document.querySelector('#confirm [value=no]').click()");
    browser.await("!document.getElementById('confirm').open");
    assertThat(side.gate.asked()).isEmpty();

    browser.run("document.querySelector('#queue button').click()");
    confirm();
    browser.await("document.getElementById('told').innerText === 'Job j1 is cancelled.'");
    browser.run("document.getElementById('maintenance').click()");
    confirm();
    browser.await("document.getElementById('told').innerText === 'Maintenance has begun.'");
    browser.run("document.querySelector('[data-key=\"lease comfyui\"]').click()");
    browser.await("document.getElementById('lease').open");
    browser.run("document.querySelector('#lease [value=yes]').click()");
    browser.await("document.getElementById('told').innerText === 'The card is leased.'");
    assertThat(side.gate.asked())
        .containsExactly("cancel j1", "maintenance true", "lease comfyui PT30M");
  }

  private void confirm() throws Exception {
    browser.await("document.getElementById('confirm').open");
    browser.run("document.getElementById('confirm-yes').click()");
  }

  @Test
  void leavesAButtonInPlaceWhileThingsChangeElsewhere() throws Exception {
    show(false);
    job("j1", Job.State.QUEUED, "", List.of());
    browser.show("http://127.0.0.1:" + side.port() + "/");
    browser.await("document.querySelector('#queue button')");
    browser.run("window.before = [...document.querySelectorAll('#queue button, table button')]");

    side.gate.view = Views.swap(dev.swapgate.gate.core.Phase.FREEING, "comfyui", 0, 50, 100);
    side.gate.tellChanged();
    browser.await("document.getElementById('facts').innerText.includes('freeing')");

    assertThat(browser.run("before[0].isConnected").booleanValue()).isTrue();
  }

  @Test
  void asksForTheTokenAndKeepsItInThisTabOnly() throws Exception {
    show(true);
    browser.await("document.getElementById('token').open");
    assertThat(text("#backends")).isEmpty();
    give("wrong-token-of-somebody");
    browser.await("document.getElementById('token-wrong').innerText.includes('not the right one')");

    give(AdminSide.TOKEN);

    browser.await(LIVE);
    browser.await("document.getElementById('headline').innerText === 'Chat waits'");
    assertThat(browser.run("document.cookie").asText()).isEmpty();
    assertThat(browser.run("localStorage.length").intValue()).isZero();
    assertThat(browser.run("document.documentElement.outerHTML").asText())
        .doesNotContain(AdminSide.TOKEN);
    assertThat(browser.asked).noneMatch(address -> address.contains(AdminSide.TOKEN));
  }

  private void give(String token) throws Exception {
    browser.await("document.getElementById('token').open");
    browser.run("document.getElementById('token-value').value = '" + token + "'");
    browser.run("document.querySelector('#token button').click()");
  }

  @Test
  void aPageOfAnotherOriginCanNeitherActNorRead() throws Exception {
    side = new AdminSide(folder, false);
    Undertow other =
        Undertow.builder()
            .addHttpListener(
                0,
                "127.0.0.1",
                exchange -> {
                  exchange
                      .getResponseHeaders()
                      .put(io.undertow.util.Headers.CONTENT_TYPE, "text/html");
                  exchange.getResponseSender().send("<!doctype html><title>evil</title>");
                })
            .build();
    other.start();
    try {
      int port = ((InetSocketAddress) other.getListenerInfo().getFirst().getAddress()).getPort();
      for (String host : List.of("127.0.0.1", "localhost")) {
        browser.show("http://" + host + ":" + port + "/");
        browser.await("document.title === 'evil'");
        String api = "http://127.0.0.1:" + side.port() + "/api/v1/";
        assertThat(tried("POST", api + "maintenance", "text/plain", "no-cors"))
            .doesNotContain("on");
        assertThat(tried("POST", api + "maintenance", "application/json", "cors"))
            .isEqualTo("TypeError");
        assertThat(tried("GET", api + "status", "", "cors")).isEqualTo("TypeError");
        assertThat(tried("DELETE", api + "leases/l1", "", "cors")).isEqualTo("TypeError");
        assertThat(framed("http://127.0.0.1:" + side.port() + "/")).isEqualTo("nothing");
      }
    } finally {
      other.stop();
    }
    assertThat(side.gate.asked()).isEmpty();
  }

  private String tried(String method, String address, String type, String mode) throws Exception {
    return browser
        .run(
            "fetch('%s', {method: '%s', mode: '%s'%s}).then(r => r.text(), e => e.name)"
                .formatted(
                    address,
                    method,
                    mode,
                    type.isEmpty()
                        ? ""
                        : ", body: '{\"on\":true}', headers: {'Content-Type': '" + type + "'}"))
        .asText();
  }

  /** What a frame of that address lets its owner see. */
  private String framed(String address) throws Exception {
    return browser
        .run(
            "new Promise(done => { const f = document.createElement('iframe'); f.src = '"
                + address
                + "'; f.onload = () => { try { done(f.contentDocument === null ? 'nothing'"
                + " : f.contentDocument.body.innerText || 'nothing'); } catch { done('nothing'); } };"
                + " document.body.append(f); })")
        .asText();
  }

  @Test
  void fitsAPhoneAndHasANameForEachControl() throws Exception {
    show(false);
    job("j1", Job.State.QUEUED, "", List.of());
    job("j2", Job.State.FAILED, "x".repeat(300), List.of("a".repeat(200) + ".wav"));
    side.store.addHistory(RecordedGate.THEN, "job", "comfyui", "j2", "y".repeat(400));
    for (boolean dark : new boolean[] {false, true}) {
      browser.look(390, 844, dark);
      browser.show("http://127.0.0.1:" + side.port() + "/");
      browser.await("document.querySelector('#ended .why')");

      assertThat(browser.run("document.documentElement.scrollWidth").intValue())
          .isLessThanOrEqualTo(390);
      assertThat(browser.run(contrast("#reason")).doubleValue()).isGreaterThanOrEqualTo(4.5);
      assertThat(browser.run(contrast("#ended .why")).doubleValue()).isGreaterThanOrEqualTo(4.5);
    }
    assertThat(
            browser
                .run(
                    "[...document.querySelectorAll('button, input, select, textarea')].filter(e =>"
                        + " !(e.getAttribute('aria-label') || e.innerText || e.textContent"
                        + " || e.labels?.length)).length")
                .intValue())
        .isZero();
    assertThat(browser.complaints).isEmpty();
  }

  /** The ratio of WCAG between a text and the paper. */
  private static String contrast(String selector) {
    return "(() => { const l = c => { const p = c.match(/[\\d.]+/g).slice(0, 3).map(v => { v /= 255;"
        + " return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });"
        + " return 0.2126 * p[0] + 0.7152 * p[1] + 0.0722 * p[2]; };"
        + " const a = l(getComputedStyle(document.querySelector('"
        + selector
        + "')).color), b = l(getComputedStyle(document.body).backgroundColor);"
        + " return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05); })()";
  }
}

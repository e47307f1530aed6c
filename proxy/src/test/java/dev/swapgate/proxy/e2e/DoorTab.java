package dev.swapgate.proxy.e2e;

import dev.swapgate.proxy.page.Browser;
import java.net.URI;
import java.time.Duration;

/** A browser's tab at the door of ComfyUI, whose page goes and comes. */
record DoorTab(Browser browser, URI door) {
  /** What ComfyUI's own page says of its WebSocket. */
  static final String SOCKET = "document.getElementById('socket').innerText";

  private static final String TEXT = "document.body.innerText";

  void show() throws Exception {
    browser.show(door + "/?from=a%20link");
  }

  void awaitText(String part) {
    awaitPage(TEXT, part);
  }

  void wake() throws Exception {
    browser.run("document.querySelector('button').click()");
  }

  /** The page of the server behind, which works, at the address that was asked for. */
  void awaitComfyUi() throws Exception {
    awaitPage("document.title", "ComfyUI");
    awaitPage(SOCKET, "open");
    if (!browser.run("location.search").asText().equals("?from=a%20link")) {
      throw new AssertionError("it is at " + browser.run("location.href"));
    }
  }

  /** The page goes and comes meanwhile, and what was asked of it with it. */
  private void awaitPage(String expression, String part) {
    Await.until(
        () -> expression + " has '" + part + "', not: " + shown(expression),
        Duration.ofSeconds(60),
        () -> shown(expression).contains(part));
  }

  private String shown(String expression) {
    try {
      return browser.run(expression).asText();
    } catch (Exception | AssertionError e) {
      return "nothing: " + e;
    }
  }
}

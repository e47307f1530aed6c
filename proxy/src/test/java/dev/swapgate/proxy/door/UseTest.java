package dev.swapgate.proxy.door;

import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.proxy.http.Field;
import dev.swapgate.proxy.http.RequestHead;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who is taken for a person, for a program, and for a page that nobody looks at. */
class UseTest {
  private static final String CHROME =
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0";

  private static Use use(String method, boolean webSocket, String... headers) {
    List<Field> fields = new ArrayList<>();
    for (int i = 0; i < headers.length; i += 2) {
      fields.add(new Field(headers[i], headers[i + 1]));
    }
    return Use.of(new RequestHead(method, "/x", fields), webSocket);
  }

  private static Use browser(String method, String... headers) {
    List<String> all =
        new ArrayList<>(List.of("User-Agent", CHROME, "Accept-Language", "de,en;q=0.9"));
    all.addAll(List.of(headers));
    return use(method, false, all.toArray(String[]::new));
  }

  @Test
  void programsArePrograms() {
    assertThat(use("GET", true)).as("Open WebUI's WebSocket").isEqualTo(Use.PROGRAM);
    assertThat(use("POST", false, "User-Agent", "Mozilla/5.0", "Authorization", "Bearer x"))
        .as("Open WebUI's prompt")
        .isEqualTo(Use.PROGRAM);
    assertThat(use("GET", false, "User-Agent", "curl/8.5.0", "Accept", "*/*"))
        .isEqualTo(Use.PROGRAM);
    assertThat(
            use(
                "GET",
                false,
                "User-Agent",
                "node",
                "Accept-Language",
                "*",
                "Sec-Fetch-Mode",
                "cors"))
        .as("Node's fetch")
        .isEqualTo(Use.PROGRAM);
  }

  @Test
  void aPersonOpensLooksAndPresses() {
    assertThat(browser("GET", "Accept", "text/html,*/*", "Sec-Fetch-Mode", "navigate"))
        .isEqualTo(Use.EYE);
    assertThat(browser("GET", "Accept", "text/html,*/*")).as("no loopback").isEqualTo(Use.EYE);
    assertThat(browser("GET", "Accept", "image/avif,image/webp,*/*")).isEqualTo(Use.EYE);
    assertThat(browser("GET", "Accept", "*/*", "Sec-Fetch-Dest", "video")).isEqualTo(Use.EYE);
    assertThat(browser("POST", "Sec-Fetch-Mode", "cors", "Sec-Fetch-Site", "same-origin"))
        .isEqualTo(Use.HAND);
    assertThat(browser("DELETE")).isEqualTo(Use.HAND);
  }

  @Test
  void whatAPageAsksByItselfCountsForNothing() {
    assertThat(browser("GET", "Accept", "*/*", "Sec-Fetch-Mode", "cors", "Sec-Fetch-Dest", "empty"))
        .as("a poll")
        .isEqualTo(Use.ITSELF);
    assertThat(browser("GET", "Accept", "application/json")).isEqualTo(Use.ITSELF);
    assertThat(use("GET", true, "User-Agent", CHROME, "Accept-Language", "en"))
        .as("its WebSocket")
        .isEqualTo(Use.ITSELF);
    assertThat(Use.ITSELF.wakes() || Use.ITSELF.keeps()).isFalse();
    assertThat(Use.EYE.wakes()).isFalse();
  }

  /** A page elsewhere could hold a hidden frame that it loads again and again. */
  @Test
  void whomAnotherSiteSentHereCountsForNothing() {
    assertThat(
            browser(
                "GET",
                "Accept",
                "text/html",
                "Sec-Fetch-Mode",
                "navigate",
                "Sec-Fetch-Site",
                "cross-site"))
        .isEqualTo(Use.ITSELF);
  }
}

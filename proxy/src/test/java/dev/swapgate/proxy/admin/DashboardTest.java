package dev.swapgate.proxy.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.proxy.AdminSide;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page comes whole, from here alone, and no page of another origin gets it to act. */
class DashboardTest {
  @TempDir Path folder;
  private AdminSide side;

  @BeforeEach
  void open() {
    side = new AdminSide(folder, true);
  }

  @AfterEach
  void close() {
    side.close();
  }

  private HttpResponse<String> page(String path) throws Exception {
    return side.send(side.at(path).header("Accept", "text/html,*/*;q=0.8"));
  }

  private static String header(HttpResponse<String> response, String name) {
    return response.headers().firstValue(name).orElse("");
  }

  @Test
  void isAPageForBrowsersAndTextForOthers() throws Exception {
    assertThat(header(page("/"), "Content-Type")).isEqualTo("text/html; charset=utf-8");
    assertThat(page("/").body()).startsWith("<!doctype html>");
    assertThat(side.get("/").body()).startsWith("swapgate 0.1.0");
  }

  @Test
  void needsNoTokenAndTellsNothingThatNeedsOne() throws Exception {
    assertThat(page("/").statusCode()).isEqualTo(200);
    assertThat(page("/").body()).doesNotContain("comfyui").doesNotContain(AdminSide.TOKEN);
    assertThat(side.get("/api/v1/status").statusCode()).isEqualTo(401);
    assertThat(side.get("/api/v1/events").statusCode()).isEqualTo(401);
  }

  @Test
  void mayLoadNothingFromElsewhereAndRunNothingInline() throws Exception {
    HttpResponse<String> page = page("/");

    assertThat(header(page, "Content-Security-Policy"))
        .contains("default-src 'none'", "script-src 'self'", "style-src 'self'")
        .contains("frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'")
        .doesNotContain("unsafe");
    assertThat(page.body())
        .doesNotContainPattern("(?i)\\son[a-z]+=|style=|javascript:|https?://|<script>|<style");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "page.css",
        "page.js",
        "api.js",
        "draw.js",
        "card.js",
        "jobs.js",
        "fallback.js",
        "workflows.js",
        "ownfile.js",
        "actions.js"
      })
  void hasPartsOfTheRightKindThatMakeNoMarkupOfTexts(String part) throws Exception {
    HttpResponse<String> file = side.get("/dashboard/" + part);

    assertThat(file.statusCode()).isEqualTo(200);
    assertThat(header(file, "Content-Type"))
        .startsWith(part.endsWith(".css") ? "text/css" : "text/javascript");
    assertThat(header(file, "X-Content-Type-Options")).isEqualTo("nosniff");
    assertThat(file.body())
        .doesNotContainPattern("innerHTML|outerHTML|insertAdjacentHTML|document.write|eval\\(")
        .doesNotContainPattern("https?://|url\\(|@import");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/dashboard/",
        "/dashboard/nothing.js",
        "/dashboard/../logback.xml",
        "/dashboard/..%2flogback.xml",
        "/dashboard//page.js"
      })
  void hasNothingElse(String path) throws Exception {
    assertThat(side.raw("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n"))
        .matches("(400|401|404)");
  }

  @Test
  void isNotShownUnderAForeignNameOrToAForeignPage() throws Exception {
    assertThat(side.raw("GET / HTTP/1.1\r\nHost: evil.example\r\nAccept: text/html\r\n\r\n"))
        .isEqualTo("421");
    assertThat(
            side.raw(
                "GET /dashboard/page.js HTTP/1.1\r\nHost: localhost\r\n"
                    + "Sec-Fetch-Site: cross-site\r\n\r\n"))
        .isEqualTo("403");
    assertThat(side.raw("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"))
        .isEqualTo("405");
  }

  @Test
  void isAsLargeAsAPhoneLikes() throws Exception {
    int bytes = 0;
    for (String path :
        new String[] {
          "/", "/dashboard/page.css", "/dashboard/page.js", "/dashboard/card.js",
          "/dashboard/api.js", "/dashboard/draw.js", "/dashboard/jobs.js", "/dashboard/fallback.js",
          "/dashboard/actions.js"
        }) {
      bytes += page(path).body().getBytes(StandardCharsets.UTF_8).length;
    }
    assertThat(bytes).isLessThan(100_000);
  }
}

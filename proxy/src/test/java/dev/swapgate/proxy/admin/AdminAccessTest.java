package dev.swapgate.proxy.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.proxy.AdminSide;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who may ask the admin side: by name, by origin, by token. */
class AdminAccessTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1:8485, 200",
    "localhost, 200",
    "LOCALHOST:1, 200",
    "[::1]:8485, 200",
    "box.lan:9000, 200",
    "evil.example, 421",
    "127.0.0.1.evil.example, 421",
    "localhost.evil.example:8485, 421",
    "0.0.0.0:8485, 421",
    "169.254.169.254, 421",
  })
  void answersOnlyToItsNames(String host, String status) throws Exception {
    try (AdminSide side = new AdminSide(folder, false)) {
      assertThat(side.raw("GET /api/v1/status HTTP/1.1\r\nHost: " + host + "\r\n\r\n"))
          .isEqualTo(status);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "Origin: http://127.0.0.1:8485, 200",
    "Origin: http://localhost:8485, 200",
    "Origin: http://box.lan:8485, 200",
    "Origin: null, 403",
    "Origin: http://evil.example, 403",
    "Origin: http://localhost:3000, 403",
    "Origin: http://127.0.0.1:8485.evil.example, 403",
    "Origin: http://127.0.0.1:8485@evil.example, 403",
    "Origin: file://, 403",
    "Sec-Fetch-Site: same-origin, 200",
    "Sec-Fetch-Site: none, 200",
    "Sec-Fetch-Site: same-site, 403",
    "Sec-Fetch-Site: cross-site, 403",
  })
  void refusesPagesOfOtherOrigins(String header, String status) throws Exception {
    try (AdminSide side = new AdminSide(folder, false)) {
      String body = "{\"engine\":\"vllm\"}";

      String answered =
          side.raw(
              "POST /api/v1/select HTTP/1.1\r\nHost: 127.0.0.1:8485\r\n"
                  + header
                  + "\r\nContent-Type: application/json\r\nContent-Length: "
                  + body.length()
                  + "\r\n\r\n"
                  + body);

      assertThat(answered).isEqualTo(status);
      assertThat(side.gate.asked()).hasSize(status.equals("200") ? 1 : 0);
    }
  }

  @Test
  void aLinkFromElsewhereMayBeFollowedButNotReadByAPage() throws Exception {
    try (AdminSide side = new AdminSide(folder, false)) {
      String start = "GET / HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: cross-site\r\n";

      assertThat(side.raw(start + "Sec-Fetch-Mode: navigate\r\n\r\n")).isEqualTo("200");
      assertThat(side.raw(start + "Sec-Fetch-Mode: no-cors\r\n\r\n")).isEqualTo("403");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "text/plain, 415",
    "application/x-www-form-urlencoded, 415",
    "multipart/form-data; boundary=x, 415",
    "application/json; charset=utf-8, 200"
  })
  void takesOnlyJson(String type, int status) throws Exception {
    try (AdminSide side = new AdminSide(folder, false)) {
      var request =
          side.at("/api/v1/select")
              .header("Content-Type", type)
              .POST(java.net.http.HttpRequest.BodyPublishers.ofString("{\"engine\":\"vllm\"}"));

      assertThat(side.send(request).statusCode()).isEqualTo(status);
    }
  }

  @Test
  void refusesABodyThatIsTooLarge() throws Exception {
    try (AdminSide side = new AdminSide(folder, false)) {
      assertThat(
              side.raw(
                  "POST /api/v1/select HTTP/1.1\r\nHost: localhost\r\n"
                      + "Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{"))
          .isEqualTo("413");
    }
  }

  @Test
  void onLoopbackATokenIsNotNeededButAWrongOneNeverPasses() throws Exception {
    try (AdminSide side = new AdminSide(folder, false)) {
      assertThat(side.get("/api/v1/status").statusCode()).isEqualTo(200);
      assertThat(status(side, AdminSide.TOKEN)).isEqualTo(200);
      assertThat(status(side, "wrong")).isEqualTo(401);
    }
  }

  @Test
  void beyondLoopbackNothingOfTheApiIsToldWithoutTheToken() throws Exception {
    try (AdminSide side = new AdminSide(folder, true)) {
      var refused = side.get("/api/v1/status");

      assertThat(refused.statusCode()).isEqualTo(401);
      assertThat(refused.headers().firstValue("WWW-Authenticate")).isPresent();
      assertThat(side.get("/api/v1/nothing").statusCode()).isEqualTo(401);
      assertThat(side.get("/api/v1/status?token=" + AdminSide.TOKEN).statusCode()).isEqualTo(401);
      assertThat(status(side, AdminSide.TOKEN)).isEqualTo(200);
      assertThat(side.get("/healthz").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void whoGuessesTokensHasToWait() throws Exception {
    try (AdminSide side = new AdminSide(folder, true)) {
      for (int guess = 0; guess < 10; guess++) {
        assertThat(status(side, "guess-" + guess)).isEqualTo(401);
      }
      assertThat(status(side, "guess-10")).isEqualTo(429);
      assertThat(status(side, AdminSide.TOKEN)).isEqualTo(429);

      side.steady = side.steady.plus(Duration.ofMinutes(1));

      assertThat(status(side, AdminSide.TOKEN)).isEqualTo(200);
    }
  }

  @Test
  void tellsBrowsersToTakeNothingForGranted() throws Exception {
    try (AdminSide side = new AdminSide(folder, false)) {
      var headers = side.get("/api/v1/status").headers();

      assertThat(headers.firstValue("X-Content-Type-Options")).hasValue("nosniff");
      assertThat(headers.firstValue("Cache-Control")).hasValue("no-store");
      assertThat(headers.firstValue("Referrer-Policy")).hasValue("no-referrer");
      assertThat(headers.firstValue("Content-Security-Policy").orElse(""))
          .contains("frame-ancestors 'none'");
      assertThat(headers.map().keySet()).noneMatch(name -> name.startsWith("access-control"));
    }
  }

  @Test
  void makesATokenOnceAndForItsOwnerOnly() throws Exception {
    Path file = folder.resolve("admin.token");

    String made = AdminToken.readOrCreate(file);

    assertThat(made).hasSizeGreaterThan(40);
    assertThat(Files.getPosixFilePermissions(file))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    assertThat(AdminToken.readOrCreate(file)).isEqualTo(made);
  }

  @Test
  void narrowsATokenThatOthersCouldRead() throws Exception {
    Path file = folder.resolve("admin.token");
    Files.writeString(file, "0123456789abcdef0123\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));

    assertThat(AdminToken.readOrCreate(file)).isEqualTo("0123456789abcdef0123");
    assertThat(Files.getPosixFilePermissions(file))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
  }

  private static int status(AdminSide side, String token) throws Exception {
    return side.send(side.at("/api/v1/status").header("Authorization", "Bearer " + token))
        .statusCode();
  }
}

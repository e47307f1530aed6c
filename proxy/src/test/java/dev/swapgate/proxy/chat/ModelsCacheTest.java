package dev.swapgate.proxy.chat;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients drop a model whose list is refused; so it is remembered. */
class ModelsCacheTest {
  private static final String LIST = "{\"object\":\"list\",\"data\":[{\"id\":\"qwen\"}]}";

  @TempDir Path stateDir;

  private Street street() throws Exception {
    return new Street(Duration.ZERO, Map.of(), ChatSettings.Limits.standard(), stateDir);
  }

  private static Wire.Message get(Wire client, String path) throws Exception {
    return client.send("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n").message();
  }

  private void learn(Street street, String path) throws Exception {
    try (Wire client = street.client()) {
      client.send("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n");
      Wire engine = street.engine.next();
      engine.message();
      engine.send(
          "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n"
              + "Content-Length: "
              + LIST.length()
              + "\r\n\r\n"
              + LIST);
      client.message();
    }
  }

  @Test
  void theLastListIsGivenOutDuringASwapAndAfterARestart() throws Exception {
    try (Street street = street()) {
      street.gate.open();
      learn(street, "/v1/models");
      learn(street, "/v1/models/qwen");
      street.gate.shut();
      try (Wire client = street.client()) {
        Wire.Message known = get(client, "/v1/models");
        assertThat(known.status()).isEqualTo(200);
        assertThat(known.value("Content-Type")).isEqualTo("application/json");
        assertThat(known.value("X-Swapgate-Answered-By")).isEqualTo("gate");
        assertThat(known.text()).isEqualTo(LIST);
        assertThat(get(client, "/as/cline/v1/models/qwen").text()).isEqualTo(LIST);
        assertThat(get(client, "/props").status()).isEqualTo(429);
      }
      Path file = stateDir.resolve("models-cache.json");
      street.until(
          () -> Files.exists(file) && contains(file, "/v1/models/qwen"), "the file is written");
    }
    try (Street again = street();
        Wire client = again.client()) {
      assertThat(get(client, "/v1/models").text()).isEqualTo(LIST);
    }
  }

  @Test
  void anUnreadableFileIsAsGoodAsNone() throws Exception {
    Files.writeString(stateDir.resolve("models-cache.json"), "{not json");
    try (Street street = street();
        Wire client = street.client()) {
      assertThat(get(client, "/v1/models").status()).isEqualTo(429);
    }
  }

  private static boolean contains(Path file, String text) {
    try {
      return Files.readString(file).contains(text);
    } catch (java.io.IOException e) {
      return false;
    }
  }
}

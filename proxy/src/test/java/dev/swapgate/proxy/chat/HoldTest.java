package dev.swapgate.proxy.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.gate.core.GateView;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests that wait silently instead of being refused. */
class HoldTest {
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

  private Street street;

  @BeforeEach
  void open() throws Exception {
    ChatSettings.Limits limits =
        new ChatSettings.Limits(
            1 << 20, 8 << 20, Duration.ofSeconds(30), 20, Duration.ofSeconds(60));
    street =
        new Street(Duration.ofSeconds(50), Map.of(), limits, Files.createTempDirectory("chat"));
  }

  @AfterEach
  void close() throws Exception {
    street.close();
  }

  private Wire ask(String path) throws Exception {
    return street
        .client()
        .send("POST " + path + " HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi");
  }

  @Test
  void aHeldRequestIsAnsweredByTheEngineOnceItIsBack() throws Exception {
    try (Wire client = ask("/as/hold/v1/x")) {
      street.until(() -> street.chat.held() == 1, "one is held");
      assertThat(client.in.available()).as("bytes sent to a held client").isZero();
      assertThat(street.gate.turnstile().inside()).isZero();
      street.gate.open();
      Wire engine = street.engine.next();
      assertThat(engine.message().text()).isEqualTo("hi");
      engine.send(OK);

      assertThat(client.message().text()).isEqualTo("ok");
      assertThat(street.chat.held()).isZero();
    }
  }

  @Test
  void manyAreLetThroughAndNoneIsLost() throws Exception {
    List<Wire> clients = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      clients.add(ask("/as/short+hold/v1/x"));
    }
    street.until(() -> street.chat.held() == 20, "all are held");
    street.gate.open();
    for (int i = 0; i < 20; i++) {
      Wire engine = street.engine.next();
      engine.message();
      engine.send(OK.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"));
    }
    for (Wire client : clients) {
      assertThat(client.message().status()).isEqualTo(200);
      client.close();
    }
  }

  @Test
  void theEndOfAHoldIsARefusalWithWhatIsLeftThen() throws Exception {
    try (Wire client = ask("/as/hold/v1/x")) {
      street.until(() -> street.chat.held() == 1, "one is held");
      street.gate.left = Duration.ofSeconds(100);
      street.clock.forward(Duration.ofSeconds(51));

      Wire.Message answer = client.message();
      assertThat(answer.status()).isEqualTo(429);
      assertThat(answer.value("Retry-After")).isEqualTo("100");
    }
  }

  @Test
  void theTailOfASwapIsHeldForEveryone() throws Exception {
    street.gate.left = Duration.ofSeconds(40);
    try (Wire client = ask("/v1/x")) {
      street.until(() -> street.chat.held() == 1, "one is held");
      street.gate.open();
      Wire engine = street.engine.next();
      engine.message();
      engine.send(OK);
      assertThat(client.message().status()).isEqualTo(200);
    }
  }

  @Test
  void aDegradedGateHoldsNobody() throws Exception {
    street.gate.left = Duration.ofSeconds(40);
    street.gate.refusal = GateView.Refusal.DEGRADED;
    try (Wire client = ask("/as/hold/v1/x")) {
      assertThat(client.message().status()).isEqualTo(503);
    }
  }

  @Test
  void moreThanTheLimitAreRefusedAtOnce() throws Exception {
    List<Wire> clients = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      clients.add(ask("/as/hold/v1/x"));
    }
    street.until(() -> street.chat.held() == 20, "all are held");
    try (Wire client = ask("/as/hold/v1/x")) {
      assertThat(client.message().status()).isEqualTo(429);
    }
    for (Wire client : clients) {
      client.close();
    }
  }

  @Test
  void aClientThatLeavesGivesItsPlaceBack() throws Exception {
    Wire client = ask("/as/hold/v1/x");
    street.until(() -> street.chat.held() == 1, "one is held");
    client.close();
    street.until(() -> street.chat.held() == 0, "none is held");
    assertThat(street.engine.waiting()).isZero();
  }
}

package dev.swapgate.proxy.chat;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Connections to the engine are kept for a moment, and a request is never worked on twice. */
class KeepAliveTest {
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
  private static final String POST =
      "POST /v1/x HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi";

  private Street street;
  private Wire client;

  @BeforeEach
  void open() throws Exception {
    street = new Street();
    street.gate.open();
    client = street.client();
  }

  @AfterEach
  void close() throws Exception {
    client.close();
    street.close();
  }

  private Wire kept() throws Exception {
    client.send(POST);
    Wire engine = street.engine.next();
    engine.message();
    engine.send(OK);
    client.message();
    return engine;
  }

  @Test
  void aConnectionIsUsedAgain() throws Exception {
    Wire engine = kept();
    client.send(POST);

    assertThat(engine.message().text()).isEqualTo("hi");
    assertThat(street.engine.waiting()).isZero();
  }

  @Test
  void oneThatTheEngineClosesIsNotUsed() throws Exception {
    Wire engine = kept();
    engine.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
    engine.close();
    client.send(POST);

    assertThat(street.engine.next().message().text()).isEqualTo("hi");
  }

  @Test
  void theRaceOfReuseAndCloseIsNeverSeenByAClient() throws Exception {
    for (int i = 0; i < 60; i++) {
      Wire engine = kept();
      client.send(POST);
      if (i % 2 == 0) {
        engine.reset();
      } else {
        engine.close();
      }
      Wire fresh = street.engine.next();
      assertThat(fresh.message().text()).isEqualTo("hi");
      fresh.send(OK.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"));
      assertThat(client.message().status()).as("race %d", i).isEqualTo(200);
      assertThat(street.engine.waiting()).isZero();
    }
  }

  @Test
  void itIsSentAgainOnlyOnce() throws Exception {
    Wire engine = kept();
    client.send(POST);
    engine.message();
    engine.close();
    Wire fresh = street.engine.next();
    fresh.message();
    fresh.close();

    assertThat(client.message().status()).isEqualTo(502);
    assertThat(street.engine.waiting()).isZero();
  }

  @Test
  void anEngineThatHadTimeToThinkIsNotAskedAgain() throws Exception {
    Wire engine = kept();
    client.send(POST);
    engine.message();
    street.clock.forward(Duration.ofMillis(100));
    engine.close();

    assertThat(client.message().status()).isEqualTo(502);
    assertThat(street.engine.waiting()).isZero();
  }

  @Test
  void anAnswerThatHadBegunIsNotAskedForAgain() throws Exception {
    Wire engine = kept();
    client.send(POST);
    engine.message();
    engine.send("HTTP/1.1 2").close();

    assertThat(client.message().status()).isEqualTo(502);
    assertThat(street.engine.waiting()).isZero();
  }
}

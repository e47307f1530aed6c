package dev.swapgate.proxy.chat;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Odd, large and slow requests stop at the door. */
class DoorTest {
  private static final int MIB = 1 << 20;

  private Street street;

  @BeforeEach
  void open() throws Exception {
    ChatSettings.Limits limits =
        new ChatSettings.Limits(
            MIB, MIB + MIB / 2, Duration.ofSeconds(30), 10, Duration.ofSeconds(60));
    street = new Street(Duration.ZERO, Map.of(), limits, Files.createTempDirectory("chat"));
    street.gate.open();
  }

  @AfterEach
  void close() throws Exception {
    street.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n",
        "TRACE / HTTP/1.1\r\nHost: a\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \"chunked\"\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n"
            + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: identity\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n"
            + "0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\nx",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\nx",
        "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nX : y\r\n\r\n",
        "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nExpect: tea\r\nContent-Length: 1\r\n\r\nx",
        "GET / HTTP/1.1\r\n\r\n"
      })
  void whatTwoServersCouldReadDifferentlyReachesNoEngine(String request) throws Exception {
    try (Wire client = street.client()) {
      client.send(request);
      client.socket.shutdownOutput();
      try {
        assertThat(client.message().status()).isBetween(400, 499);
      } catch (IOException e) {
        assertThat(client.ended()).as("closed without an answer").isIn(true, false);
      }
      assertThat(street.engine.waiting()).as("connections to the engine").isZero();
    }
  }

  @Test
  void aBodyAboveTheLimitIsToldSoAndTheConnectionKept() throws Exception {
    try (Wire client = street.client()) {
      client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + 2 * MIB + "\r\n\r\n");
      client.send(new byte[2 * MIB]);
      Wire.Message tooLarge = client.message();
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
      Wire engine = street.engine.next();
      engine.message();
      engine.send("HTTP/1.1 204 No Content\r\n\r\n");

      assertThat(tooLarge.status()).isEqualTo(413);
      assertThat(tooLarge.text()).contains("1048576 bytes");
      assertThat(client.message().status()).isEqualTo(204);
    }
  }

  @Test
  void aBodyFarAboveTheLimitIsNotRead() throws Exception {
    try (Wire client = street.client()) {
      client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + 50 * MIB + "\r\n\r\n");

      assertThat(client.message().status()).isEqualTo(413);
      client.ended();
    }
  }

  @Test
  void aSlowBodyIsGivenUp() throws Exception {
    try (Wire client = street.client()) {
      client.send(
          "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n");
      assertThat(client.head().status()).isEqualTo(100);
      client.send("abc");
      street.clock.forward(Duration.ofSeconds(31));

      assertThat(client.message().status()).isEqualTo(408);
      client.ended();
    }
  }

  @Test
  void bodiesBeyondTheBudgetAreRefusedAndItsRoomComesBack() throws Exception {
    try (Wire first = street.client();
        Wire second = street.client()) {
      first.send("POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: " + MIB + "\r\n\r\n");
      first.send(new byte[MIB - 1]);
      street.until(() -> street.chat.bufferedBytes() >= MIB - 1, "the first body is in memory");
      second.send("POST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: " + MIB + "\r\n\r\n");
      second.send(new byte[MIB]);
      Wire.Message refused = second.message();
      first.send(new byte[1]);
      Wire engine = street.engine.next();
      engine.message();
      engine.send("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n");
      assertThat(first.message().status()).isEqualTo(204);
      second.send("POST /3 HTTP/1.1\r\nHost: a\r\nContent-Length: " + MIB + "\r\n\r\n");
      second.send(new byte[MIB]);

      assertThat(refused.status()).isEqualTo(429);
      assertThat(refused.value("Retry-After")).isEqualTo("174");
      assertThat(street.engine.next().head().start()).startsWith("POST /3 ");
    }
  }

  @Test
  void aHeadBeyondTheLimitIsRefused() throws Exception {
    try (Wire client = street.client()) {
      client.send("GET / HTTP/1.1\r\nHost: a\r\nX: " + "y".repeat(40_000) + "\r\n\r\n");
      try {
        assertThat(client.message().status()).isBetween(400, 499);
      } catch (IOException e) {
        assertThat(client.ended()).isIn(true, false);
      }
      assertThat(street.engine.waiting()).isZero();
    }
  }
}

package dev.swapgate.proxy.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Streams arrive event by event, and a broken one never looks like a whole one. */
class StreamingTest {
  private static final String EVENTS =
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n"
          + "Transfer-Encoding: chunked\r\n\r\n";

  private Street street;
  private Wire client;
  private Wire engine;

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

  private void ask(String path) throws Exception {
    client.send("POST " + path + " HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}");
    engine = street.engine.next();
    engine.message();
  }

  private static String chunk(String data) {
    return Integer.toHexString(data.length()) + "\r\n" + data + "\r\n";
  }

  @Test
  void headersAndEachEventArriveBeforeTheNextIsSent() throws Exception {
    ask("/v1/chat/completions");
    engine.send(EVENTS);
    assertThat(client.head().value("Content-Type")).startsWith("text/event-stream");
    for (int i = 0; i < 20; i++) {
      String event = "data: {\"n\":" + i + "}\n\n";
      engine.send(chunk(event));
      assertThat(client.chunk()).isEqualTo(event);
    }
    engine.send("0\r\n\r\n");
    assertThat(client.chunk()).isEmpty();
    assertThat(client.lines()).isEmpty();
  }

  @Test
  void halfALineWaitsForItsOtherHalf() throws Exception {
    ask("/v1/chat/completions");
    engine.send(EVENTS + chunk("data: {\"a\":1}\n\ndata: {\"b"));
    client.head();
    assertThat(client.chunk()).isEqualTo("data: {\"a\":1}\n\n");
    engine.send(chunk("\":2}\n\n"));
    assertThat(client.chunk()).isEqualTo("data: {\"b\":2}\n\n");
    engine.send(chunk("no newline at the end") + "0\r\n\r\n");
    assertThat(client.chunk()).isEqualTo("no newline at the end");
    assertThat(client.chunk()).isEmpty();
  }

  @Test
  void aSlowReaderGetsEverythingInTheEnd() throws Exception {
    ask("/v1/x");
    int size = 8 * 1024 * 1024;
    engine.send("HTTP/1.1 200 OK\r\nContent-Length: " + size + "\r\n\r\n");
    Thread sender =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    engine.send(new byte[size]);
                  } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                  }
                });
    client.head();
    assertThat(client.in.readNBytes(size)).hasSize(size);
    sender.join();
  }

  @Nested
  class WhenTheEngineDies {

    @Test
    void eventsEndWithAnErrorAtAnEventBoundary() throws Exception {
      ask("/v1/chat/completions");
      engine.send(EVENTS + chunk("data: {\"a\":1}\n\ndata: {\"unfin"));
      client.head();
      assertThat(client.chunk()).isEqualTo("data: {\"a\":1}\n\n");
      engine.reset();

      assertThat(client.chunk())
          .startsWith("event: error\ndata: {\"error\":{\"message\":")
          .contains("\"code\":\"engine_failed\"")
          .endsWith("}}\n\n");
      assertThatThrownBy(client::chunk).isInstanceOf(IOException.class);
    }

    @Test
    void anEventWithoutItsBlankLineIsEndedFirst() throws Exception {
      ask("/v1/chat/completions");
      engine.send(EVENTS + chunk("data: {\"a\":1}\n"));
      client.head();
      assertThat(client.chunk()).isEqualTo("data: {\"a\":1}\n");
      engine.close();

      assertThat(client.chunk()).startsWith("\nevent: error\ndata: {");
    }

    @Test
    void theErrorIsARateLimitWhenTheGateKnowsOfTheDeath() throws Exception {
      ask("/v1/chat/completions");
      engine.send(EVENTS + chunk("data: {\"a\":1}\n\n"));
      client.head();
      client.chunk();
      engine.close();
      street.gate.shut();

      assertThat(client.chunk())
          .contains("\"code\":\"rate_limit_exceeded\"")
          .contains("\"retry_after\":174");
    }

    @Test
    void anthropicStreamsGetTheirOwnError() throws Exception {
      ask("/v1/messages");
      engine.send(EVENTS + chunk("event: message_start\ndata: {}\n\n"));
      client.head();
      client.chunk();
      engine.close();

      assertThat(client.chunk())
          .startsWith("event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"api_error\"");
    }

    @Test
    void linesOfJsonEndWithAnErrorLine() throws Exception {
      ask("/api/chat");
      engine.send(
          "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n"
              + "Transfer-Encoding: chunked\r\n\r\n"
              + chunk("{\"done\":false}\n{\"half"));
      client.head();
      assertThat(client.chunk()).isEqualTo("{\"done\":false}\n");
      engine.close();

      assertThat(client.chunk()).startsWith("{\"error\":\"").endsWith("}\n");
      assertThatThrownBy(client::chunk).isInstanceOf(IOException.class);
    }

    @Test
    void anyOtherChunkedBodyIsBrokenOff() throws Exception {
      ask("/v1/x");
      engine.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk("half"));
      client.head();
      assertThat(client.chunk()).isEqualTo("half");
      engine.close();

      assertThatThrownBy(client::chunk).isInstanceOf(IOException.class);
    }

    @Test
    void aBodyOfKnownLengthStaysShort() throws Exception {
      ask("/v1/x");
      engine.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf");
      client.head();
      engine.close();

      assertThat(client.in.readAllBytes()).hasSize(4);
    }

    @Test
    void anHttp10ClientSeesAReset() throws Exception {
      client.send("GET /v1/x HTTP/1.0\r\n\r\n");
      engine = street.engine.next();
      engine.message();
      engine.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk("half"));
      client.head();
      assertThat(client.in.readNBytes(4)).asString().isEqualTo("half");
      engine.close();

      assertThat(client.ended()).as("an orderly end").isFalse();
    }

    @Test
    void nothingSentYetIsABadGateway() throws Exception {
      ask("/v1/x");
      engine.close();

      Wire.Message answer = client.message();
      assertThat(answer.status()).isEqualTo(502);
      assertThat(answer.text()).contains("\"code\":\"engine_failed\"");
      assertThat(answer.value("X-Swapgate-Answered-By")).isEqualTo("gate");
    }

    @Test
    void nothingSentYetIsTheHonestRefusalOnceTheGateKnows() throws Exception {
      ask("/v1/x");
      engine.close();
      street.gate.shut();

      Wire.Message answer = client.message();
      assertThat(answer.status()).isEqualTo(429);
      assertThat(answer.value("Retry-After")).isEqualTo("174");
    }

    @Test
    void anAnswerThatIsNoHttpIsABadGateway() throws Exception {
      for (String odd :
          new String[] {
            "HTTP/1.1 200 OK\nContent-Length: 2\n\nok",
            "ICY 200 OK\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: xchunked\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n",
            "HTTP/1.1 200 OK\r\nA : b\r\n\r\n",
            "HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n"
          }) {
        ask("/v1/x");
        engine.send(odd).close();

        assertThat(client.message().status()).as(odd).isEqualTo(502);
      }
    }

    @Test
    void theTicketIsGivenBack() throws Exception {
      ask("/v1/chat/completions");
      engine.send(EVENTS + chunk("data: 1\n\n"));
      client.head();
      street.gate.shut();
      engine.close();
      client.ended();

      street.gate.emptied.get(10, TimeUnit.SECONDS);
      assertThat(street.gate.turnstile().inside()).isZero();
    }
  }

  @Nested
  class WhenTheDrainIsOver {

    @Test
    void aStreamEndsVisiblyAndTheEngineIsLetGo() throws Exception {
      ask("/v1/chat/completions");
      engine.send(EVENTS + chunk("data: {\"a\":1}\n\n"));
      client.head();
      client.chunk();
      street.gate.shut();
      street.gate.cut(240);

      assertThat(client.chunk())
          .startsWith("event: error\n")
          .contains("\"code\":\"rate_limit_exceeded\"")
          .contains("\"retry_after\":240");
      engine.ended();
      street.gate.emptied.get(10, TimeUnit.SECONDS);
    }

    @Test
    void aRequestInPrefillGetsTheRefusal() throws Exception {
      ask("/v1/messages");
      street.gate.shut();
      street.gate.cut(240);

      Wire.Message answer = client.message();
      assertThat(answer.status()).isEqualTo(429);
      assertThat(answer.value("Retry-After")).isEqualTo("240");
      assertThat(answer.text()).startsWith("{\"type\":\"error\"");
      engine.ended();
      street.gate.emptied.get(10, TimeUnit.SECONDS);
    }
  }

  @Nested
  class WhenTheClientLeaves {

    @Test
    void theEngineIsLetGoInPrefill() throws Exception {
      ask("/v1/chat/completions");
      street.gate.shut();
      var left = street.clock.now().steady();
      client.close();
      engine.ended();

      assertThat(street.clock.now().steady().minus(left)).isLessThan(Duration.ofSeconds(1));
      street.gate.emptied.get(10, TimeUnit.SECONDS);
    }

    @Test
    void aResetIsSeenToo() throws Exception {
      ask("/v1/chat/completions");
      street.gate.shut();
      client.reset();
      engine.ended();

      street.gate.emptied.get(10, TimeUnit.SECONDS);
    }

    @Test
    void theEngineIsLetGoBetweenEvents() throws Exception {
      ask("/v1/chat/completions");
      engine.send(EVENTS + chunk("data: 1\n\n"));
      client.head();
      street.gate.shut();
      client.close();
      engine.ended();

      street.gate.emptied.get(10, TimeUnit.SECONDS);
    }
  }
}

package dev.swapgate.proxy.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.proxy.http.Field;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What goes in comes out: on the wire, byte by byte, on both sides. */
class ForwardingTest {
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

  private Street street;

  @BeforeEach
  void open() throws Exception {
    street = new Street();
    street.gate.open();
  }

  @AfterEach
  void close() throws Exception {
    street.close();
  }

  @Test
  void passesMethodTargetHeadersAndBody() throws Exception {
    try (Wire client = street.client()) {
      client.send(
          "PATCH /v1/a%2Fb;p=1/%20//c?x=%41&x=2&empty= HTTP/1.1\r\nHost: box.local\r\n"
              + "X-Twice: one\r\nAuthorization: Bearer k\r\nX-Twice: two\r\n"
              + "Connection: keep-alive, X-Mine\r\nX-Mine: hop\r\nTE: trailers\r\nKeep-Alive: 5\r\n"
              + "X-Forwarded-For: 10.0.0.1\r\nContent-Length: 5\r\n\r\nhello");
      Wire engine = street.engine.next();
      Wire.Message request = engine.message();
      engine.send(OK);
      Wire.Message answer = client.message();

      assertThat(request.start()).isEqualTo("PATCH /v1/a%2Fb;p=1/%20//c?x=%41&x=2&empty= HTTP/1.1");
      assertThat(request.values("X-Twice")).containsExactly("one", "two");
      assertThat(request.value("Authorization")).isEqualTo("Bearer k");
      assertThat(request.value("Host")).isEqualTo("127.0.0.1:" + street.engine.port());
      assertThat(request.value("X-Forwarded-Host")).isEqualTo("box.local");
      assertThat(request.value("X-Forwarded-For")).isEqualTo("10.0.0.1, 127.0.0.1");
      assertThat(request.value("X-Forwarded-Proto")).isEqualTo("http");
      assertThat(request.value("Content-Length")).isEqualTo("5");
      assertThat(request.fields())
          .extracting(f -> f.name().toLowerCase(java.util.Locale.ROOT))
          .doesNotContain("connection", "x-mine", "te", "keep-alive", "transfer-encoding");
      assertThat(request.text()).isEqualTo("hello");
      assertThat(answer.text()).isEqualTo("ok");
      assertThat(answer.value("X-Swapgate-Answered-By")).isEqualTo("engine:vllm");
    }
  }

  @Test
  void passesStatusReasonAndHeadersOfAnyAnswer() throws Exception {
    try (Wire client = street.client()) {
      client.send("GET /v1/x HTTP/1.1\r\nHost: a\r\n\r\n");
      Wire engine = street.engine.next();
      engine.message();
      engine.send(
          "HTTP/1.1 429 Slow Down\r\nRetry-After: 7\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n"
              + "Server: uvicorn\r\nDate: Mon, 01 Jan 2026 00:00:00 GMT\r\nConnection: X-Hop\r\n"
              + "X-Hop: 1\r\nContent-Type: text/x\r\nContent-Length: 3\r\n\r\nno!");
      Wire.Message answer = client.message();

      assertThat(answer.start()).isEqualTo("HTTP/1.1 429 Slow Down");
      assertThat(answer.value("Retry-After")).isEqualTo("7");
      assertThat(answer.values("Set-Cookie")).containsExactly("a=1", "b=2");
      assertThat(answer.value("Server")).isEqualTo("uvicorn");
      assertThat(answer.value("Date")).isEqualTo("Mon, 01 Jan 2026 00:00:00 GMT");
      assertThat(answer.values("X-Hop")).isEmpty();
      assertThat(answer.value("X-Swapgate-Answered-By")).isEqualTo("engine:vllm");
      assertThat(answer.text()).isEqualTo("no!");
    }
  }

  @Test
  void aGetWithoutBodyHasNoLengthAndAPostWithoutOneHasZero() throws Exception {
    try (Wire client = street.client()) {
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
      Wire engine = street.engine.next();
      Wire.Message get = engine.message();
      engine.send(OK);
      client.message();
      client.send("POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
      Wire.Message post = engine.message();
      engine.send(OK);
      client.message();

      assertThat(get.values("Content-Length")).isEmpty();
      assertThat(post.value("Content-Length")).isEqualTo("0");
    }
  }

  @Test
  void aChunkedRequestArrivesWithOneLength() throws Exception {
    try (Wire client = street.client()) {
      client.send(
          "POST /v1/x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
              + "3\r\nabc\r\n4;ext=1\r\ndefg\r\n0\r\nX-Trailer: 1\r\n\r\n");
      Wire engine = street.engine.next();
      Wire.Message request = engine.message();
      engine.send(OK);
      client.message();

      assertThat(request.value("Content-Length")).isEqualTo("7");
      assertThat(request.values("Transfer-Encoding")).isEmpty();
      assertThat(request.text()).isEqualTo("abcdefg");
    }
  }

  @Test
  void twentyMegabytesPassBothWays() throws Exception {
    byte[] body = new byte[20 * 1024 * 1024];
    new Random(7).nextBytes(body);
    try (Wire client = street.client()) {
      Thread sender =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      client.send(
                          "POST /v1/x HTTP/1.1\r\nHost: a\r\nContent-Length: "
                              + body.length
                              + "\r\n\r\n");
                      client.send(body);
                    } catch (java.io.IOException e) {
                      throw new java.io.UncheckedIOException(e);
                    }
                  });
      Wire engine = street.engine.next();
      Wire.Message request = engine.message();
      sender.join();
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  engine.send("HTTP/1.1 200 OK\r\nContent-Length: " + body.length + "\r\n\r\n");
                  engine.send(body);
                } catch (java.io.IOException e) {
                  throw new java.io.UncheckedIOException(e);
                }
              });
      Wire.Message answer = client.message();

      assertThat(java.util.Arrays.equals(request.body(), body)).isTrue();
      assertThat(java.util.Arrays.equals(answer.body(), body)).isTrue();
    }
  }

  @Test
  void answersExpectItselfAndDoesNotPassItOn() throws Exception {
    try (Wire client = street.client()) {
      client.send(
          "POST /v1/x HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
      assertThat(client.head().start()).startsWith("HTTP/1.1 100");
      client.send("hi");
      Wire engine = street.engine.next();
      Wire.Message request = engine.message();
      engine.send(OK);

      assertThat(request.values("Expect")).isEmpty();
      assertThat(request.text()).isEqualTo("hi");
      assertThat(client.message().status()).isEqualTo(200);
    }
  }

  @Test
  void passesEarlyHintsButKeepsContinueToItself() throws Exception {
    try (Wire client = street.client()) {
      client.send("GET /v1/x HTTP/1.1\r\nHost: a\r\n\r\n");
      Wire engine = street.engine.next();
      engine.message();
      engine.send("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n");
      engine.send(OK);

      Wire.Message hints = client.head();
      assertThat(hints.start()).isEqualTo("HTTP/1.1 103 Early Hints");
      assertThat(hints.value("Link")).isEqualTo("</x>");
      assertThat(client.message().text()).isEqualTo("ok");
    }
  }

  @Test
  void headHasHeadersAndNoBody() throws Exception {
    try (Wire client = street.client()) {
      client.send("HEAD /v1/x HTTP/1.1\r\nHost: a\r\n\r\n");
      Wire engine = street.engine.next();
      assertThat(engine.message().start()).startsWith("HEAD ");
      engine.send("HTTP/1.1 200 OK\r\nContent-Length: 1234\r\n\r\n");
      Wire.Message answer = client.message(true);
      client.send("GET /v1/y HTTP/1.1\r\nHost: a\r\n\r\n");
      engine.message();
      engine.send(OK);

      assertThat(answer.value("Content-Length")).isEqualTo("1234");
      assertThat(client.message().text()).isEqualTo("ok");
    }
  }

  @Test
  void answersWithoutBodyKeepTheConnection() throws Exception {
    try (Wire client = street.client()) {
      Wire engine = null;
      for (String status : List.of("204 No Content", "304 Not Modified", "200 OK")) {
        client.send("DELETE /v1/x HTTP/1.1\r\nHost: a\r\n\r\n");
        engine = engine == null ? street.engine.next() : engine;
        engine.message();
        String length = status.startsWith("200") ? "Content-Length: 0\r\n" : "";
        engine.send("HTTP/1.1 " + status + "\r\n" + length + "ETag: \"a\"\r\n\r\n");
        Wire.Message answer = client.message();

        assertThat(answer.start()).isEqualTo("HTTP/1.1 " + status);
        assertThat(answer.value("ETag")).isEqualTo("\"a\"");
        assertThat(answer.body()).isEmpty();
      }
    }
  }

  @Test
  void trailersOfAChunkedAnswerArrive() throws Exception {
    try (Wire client = street.client()) {
      client.send("GET /v1/x HTTP/1.1\r\nHost: a\r\n\r\n");
      Wire engine = street.engine.next();
      engine.message();
      engine.send(
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n"
              + "2\r\nok\r\n0\r\nX-Sum: 42\r\n\r\n");
      Wire.Message answer = client.message();

      assertThat(answer.text()).isEqualTo("ok");
      assertThat(answer.trailers()).containsExactly(new Field("X-Sum", "42"));
    }
  }

  @Test
  void aBodyThatEndsWithTheConnectionIsPassed() throws Exception {
    try (Wire client = street.client()) {
      client.send("GET /v1/x HTTP/1.1\r\nHost: a\r\n\r\n");
      Wire engine = street.engine.next();
      engine.message();
      engine.send("HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nall of it").close();

      assertThat(client.message().text()).isEqualTo("all of it");
    }
  }

  @Test
  void servesHttp10AndClosesAfterIt() throws Exception {
    try (Wire client = street.client()) {
      client.send("GET /v1/x HTTP/1.0\r\n\r\n");
      Wire engine = street.engine.next();
      assertThat(engine.message().start()).isEqualTo("GET /v1/x HTTP/1.1");
      engine.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n");

      assertThat(client.message().text()).isEqualTo("ok");
    }
  }

  @Test
  void anAbsoluteFormIsReducedToItsPath() throws Exception {
    try (Wire client = street.client()) {
      client.send("GET http://other.example/v1/x?q=1 HTTP/1.1\r\nHost: a\r\n\r\n");
      Wire engine = street.engine.next();
      Wire.Message request = engine.message();
      engine.send(OK);
      client.message();

      assertThat(request.start()).isEqualTo("GET /v1/x?q=1 HTTP/1.1");
      assertThat(request.value("Host")).isEqualTo("127.0.0.1:" + street.engine.port());
    }
  }

  @Test
  void pipelinedRequestsAreAnsweredInOrder() throws Exception {
    try (Wire client = street.client()) {
      client.send(
          "POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx"
              + "GET /2 HTTP/1.1\r\nHost: a\r\n\r\nGET /3 HTTP/1.1\r\nHost: a\r\n\r\n");
      Wire engine = street.engine.next();
      for (int i = 1; i <= 3; i++) {
        assertThat(engine.message().start()).contains(" /" + i + " ");
        engine.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n" + i);
        assertThat(client.message().text()).isEqualTo(Integer.toString(i));
      }
    }
  }

  @Test
  void anEngineThatRefusesEarlyIsHeard() throws Exception {
    try (Wire client = street.client()) {
      byte[] body = new byte[8 * 1024 * 1024];
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  client.send(
                      "POST /v1/x HTTP/1.1\r\nHost: a\r\nContent-Length: "
                          + body.length
                          + "\r\n\r\n");
                  client.send(body);
                } catch (java.io.IOException e) {
                  throw new java.io.UncheckedIOException(e);
                }
              });
      Wire engine = street.engine.next();
      engine.head();
      engine.send("HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nbig");

      Wire.Message answer = client.message();
      assertThat(answer.status()).isEqualTo(413);
      assertThat(answer.text()).isEqualTo("big");
    }
  }

  @Test
  void webSocketsAreATunnel() throws Exception {
    try (Wire client = street.client()) {
      client.send(
          "GET /ws HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
              + "Sec-WebSocket-Key: k\r\n\r\n");
      Wire engine = street.engine.next();
      Wire.Message request = engine.message();
      assertThat(request.value("Upgrade")).isEqualTo("websocket");
      assertThat(request.value("Sec-WebSocket-Key")).isEqualTo("k");
      engine.send(
          "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
              + "Sec-WebSocket-Accept: s\r\n\r\nfirst\n");
      Wire.Message answer = client.head();
      assertThat(answer.status()).isEqualTo(101);
      assertThat(answer.value("Sec-WebSocket-Accept")).isEqualTo("s");
      assertThat(client.line()).isEqualTo("first");
      client.send("ping\n");
      assertThat(engine.line()).isEqualTo("ping");
      engine.send("pong\n");
      assertThat(client.line()).isEqualTo("pong");
      assertThat(street.gate.turnstile().inside()).isEqualTo(1);
      street.gate.shut();
      client.close();
      engine.ended();
      street.gate.emptied.get(10, java.util.concurrent.TimeUnit.SECONDS);
    }
  }
}

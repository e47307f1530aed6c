package dev.swapgate.backends.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.swapgate.backends.settings.BackendSettings;
import dev.swapgate.backends.settings.ReadinessSettings;
import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.ProbeResult;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class HttpReadinessProbeTest {
  private static final Backend.Id ENGINE = new Backend.Id("vllm");
  private static final Duration PATIENT = Duration.ofSeconds(20);
  private static final Duration BRIEF = Duration.ofMillis(300);

  private AutoCloseable opened = () -> {};

  @AfterEach
  void close() throws Exception {
    opened.close();
  }

  private ProbeResult probe(String url, ReadinessSettings readiness) {
    BackendSettings backend = new BackendSettings(ENGINE, "vllm", URI.create(url), readiness);
    return new HttpReadinessProbe(List.of(backend)).probe(ENGINE);
  }

  private static ReadinessSettings health(Duration timeout) {
    return new ReadinessSettings("/health", Set.of(200), "", Map.of(), timeout);
  }

  private static String reason(ProbeResult result) {
    assertThat(result).isInstanceOf(ProbeResult.NotReady.class);
    return ((ProbeResult.NotReady) result).reason();
  }

  @Test
  void refusesABackendThatIsNotConfigured() {
    HttpReadinessProbe probe = new HttpReadinessProbe(List.of());

    assertThatThrownBy(() -> probe.probe(ENGINE)).isInstanceOf(IllegalArgumentException.class);
  }

  @Nested
  class OfAnAnswer {
    private volatile int status = 200;
    private volatile String body = "";
    private final CompletableFuture<String> keyHeader = new CompletableFuture<>();

    private String serving() throws IOException {
      HttpServer server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.createContext(
          "/",
          exchange -> {
            keyHeader.complete(String.valueOf(exchange.getRequestHeaders().getFirst("X-Key")));
            boolean asked = exchange.getRequestURI().getPath().equals("/health");
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Location", "/elsewhere");
            exchange.sendResponseHeaders(
                asked ? status : 500, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
          });
      server.start();
      opened = () -> server.stop(0);
      return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    @Test
    void passesWithAnAcceptedStatusAndNoBody() throws IOException {
      assertThat(probe(serving(), health(PATIENT))).isEqualTo(new ProbeResult.Passed());
    }

    @Test
    void tellsTheStatusThatWasSeenAndThoseAccepted() throws IOException {
      status = 503;
      body = "{\"error\":\"Loading model\"}";

      assertThat(reason(probe(serving(), health(PATIENT)))).isEqualTo("status 503, accepted [200]");
    }

    @Test
    void doesNotFollowARedirect() throws IOException {
      status = 302;

      assertThat(reason(probe(serving(), health(PATIENT))))
          .isEqualTo("status 302 (a redirect, not followed), accepted [200]");
    }

    @Test
    void acceptsAnotherStatusWhenToldSo() throws IOException {
      status = 401;
      ReadinessSettings readiness =
          new ReadinessSettings("/health", Set.of(200, 401), "", Map.of(), PATIENT);

      assertThat(probe(serving(), readiness)).isEqualTo(new ProbeResult.Passed());
    }

    @Test
    void asksForATextInTheBody() throws IOException {
      ReadinessSettings readiness =
          new ReadinessSettings("/health", Set.of(200), "\"loaded\"", Map.of(), PATIENT);
      String url = serving();

      body = "{\"state\":\"not-loaded\"}";
      assertThat(reason(probe(url, readiness)))
          .isEqualTo("status 200, but the body does not contain '\"loaded\"'");

      body = "{\"state\":\"loaded\"}";
      assertThat(probe(url, readiness)).isEqualTo(new ProbeResult.Passed());
    }

    @Test
    void readsNoMoreThanTheBeginningOfABody() throws IOException {
      body = " ".repeat(HttpReadinessProbe.BODY_LIMIT_BYTES) + "ok";
      ReadinessSettings readiness =
          new ReadinessSettings("/health", Set.of(200), "ok", Map.of(), PATIENT);

      assertThat(reason(probe(serving(), readiness))).contains("the first 65536 bytes do not");
    }

    @Test
    void sendsTheHeaders() throws Exception {
      ReadinessSettings readiness =
          new ReadinessSettings("/health", Set.of(200), "", Map.of("X-Key", "s3cret"), PATIENT);

      probe(serving(), readiness);

      assertThat(keyHeader.get(10, TimeUnit.SECONDS)).isEqualTo("s3cret");
    }

    @Test
    void neverTellsAHeaderValueThatCannotBeSent() throws IOException {
      ReadinessSettings readiness =
          new ReadinessSettings("/health", Set.of(200), "", Map.of("X-Key", "s3cret\n"), PATIENT);

      assertThat(reason(probe(serving(), readiness))).contains("'X-Key'").doesNotContain("s3cret");
    }
  }

  @Nested
  class WithoutAnAnswer {
    private interface Manner {
      void treat(Socket client) throws Exception;
    }

    private String treating(Manner manner) throws IOException {
      ServerSocket listener = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
      opened = listener::close;
      Thread.ofVirtual()
          .name("test-listener")
          .start(
              () -> {
                try {
                  while (true) {
                    manner.treat(listener.accept());
                  }
                } catch (Exception closed) {
                  // The test is over.
                }
              });
      return "http://127.0.0.1:" + listener.getLocalPort();
    }

    private static void readRequest(Socket client) throws IOException {
      InputStream in = client.getInputStream();
      StringBuilder seen = new StringBuilder();
      while (!seen.toString().endsWith("\r\n\r\n")) {
        seen.append((char) in.read());
      }
    }

    @Test
    void isNotReadyWhileNobodyListens() throws IOException {
      int port;
      try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        port = taken.getLocalPort();
      }

      assertThat(reason(probe("http://127.0.0.1:" + port, health(PATIENT))))
          .isEqualTo("connection refused");
    }

    @Test
    void isNotReadyWhileTheSocketListensAndNobodyAnswers() throws IOException {
      String url = treating(client -> {});

      assertThat(reason(probe(url, health(BRIEF)))).contains("no whole answer within 300 ms");
    }

    @Test
    void isNotReadyWhenTheConnectionIsReset() throws IOException {
      String url =
          treating(
              client -> {
                readRequest(client);
                client.setSoLinger(true, 0);
                client.close();
              });

      assertThat(reason(probe(url, health(PATIENT)))).isEqualTo("connection reset");
    }

    @Test
    void isNotReadyWhenTheConnectionIsClosedWithoutAWord() throws IOException {
      String url =
          treating(
              client -> {
                readRequest(client);
                client.close();
              });

      assertThat(reason(probe(url, health(PATIENT))))
          .isEqualTo("connection closed without an answer");
    }

    @Test
    void isNotReadyWhenWhatAnswersIsNoHttp() throws IOException {
      String url =
          treating(
              client -> {
                readRequest(client);
                client.getOutputStream().write("SSH-2.0-OpenSSH\r\n\r\n".getBytes());
                client.close();
              });

      assertThat(reason(probe(url, health(PATIENT)))).contains("does not speak HTTP");
    }

    @Test
    void isNotReadyWhenTheBodyDripsForEver() throws IOException {
      String url =
          treating(
              client -> {
                readRequest(client);
                client.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\nlo".getBytes());
              });
      ReadinessSettings readiness =
          new ReadinessSettings("/health", Set.of(200), "loaded", Map.of(), BRIEF);

      assertThat(reason(probe(url, readiness))).contains("no whole answer within 300 ms");
    }

    @Test
    void passesOnTheStatusAloneWhenNoTextIsAskedFor() throws IOException {
      String url =
          treating(
              client -> {
                readRequest(client);
                client.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\nlo".getBytes());
              });

      assertThat(probe(url, health(PATIENT))).isEqualTo(new ProbeResult.Passed());
    }

    @Test
    void isNotReadyWhenTheHostIsUnknown() {
      assertThat(reason(probe("http://no-such-host.invalid:8000", health(PATIENT))))
          .isEqualTo("unknown host");
    }
  }
}

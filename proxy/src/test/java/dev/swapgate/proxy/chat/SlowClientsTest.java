package dev.swapgate.proxy.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.swapgate.proxy.http.Listener;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Thousands that are slow, or say nothing, do not touch the one who is not. */
class SlowClientsTest {
  private static final int MANY = 2000;
  private static final int READERS = 100;
  private static final int ANSWER = 8 * 1024 * 1024;

  /** Before the first of the slow ones is given up: it is not they that leave. */
  private static final Duration SOON = Duration.ofSeconds(30);

  private final List<Socket> slow = new ArrayList<>();
  private RecordingEngine engine;
  private Street street;

  @BeforeEach
  void open() throws Exception {
    engine = new RecordingEngine();
    street = Street.before(engine.address().getPort());
    street.gate.open();
    byte[] head = Talk.bytes("HTTP/1.1 200 OK\r\nContent-Length: " + ANSWER + "\r\n\r\n");
    byte[] answer = java.util.Arrays.copyOf(head, head.length + ANSWER);
    engine.says(List.of(answer), false);
  }

  private void leave() throws IOException {
    for (Socket socket : slow) {
      socket.close();
    }
  }

  @AfterEach
  void close() throws Exception {
    leave();
    street.close();
    engine.close();
  }

  private void come(int count, InetSocketAddress where, String say) throws IOException {
    byte[] bytes = say.getBytes(StandardCharsets.US_ASCII);
    for (int i = 0; i < count; i++) {
      Socket socket = new Socket();
      socket.setReceiveBufferSize(4096);
      socket.connect(where, 10_000);
      socket.getOutputStream().write(bytes);
      slow.add(socket);
    }
  }

  /** A client like any other, with a body of a megabyte and a large answer. */
  private void another(InetSocketAddress where) throws IOException {
    Duration began = street.clock.now().steady();
    try (Wire client = Wire.to(where)) {
      client.send("POST /v1/x HTTP/1.1\r\nHost: a\r\nContent-Length: 1048576\r\n\r\n");
      client.send(new byte[1048576]);
      Wire.Message answer = client.message();

      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.body()).hasSize(ANSWER);
    }
    assertThat(street.clock.now().steady().minus(began)).isLessThan(SOON);
  }

  @Test
  void slowHeads() throws Exception {
    come(MANY, street.listener.address(), "GET /v1/x HTTP/1.1\r\nHost: a\r\nX-Slow: ");
    street.until(() -> street.listener.connections() == MANY, "all are in");
    another(street.listener.address());
    leave();

    street.until(() -> street.listener.connections() == 0, "all have left");
  }

  @Test
  void slowBodies() throws Exception {
    come(
        MANY,
        street.listener.address(),
        "POST /v1/x HTTP/1.1\r\nHost: a\r\nContent-Length: 30000000\r\n\r\n{\"model\":");
    street.until(() -> street.chat.bufferedBytes() >= MANY * 4096L, "all have begun");
    assertThat(street.chat.bufferedBytes()).isLessThan(MANY * 5000L);
    another(street.listener.address());
    street.clock.forward(Duration.ofSeconds(31));

    street.until(() -> street.listener.connections() == 0, "all were told to go");
    assertThat(street.chat.bufferedBytes()).isZero();
    byte[] told = slow.get(0).getInputStream().readAllBytes();
    assertThat(new String(told, StandardCharsets.UTF_8)).startsWith("HTTP/1.1 408 ");
  }

  @Test
  void slowReaders() throws Exception {
    come(READERS, street.listener.address(), "GET /v1/x HTTP/1.1\r\nHost: a\r\n\r\n");
    street.until(() -> street.gate.turnstile().inside() == READERS, "all are being answered");
    another(street.listener.address());
    street.until(() -> street.gate.turnstile().inside() == READERS, "the fast one is through");
    street.gate.shut();
    for (int i = 0; i < 20 && !engineIsLetGo(); i++) {
      // Again: some may have taken a byte since.
      street.clock.forward(Duration.ofSeconds(61));
    }

    assertThat(street.gate.turnstile().inside()).as("the engine is let go").isZero();
    street.until(() -> street.listener.connections() == 0, "the slow ones are let go");
  }

  private boolean engineIsLetGo() throws Exception {
    try {
      street.gate.emptied.get(1, TimeUnit.SECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    }
  }

  @Test
  void whoSaysNothingMakesRoom() throws Exception {
    try (Listener narrow = Listener.open(new InetSocketAddress("127.0.0.1", 0), 100, street.chat);
        Wire busy = Wire.to(narrow.address())) {
      busy.send("POST /v1/x HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi");
      assertThat(busy.head().status()).isEqualTo(200);
      come(150, narrow.address(), "");
      come(150, narrow.address(), "GET /v1/x HT");
      come(150, narrow.address(), "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx");
      another(narrow.address());

      assertThat(busy.in.readNBytes(ANSWER)).as("who came first and is busy").hasSize(ANSWER);
      street.until(() -> narrow.connections() <= 100, "no more than may be there");
      assertThat(slow.get(0).getInputStream().read()).as("who waited longest").isNegative();
    }
  }

  @Test
  void whoReadsNoRefusalsIsLetGo() throws Exception {
    ChatSettings.Limits standard = ChatSettings.Limits.standard();
    ChatSettings.Limits limits =
        new ChatSettings.Limits(
            standard.requestBody(),
            standard.bufferedBytes(),
            standard.bodyPatience(),
            standard.held(),
            Duration.ofSeconds(1));
    try (Street shut =
        new Street(Duration.ZERO, Map.of(), limits, Files.createTempDirectory("chat"))) {
      come(1, shut.listener.address(), "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
      byte[] more = Talk.bytes("GET / HTTP/1.1\r\nHost: a\r\n\r\n".repeat(1000));
      assertThatThrownBy(
              () -> {
                while (true) {
                  slow.get(0).getOutputStream().write(more);
                }
              })
          .isInstanceOf(IOException.class);

      shut.until(() -> shut.listener.connections() == 0, "it is gone");
    }
  }
}

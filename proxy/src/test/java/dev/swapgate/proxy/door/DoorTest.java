package dev.swapgate.proxy.door;

import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.gate.runtime.Gate.RefusedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What comes of requests at the door while the server sleeps, comes and is awake. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class DoorTest {
  private static final String UPGRADE =
      "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
          + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
  private static final String EVIL = "Origin: http://evil.example\r\n";

  private DoorStreet street;

  @BeforeEach
  void open() throws IOException {
    street = new DoorStreet();
  }

  @AfterEach
  void close() throws IOException {
    street.close();
  }

  private String origin() {
    return "Origin: http://127.0.0.1:" + street.port() + "\r\n";
  }

  private static String read(Socket socket, int bytes) throws IOException {
    return new String(socket.getInputStream().readNBytes(bytes), StandardCharsets.ISO_8859_1);
  }

  /** Up to the blank line. */
  private static String readHead(Socket socket) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      head.append(read(socket, 1));
    }
    return head.toString();
  }

  @Test
  void aBrowserIsShownWhatItCostsAndNothingIsTaken() throws Exception {
    street.chats(2);

    String page = street.ask("GET /?a=1&b=%22", DoorStreet.PAGE);

    assertThat(page)
        .startsWith("HTTP/1.1 503 ")
        .contains("Content-Type: text/html; charset=utf-8", "Cache-Control: no-store")
        .contains("frame-ancestors 'none'", "X-Swapgate-Answered-By: gate")
        .contains("comfyui sleeps", "2 answers under way are finished first")
        .contains("some 2 min 5 s to come back", "takes about 20 s", "3 jobs wait.")
        .contains("action=\"/.swapgate/wake?to=%2F%3Fa%3D1%26b%3D%2522\"")
        .doesNotContain("http-equiv");
    assertThat(street.gate.asked()).isEmpty();
  }

  @Test
  void itsButtonWakesAndLeadsBackToThePage() throws Exception {
    String woken =
        street.ask(
            "POST /.swapgate/wake?to=%2F%3Fa%3D1",
            DoorStreet.PAGE + origin() + "Sec-Fetch-Site: same-origin\r\n", "x=y");

    street.chats(2);
    assertThat(woken).startsWith("HTTP/1.1 303 ").contains("Location: /?a=1\r\n");
    assertThat(street.gate.asked()).hasSize(1);
    street.gate.view = DoorViews.coming();
    assertThat(street.ask("GET /", DoorStreet.PAGE))
        .contains("comfyui is being woken", "http-equiv=\"refresh\"", "This page moves on")
        .contains("<li class=\"now\">answers of the chat engine finish: 2</li>")
        .contains("of &lt;vllm&gt; may finish");
    street.awake();
    assertThat(street.ask("GET /", DoorStreet.PAGE)).startsWith("HTTP/1.1 200 ");
  }

  @Test
  void itLeadsNowhereElse() throws Exception {
    for (String to : List.of("%2F%2Fevil.example", "https%3A%2F%2Fevil.example", "%2F%5Cevil")) {
      assertThat(street.ask("POST /.swapgate/wake?to=" + to, origin())).contains("Location: /\r\n");
    }
  }

  @Test
  void pagesOfOtherOriginsReachNothing() throws Exception {
    String wake = "POST /.swapgate/wake";
    assertThat(street.ask(wake, EVIL)).startsWith("HTTP/1.1 403 ");
    assertThat(street.ask(wake, "Origin: null\r\n")).startsWith("HTTP/1.1 403 ");
    assertThat(street.ask(wake, "Sec-Fetch-Site: cross-site\r\n")).startsWith("HTTP/1.1 403 ");
    assertThat(street.ask(wake, "Host: rebound.example\r\n")).startsWith("HTTP/1.1 421 ");
    assertThat(street.ask(wake, "Host: 10.0.0.1:8188\r\nOrigin: http://10.0.0.2:8188\r\n"))
        .startsWith("HTTP/1.1 403 ");
    street.gate.view = DoorViews.awakeWithoutLease();
    assertThat(street.ask("POST /prompt", EVIL, "{}")).startsWith("HTTP/1.1 403 ");
    assertThat(street.ask("GET /ws", EVIL + UPGRADE)).startsWith("HTTP/1.1 403 ");

    assertThat(street.gate.asked()).isEmpty();
    assertThat(street.server.heads).isEmpty();
  }

  @Test
  void programsCallItByWhateverLeadsThere() throws Exception {
    street.awake();
    for (String host : List.of("host.docker.internal:8188", "comfyui", "192.168.1.5:8188")) {
      assertThat(street.ask("GET /queue", "Host: " + host + "\r\n"))
          .as(host)
          .startsWith("HTTP/1.1 200 ");
    }
    assertThat(street.ask("GET /queue", "Host: box.example\r\n")).startsWith("HTTP/1.1 200 ");
  }

  @Test
  void programsAreHeldAndShareOneLease() throws Exception {
    CompletableFuture<String> one = street.asking("GET /history/x?y=%20", "");
    CompletableFuture<String> other = street.asking("GET /view", origin());
    street.awaitLease();
    street.gate.view = DoorViews.coming();
    assertThat(one).isNotDone();
    street.awake();

    assertThat(one.get(20, TimeUnit.SECONDS))
        .startsWith("HTTP/1.1 200 ")
        .contains("X-Swapgate-Answered-By: media:comfyui")
        .contains("GET /history/x?y=%20 HTTP/1.1\r\nHost: " + street.server.url().getAuthority());
    assertThat(other.get(20, TimeUnit.SECONDS)).startsWith("HTTP/1.1 200 ");
    assertThat(street.server.heads).noneMatch(head -> head.contains("Origin:"));
    assertThat(street.gate.asked().stream().filter(asked -> asked.startsWith("lease"))).hasSize(1);
    assertThat(street.counted).containsEntry("media:comfyui", "200");
  }

  @Test
  void aWebSocketIsHeldAndThenPasses() throws Exception {
    try (Socket socket = street.connect()) {
      street.send(socket, "GET /ws?clientId=a", UPGRADE + origin(), "");
      street.awaitLease();
      street.awake();

      assertThat(readHead(socket)).startsWith("HTTP/1.1 101 ");
      socket.getOutputStream().write("hello".getBytes(StandardCharsets.US_ASCII));
      assertThat(read(socket, 5)).isEqualTo("hello");
      assertThat(street.server.heads.getFirst())
          .startsWith("GET /ws?clientId=a HTTP/1.1\r\n")
          .doesNotContain("Origin");
    }
  }

  /** It opens its WebSocket again and again; in the meantime somebody else may wake the server. */
  @Test
  void aPageThatWasLeftOpenWakesNothingAndIsThereAgainWhenItIsAwake() throws Exception {
    String poll = street.ask("GET /api/prompt", DoorStreet.BROWSER + "Accept: */*\r\n");
    assertThat(poll).startsWith("HTTP/1.1 503 ").contains("\"asleep\"", "Retry-After: 170");
    try (Socket socket = street.connect()) {
      street.send(socket, "GET /ws", DoorStreet.BROWSER + UPGRADE + origin(), "");
      CompletableFuture<String> head =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return readHead(socket);
                } catch (IOException e) {
                  return "broken: " + e;
                }
              });
      assertThat(street.ask("GET /", DoorStreet.PAGE)).contains("comfyui sleeps");
      assertThat(street.gate.asked()).isEmpty();

      street.awake();

      assertThat(head.get(20, TimeUnit.SECONDS)).startsWith("HTTP/1.1 101 ");
      assertThat(street.gate.asked()).noneMatch(asked -> asked.startsWith("lease"));
    }
  }

  @Test
  void whoIsHeldHearsThatTheCardIsRefused() throws Exception {
    street.gate.refuses =
        Optional.of(new RefusedException(RefusedException.Kind.CONFLICT, "no container"));

    String refused = street.ask("POST /prompt", "", "{}");

    assertThat(refused)
        .startsWith("HTTP/1.1 503 ")
        .contains("Retry-After: 170", "\"no_visit\"", "swapgate: no container");
    assertThat(street.ask("GET /", DoorStreet.PAGE)).contains("cannot be woken now");
  }

  @Test
  void onlySoManyAreHeld() throws Exception {
    List<Socket> held = new ArrayList<>();
    try {
      for (int i = 0; i < 64; i++) {
        Socket socket = street.connect();
        held.add(socket);
        street.send(socket, "GET /queue", "", "");
      }
      // They arrive in any order; one more than there are places does not stay.
      try (Socket last = street.connect()) {
        street.send(last, "GET /queue", "", "");
        held.add(last);
        DoorStreet.until(() -> held.stream().anyMatch(DoorTest::isAnswered), "one is sent away");
      }
    } finally {
      for (Socket socket : held) {
        socket.close();
      }
    }
    DoorStreet.until(() -> "gone".equals(street.counted.get("gate")), "the others have left");
  }

  private static boolean isAnswered(Socket socket) {
    try {
      return !socket.isClosed() && socket.getInputStream().available() > 0;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void anUploadLargerThanMemoryIsPassedOnAsItComes() throws Exception {
    street.awake();
    int length = 48 << 20;
    byte[] half = new byte[length / 2];
    try (Socket socket = street.connect()) {
      street.send(
          socket,
          "POST /upload/image",
          "Connection: close\r\nContent-Length: " + length + "\r\n",
          "");
      socket.getOutputStream().write(half);
      street.server.firstBytes.get(20, TimeUnit.SECONDS);
      socket.getOutputStream().write(half);

      assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .startsWith("HTTP/1.1 200 ")
          .endsWith("body=" + length);
    }
  }

  @Test
  void anUploadWaitsForTheServerToo() throws Exception {
    int length = 3 << 20;
    try (Socket socket = street.connect()) {
      street.send(
          socket,
          "POST /upload/image",
          "Connection: close\r\nExpect: 100-continue\r\nContent-Length: " + length + "\r\n",
          "");
      street.awaitLease();
      street.awake();

      assertThat(readHead(socket)).startsWith("HTTP/1.1 100 ");
      socket.getOutputStream().write(new byte[length]);
      assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .startsWith("HTTP/1.1 200 ")
          .endsWith("body=" + length);
    }
  }

  @Test
  void anUploadThatIsSentAtOnceWaitsAsWell() throws Exception {
    int length = 3 << 20;
    try (Socket socket = street.connect()) {
      String head = "Connection: close\r\nContent-Length: " + length + "\r\n";
      street.send(socket, "POST /upload/image", head, "");
      CompletableFuture<Void> sent =
          CompletableFuture.runAsync(
              () -> {
                try {
                  socket.getOutputStream().write(new byte[length]);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      street.awaitLease();
      street.awake();

      assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .startsWith("HTTP/1.1 200 ")
          .endsWith("body=" + length);
      sent.get(20, TimeUnit.SECONDS);
    }
  }

  @Test
  void aClientThatLeavesAfterALargeUploadIsNoticed() throws Exception {
    street.awake();
    street.server.answers = new CompletableFuture<>();
    int length = 3 << 20;
    try (Socket socket = street.connect()) {
      street.send(socket, "POST /upload/image", "Content-Length: " + length + "\r\n", "");
      socket.getOutputStream().write(new byte[length]);
      DoorStreet.until(() -> street.server.whole.get() == 1, "the server has it all");
    }

    DoorStreet.until(() -> "gone".equals(street.counted.get("gate")), "it is known to have left");
    street.server.answers.complete(null);
  }

  /** It has no queue that says that it works. */
  @Test
  void aServerThatAnswersWhenItIsDoneKeepsTheCardUntilThen() throws Exception {
    street.server.answers = new CompletableFuture<>();
    CompletableFuture<String> answer = street.asking("GET /slow", "");
    street.awaitLease();
    street.awake();
    DoorStreet.until(() -> !street.server.heads.isEmpty(), "the server has it");

    street.pass(Duration.ofMinutes(5));
    assertThat(street.gate.asked()).doesNotContain("release l7");
    street.server.answers.complete(null);

    assertThat(answer.get(20, TimeUnit.SECONDS)).startsWith("HTTP/1.1 200 ");
    street.pass(Duration.ofSeconds(61));
    assertThat(street.gate.asked()).contains("release l7");
  }

  @Test
  void aServerThatIsAwakeAndDoesNotAnswerIsSaidToFail() throws Exception {
    street.awake();
    street.server.close();

    assertThat(street.ask("GET /queue", ""))
        .startsWith("HTTP/1.1 502 ")
        .contains("\"media_failed\"", "could not be reached");
  }
}

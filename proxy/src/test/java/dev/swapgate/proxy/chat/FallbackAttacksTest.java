package dev.swapgate.proxy.chat;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.proxy.fallback.FallbackCounters;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Providers that misbehave, and clients that leave. Nothing may be left over afterwards. */
class FallbackAttacksTest {

  private final ProviderServer server = new ProviderServer();
  private final ProviderServer other = new ProviderServer();
  private FallbackStreet street;

  FallbackAttacksTest() throws Exception {}

  private void open() throws Exception {
    server.answers("hello");
    street = new FallbackStreet(server.as("a", "one"));
  }

  private void openWithAnother() throws Exception {
    other.answers("good day");
    street = new FallbackStreet(server.as("a", "one"), other.as("b", "one"));
  }

  @AfterEach
  void close() throws Exception {
    street.street.until(() -> street.street.fallback.inFlight() == 0, "no request is left");
    street.street.until(() -> street.street.chat.bufferedBytes() == 0, "no byte is left");
    street.close();
    server.close();
    other.close();
  }

  private long calls(String provider, String end) {
    return street
        .street
        .fallback
        .counters()
        .calls()
        .getOrDefault(new FallbackCounters.Call(provider, end), 0L);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void oneThatNeverSendsAHeadIsGivenUp(boolean streamed) throws Exception {
    openWithAnother();
    CompletableFuture<Boolean> hungUp = new CompletableFuture<>();
    server.does((request, wire) -> hungUp.complete(wire.ended()));
    try (Wire client = street.begin("/v1/chat/completions", streamed)) {
      street.street.until(() -> server.asked() == 1, "it is asked");
      street.forward(400);

      assertThat(client.message().value("X-Swapgate-Answered-By")).isEqualTo("fallback:b");
      hungUp.get(10, TimeUnit.SECONDS);
      assertThat(street.cooling()).containsExactly("a fault 15");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void oneThatIsNotThereIsAFault(boolean streamed) throws Exception {
    openWithAnother();
    server.close();

    assertThat(street.ask(streamed).value("X-Swapgate-Answered-By")).isEqualTo("fallback:b");
    assertThat(street.cooling()).containsExactly("a fault 30");
  }

  @Test
  void oneThatStopsWithinItsStreamIsGivenUpVisibly() throws Exception {
    openWithAnother();
    CompletableFuture<Boolean> hungUp = new CompletableFuture<>();
    server.does(
        (request, wire) -> {
          wire.send(streamHead() + ProviderServer.chunk("data: {\"x\":1}\n\n"));
          hungUp.complete(wire.ended());
        });
    try (Wire client = street.begin("/v1/chat/completions", true)) {
      assertThat(client.head().status()).isEqualTo(200);
      assertThat(client.chunk()).contains("\"x\":1");
      street.forward(200);

      assertThat(client.chunk())
          .startsWith("event: error\ndata: {\"error\":")
          .contains("fallback_failed");
      client.ended();
      hungUp.get(10, TimeUnit.SECONDS);
      assertThat(other.asked()).as("the client has part of an answer already").isZero();
      assertThat(street.cooling()).containsExactly("a fault 15");
    }
  }

  @Test
  void aStreamThatBreaksNeverEndsCleanly() throws Exception {
    open();
    server.does(
        (request, wire) -> {
          wire.send(streamHead() + ProviderServer.chunk("data: {\"x\":1}\n\nda"));
          wire.reset();
        });
    try (Wire client = street.begin("/v1/chat/completions", true)) {
      assertThat(client.head().status()).isEqualTo(200);
      StringBuilder text = new StringBuilder();
      while (!text.toString().contains("event: error")) {
        text.append(client.chunk());
      }
      assertThat(text.toString())
          .contains("fallback provider a broke off its answer")
          .doesNotContain("127.0.0.1");
      assertThat(client.in.readAllBytes()).as("no last chunk follows").isEmpty();
    }
  }

  @Test
  void aWholeAnswerThatBreaksIsAborted() throws Exception {
    open();
    server.does(
        (request, wire) ->
            wire.send(ProviderServer.whole("x".repeat(500)).substring(0, 400)).close());
    try (Wire client = street.begin("/v1/chat/completions", false)) {
      assertThat(client.head().status()).isEqualTo(200);
      assertThat(client.chunk()).contains("xxx");
      assertThat(client.in.readAllBytes()).as("no last chunk follows").isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"204 No", "200 OK"})
  void aSuccessWithNothingInItIsAFault(String status) throws Exception {
    openWithAnother();
    server.says("HTTP/1.1 " + status + "\r\nContent-Length: 0\r\n\r\n");

    assertThat(street.ask().value("X-Swapgate-Answered-By")).isEqualTo("fallback:b");
    assertThat(street.cooling()).containsExactly("a fault 30");
  }

  @Test
  void aPageForPeopleIsNoAnswer() throws Exception {
    openWithAnother();
    server.says("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>");

    assertThat(street.ask().value("X-Swapgate-Answered-By")).isEqualTo("fallback:b");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aClientThatLeavesEndsTheCall(boolean begun) throws Exception {
    open();
    CompletableFuture<Boolean> hungUp = new CompletableFuture<>();
    server.does(
        (request, wire) -> {
          if (begun) {
            wire.send(streamHead() + ProviderServer.chunk("data: {\"x\":1}\n\n"));
          }
          hungUp.complete(wire.ended());
        });
    try (Wire client = street.begin("/v1/chat/completions", true)) {
      street.street.until(() -> server.asked() == 1, "it is asked");
      if (begun) {
        client.head();
      }
    }

    hungUp.get(10, TimeUnit.SECONDS);
    street.street.until(() -> calls("a", "left") == 1, "it is counted");
    assertThat(street.cooling()).as("it is not the provider's fault").isEmpty();
  }

  /** Nobody reads, so the provider must be held up and not kept in memory. */
  @Test
  void aSlowClientHoldsTheProviderUp() throws Exception {
    open();
    int chunks = 4000;
    String piece = ProviderServer.chunk("data: " + "x".repeat(16_000) + "\n\n");
    CompletableFuture<Integer> sent = new CompletableFuture<>();
    server.does(
        (request, wire) -> {
          int done = 0;
          wire.send(streamHead());
          try {
            for (; done < chunks; done++) {
              wire.send(piece);
            }
          } finally {
            sent.complete(done);
          }
        });
    Wire client = street.begin("/v1/chat/completions", true);
    client.head();
    for (int i = 0; i < 30 && !sent.isDone(); i++) {
      street.forward(61);
      var aWhile = new CompletableFuture<Integer>().completeOnTimeout(0, 300, MILLISECONDS);
      CompletableFuture.anyOf(sent, aWhile).get(10, TimeUnit.SECONDS);
    }

    assertThat(sent.get(10, TimeUnit.SECONDS)).isLessThan(chunks);
    client.close();
  }

  @Test
  void aLateErrorOfAStreamIsRemembered() throws Exception {
    open();
    server.says(
        streamHead()
            + ProviderServer.chunk("data: {\"x\":1}\n\n")
            + ProviderServer.chunk("data: {\"id\":1,\"error\":{\"code\":429}}\n\n")
            + "0\r\n\r\n");

    assertThat(street.ask(true).text()).contains("\"code\":429");
    street.street.until(() -> !street.cooling().isEmpty(), "it is remembered");
    assertThat(street.ask(true).status()).isEqualTo(429);
    assertThat(server.asked()).isEqualTo(1);
  }

  @Test
  void hugeHeadersAreAFault() throws Exception {
    openWithAnother();
    StringBuilder huge = new StringBuilder("HTTP/1.1 200 OK\r\n");
    for (int i = 0; i < 600; i++) {
      huge.append("X-").append(i).append(": ").append("x".repeat(1000)).append("\r\n");
    }
    server.says(huge + "Content-Length: 2\r\n\r\nhi");

    assertThat(street.ask().value("X-Swapgate-Answered-By")).isEqualTo("fallback:b");
    assertThat(calls("a", "fault")).isEqualTo(1);
  }

  @Test
  void noMoreThanTheLimitAreWithProviders() throws Exception {
    open();
    CompletableFuture<Void> mayAnswer = new CompletableFuture<>();
    server.does(
        (request, wire) -> {
          mayAnswer.get(10, TimeUnit.SECONDS);
          wire.send(ProviderServer.whole("hello"));
        });
    List<Wire> clients = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      clients.add(street.begin("/v1/chat/completions", false));
    }
    street.street.until(() -> server.asked() == 50, "50 are under way");
    assertThat(street.ask().status()).isEqualTo(429);
    mayAnswer.complete(null);
    for (Wire client : clients) {
      assertThat(client.message().status()).isEqualTo(200);
      client.close();
    }
    assertThat(server.asked()).isEqualTo(50);
  }

  @Test
  void aStopEndsWhatIsUnderWayVisibly() throws Exception {
    open();
    CompletableFuture<Void> mayEnd = new CompletableFuture<>();
    server.streams("hello", mayEnd);
    try (Wire begun = street.begin("/v1/chat/completions", true)) {
      assertThat(begun.head().status()).isEqualTo(200);
      assertThat(begun.chunk()).contains("hello");
      server.does((request, wire) -> wire.ended());
      try (Wire waiting = street.begin("/v1/chat/completions", true)) {
        street.street.until(() -> server.asked() == 2, "the second is asked");
        street.street.chat.endFallback();

        assertThat(begun.chunk()).startsWith("event: error").contains("being stopped");
        assertThat(begun.in.readAllBytes()).as("no last chunk follows").isEmpty();
        assertThat(waiting.message().status()).isEqualTo(429);
      }
    }
    mayEnd.complete(null);
  }

  @Test
  void aThirdFailureIsTheLast() throws Exception {
    List<ProviderServer> servers = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      servers.add(new ProviderServer());
      servers.get(i).says(ProviderServer.status(500, ""));
    }
    street =
        new FallbackStreet(
            servers.get(0).as("a", "k"),
            servers.get(1).as("b", "k"),
            servers.get(2).as("c", "k"),
            servers.get(3).as("d", "k"),
            servers.get(4).as("e", "k"));

    assertThat(street.ask().text()).contains("fallback_failed");
    assertThat(servers.stream().mapToInt(ProviderServer::asked).sum()).isEqualTo(3);
    for (ProviderServer one : servers) {
      one.close();
    }
  }

  private static String streamHead() {
    return "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
        + "Transfer-Encoding: chunked\r\n\r\n";
  }
}

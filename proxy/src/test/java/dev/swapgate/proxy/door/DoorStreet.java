package dev.swapgate.proxy.door;

import dev.swapgate.gate.core.Now;
import dev.swapgate.gate.runtime.SteadyClock;
import dev.swapgate.gate.runtime.TurnstileControl;
import dev.swapgate.proxy.RecordedGate;
import dev.swapgate.proxy.RecordedStore;
import dev.swapgate.proxy.http.Listener;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/** A door in front of a server of the test's, and behind it a gate that notes what it is asked. */
final class DoorStreet implements AutoCloseable {
  static final String BROWSER =
      "User-Agent: Mozilla/5.0 (X11; Linux x86_64)\r\nAccept-Language: en\r\n";
  static final String PAGE = BROWSER + "Accept: text/html,*/*;q=0.8\r\n";

  private static final Duration LIMIT = Duration.ofSeconds(20);

  final RecordedGate gate = new RecordedGate(new RecordedStore());
  final MediaServer server = new MediaServer();
  final Map<String, String> counted = new ConcurrentHashMap<>(new TreeMap<>());
  private volatile Duration passed = Duration.ZERO;
  private final Door door;
  private final Listener listener;

  DoorStreet() throws IOException {
    gate.view = DoorViews.asleep();
    door =
        Door.open(
            gate,
            this::now,
            new DoorSettings(
                DoorViews.COMFYUI,
                server.url(),
                "127.0.0.1",
                List.of("box.example"),
                Duration.ofMinutes(10),
                Duration.ofMinutes(30),
                32 << 20),
            () -> Optional.of(""),
            Runnable::run,
            counted::put);
    listener = Listener.open(new InetSocketAddress("127.0.0.1", 0), 256, door.handler());
  }

  /** That of the door, which is ahead of the test's by what was let pass. */
  private Now now() {
    return new Now(steady().plus(passed), RecordedGate.THEN);
  }

  private static Duration steady() {
    return SteadyClock.system().now().steady();
  }

  /** Lets time pass, and the door look each second. */
  void pass(Duration time) {
    for (long second = 0; second < time.toSeconds(); second++) {
      passed = passed.plusSeconds(1);
      door.look();
    }
  }

  int port() {
    return listener.address().getPort();
  }

  Socket connect() throws IOException {
    Socket socket = new Socket("127.0.0.1", port());
    socket.setSoTimeout((int) LIMIT.toMillis());
    return socket;
  }

  /** Sends a request, to which it adds what each must have, and reads the whole answer. */
  String ask(String line, String headers, String body) throws IOException {
    try (Socket socket = connect()) {
      send(socket, line, "Connection: close\r\n" + headers, body);
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  String ask(String line, String headers) throws IOException {
    return ask(line, headers, "");
  }

  /** The same, while the test goes on. */
  CompletableFuture<String> asking(String line, String headers) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return ask(line, headers);
          } catch (IOException e) {
            return "broken: " + e;
          }
        });
  }

  void send(Socket socket, String line, String headers, String body) throws IOException {
    String host = headers.contains("Host: ") ? "" : "Host: 127.0.0.1:" + port() + "\r\n";
    String length = body.isEmpty() ? "" : "Content-Length: " + body.length() + "\r\n";
    socket
        .getOutputStream()
        .write(
            (line + " HTTP/1.1\r\n" + host + headers + length + "\r\n" + body)
                .getBytes(StandardCharsets.ISO_8859_1));
    socket.getOutputStream().flush();
  }

  /** So many answers of the chat engine are under way. */
  void chats(int answers) {
    TurnstileControl.open(gate.turnstile(), "vllm");
    for (int i = 0; i < answers; i++) {
      gate.turnstile().enter();
    }
  }

  /** What the gate shows from now on, and what the door makes of it. */
  void awake() {
    gate.view = DoorViews.awake();
    door.look();
  }

  static void until(BooleanSupplier so, String what) {
    Duration deadline = steady().plus(LIMIT);
    while (!so.getAsBoolean()) {
      if (steady().compareTo(deadline) > 0) {
        throw new AssertionError("not within " + LIMIT.toSeconds() + " s: " + what);
      }
      Thread.yield();
    }
  }

  void awaitLease() {
    until(
        () -> gate.asked.stream().anyMatch(one -> one.startsWith("lease comfyui")),
        "the card is leased");
  }

  @Override
  public void close() throws IOException {
    listener.close();
    door.close();
    server.close();
  }
}

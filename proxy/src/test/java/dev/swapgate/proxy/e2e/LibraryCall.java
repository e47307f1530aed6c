package dev.swapgate.proxy.e2e;

import dev.swapgate.proxy.clients.WireTap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/**
 * One call of a client library, which has a door to swapgate of its own.
 *
 * @param path that of the base URL
 */
record LibraryCall(
    Client client, String path, boolean stream, WireTap wire, CompletableFuture<String> end) {

  /** In place of a status: the library left before it was answered. */
  static final int LEFT = 0;

  static final List<Integer> HELD = List.of(200);
  static final List<Integer> REFUSED_ONCE = List.of(429, 200);
  static final List<Integer> REFUSED_TWICE = List.of(429, 429, 200);

  /**
   * A library and the way it comes.
   *
   * @param library its name in {@code JavaLibraries} or {@code calls.mjs}
   * @param as the name after {@code /as/}; empty for the plain base URL
   * @param plain what its requests come to in a swap, and
   * @param streaming those of a streaming call
   */
  record Client(
      String title,
      String library,
      boolean isJava,
      String as,
      List<Integer> plain,
      List<Integer> streaming) {}

  LibraryCall(Client client, String path, boolean stream, WireTap wire) {
    this(client, path, stream, wire, new CompletableFuture<>());
  }

  String base() {
    return wire.address() + path;
  }

  String id() {
    return "%s by %s, %s".formatted(client.title(), path, stream ? "stream" : "plain");
  }

  List<Integer> expected() {
    return stream ? client.streaming() : client.plain();
  }

  boolean succeeds() {
    return expected().getLast() == 200;
  }

  /** Whether nothing more is to be expected before chat reopens. */
  boolean waits() {
    long refusals = expected().stream().filter(status -> status == 429).count();
    long asked = refusals == 0 ? expected().size() : refusals;
    return end.isDone()
        || succeeds() && wire.requests() >= asked && wire.answers().size() >= refusals;
  }

  /** For the message of a failed assertion. */
  String said() {
    return id() + " (" + told() + ")";
  }

  /** A cell of the table: {@code 2: 429 (97 s), 200}. */
  String told() {
    List<String> answers =
        wire.answers().stream().map(WireTap.Answer::toString).collect(Collectors.toList());
    for (int i = answers.size(); i < wire.requests(); i++) {
      answers.addFirst("left");
    }
    return "%d: %s%s"
        .formatted(
            wire.requests(),
            String.join(", ", answers),
            end.getNow("").startsWith("threw: ") ? ", fails" : "");
  }
}

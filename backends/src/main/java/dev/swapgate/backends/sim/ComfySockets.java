package dev.swapgate.backends.sim;

import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Who listens on {@code /ws}, one socket for each client id: a second takes the first one's place,
 * which hears nothing any more. What concerns a prompt goes to the client id it was queued with.
 */
final class ComfySockets {
  private static final int PREVIEW_BYTES = 256 * 1024;
  private static final int HUGE_TEXT = 4 << 20;
  private static final int DROPPED_AFTER = 3;

  /** How it misbehaves. */
  enum Manner {
    HONEST,
    /** 404, as a server without one. */
    NONE,
    /** Takes the connection and never answers the handshake. */
    UNANSWERED,
    /** Says hello, then nothing. */
    SILENT,
    /** Ends each socket after three messages. */
    DROPS,
    /** Previews and texts of megabytes between the others. */
    FLOODS,
    /** Numbers and texts that make no sense. */
    LIES
  }

  private final Manner manner;
  private final boolean old;
  private final Map<String, ComfySocket> sockets = new ConcurrentHashMap<>();
  private final AtomicInteger open = new AtomicInteger();

  /** What it last said was running, for whoever comes late. */
  private volatile Optional<Map<String, @Nullable Object>> running = Optional.empty();

  ComfySockets(Manner manner, boolean old) {
    this.manner = manner;
    this.old = old;
  }

  int open() {
    return open.get();
  }

  /** Serves one socket to its end. */
  void serve(HttpExchange exchange, int remaining) throws IOException {
    if (manner == Manner.NONE) {
      exchange.text(404, "404: Not Found");
      return;
    }
    if (manner == Manner.UNANSWERED) {
      exchange.awaitGone();
      return;
    }
    String id = exchange.request().query("clientId").orElse("nobody");
    ComfySocket socket = ComfySocket.accept(exchange);
    open.incrementAndGet();
    try {
      sockets.put(id, socket);
      socket.text(
          Json.object(
              "type",
              "status",
              "data",
              Json.object(
                  "status",
                  Json.object("exec_info", Json.object("queue_remaining", remaining)),
                  "sid",
                  id)));
      running
          .filter(last -> manner != Manner.SILENT && id.equals(last.get("client")))
          .ifPresent(
              last -> socket.text(Json.object("type", "executing", "data", last.get("data"))));
      socket.untilClosed();
    } finally {
      sockets.remove(id, socket);
      open.decrementAndGet();
    }
  }

  /** Tells something of a prompt. */
  void tell(ComfyPrompt prompt, String type, Map<String, @Nullable Object> details) {
    Map<String, @Nullable Object> data = Json.object("prompt_id", prompt.id);
    data.putAll(details);
    String client = Json.asText(prompt.extraData.get("client_id"), "");
    if (type.equals("executing")) {
      running = Optional.of(Json.object("client", client, "data", data));
    }
    ComfySocket socket = sockets.get(client);
    if (socket == null || (old && type.equals("progress_state"))) {
      return;
    }
    Map<String, @Nullable Object> message = Json.object("type", type, "data", data);
    switch (manner) {
      case HONEST -> socket.text(message);
      case NONE, UNANSWERED, SILENT -> {}
      case DROPS -> {
        if (socket.sent() >= DROPPED_AFTER) {
          socket.drop();
        } else {
          socket.text(message);
        }
      }
      case FLOODS -> {
        for (int i = 0; i < 20; i++) {
          socket.binary(new byte[PREVIEW_BYTES]);
        }
        char[] huge = new char[HUGE_TEXT];
        Arrays.fill(huge, 'x');
        socket.text(Json.object("type", "progress", "data", new String(huge)));
        socket.text(message);
      }
      case LIES -> lie(socket, prompt);
    }
  }

  private static void lie(ComfySocket socket, ComfyPrompt prompt) {
    socket.text("{\"type\": \"progress\", \"data\": {\"value\": 1, ");
    socket.text("[".repeat(50_000));
    socket.text("7");
    socket.text(Json.object("type", 3L, "data", "nothing"));
    for (Object value : new Object[] {-5L, 1L << 62, "many", Json.object(), true}) {
      Map<String, @Nullable Object> data =
          Json.object("prompt_id", prompt.id, "value", value, "max", 0L, "node", "no such node");
      socket.text(Json.object("type", "progress", "data", data));
      socket.text(Json.object("type", "progress_state", "data", data));
      socket.text(Json.object("type", "execution_cached", "data", data));
      socket.text(Json.object("type", "executing", "data", Json.object("prompt_id", "another")));
    }
  }
}

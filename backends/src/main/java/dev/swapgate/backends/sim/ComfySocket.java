package dev.swapgate.backends.sim;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The server's side of one WebSocket (RFC 6455), as far as ComfyUI uses it: whole frames out; of
 * what comes in only ping and close are heard.
 */
final class ComfySocket {
  private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  private static final int TEXT = 1;
  private static final int BINARY = 2;
  private static final int CLOSE = 8;
  private static final int PING = 9;
  private static final int PONG = 10;

  private final HttpExchange exchange;
  private final AtomicInteger sent = new AtomicInteger();

  private ComfySocket(HttpExchange exchange) {
    this.exchange = exchange;
  }

  /** Answers the handshake. */
  static ComfySocket accept(HttpExchange exchange) throws IOException {
    String key = exchange.request().header("Sec-WebSocket-Key").orElse("");
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-1")
              .digest((key + GUID).getBytes(StandardCharsets.US_ASCII));
      exchange
          .with("Sec-WebSocket-Accept", Base64.getEncoder().encodeToString(hash))
          .upgrade("websocket");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-1", e);
    }
    return new ComfySocket(exchange);
  }

  void text(Object message) {
    send(
        TEXT,
        (message instanceof String text ? text : Json.write(message))
            .getBytes(StandardCharsets.UTF_8));
  }

  void binary(byte[] bytes) {
    send(BINARY, bytes);
  }

  /** How many messages went out. */
  int sent() {
    return sent.get();
  }

  /** Breaks it off. */
  void drop() {
    try {
      exchange.reset();
    } catch (IOException e) {
      exchange.markGone();
    }
  }

  private synchronized void send(int kind, byte[] payload) {
    ByteBuffer frame = ByteBuffer.allocate(payload.length + 10);
    frame.put((byte) (0x80 | kind));
    if (payload.length < 126) {
      frame.put((byte) payload.length);
    } else if (payload.length < 65_536) {
      frame.put((byte) 126).putShort((short) payload.length);
    } else {
      frame.put((byte) 127).putLong(payload.length);
    }
    frame.put(payload);
    try {
      exchange.raw(frame.array(), frame.position());
      sent.incrementAndGet();
    } catch (IOException e) {
      exchange.markGone();
    }
  }

  /** Reads what the client says until it leaves. */
  void untilClosed() throws IOException {
    @Nullable HttpInput in = exchange.input();
    while (in != null && in.awaitByte()) {
      byte[] head = in.exactly(2);
      int length = head[1] & 0x7f;
      if (length > 125) {
        byte[] more = in.exactly(length == 126 ? 2 : 8);
        length = 0;
        for (byte one : more) {
          length = (length << 8) | (one & 0xff);
        }
      }
      byte[] mask = in.exactly((head[1] & 0x80) == 0 ? 0 : 4);
      byte[] payload = in.exactly(length);
      for (int i = 0; i < payload.length && mask.length > 0; i++) {
        payload[i] ^= mask[i % 4];
      }
      switch (head[0] & 0x0f) {
        case CLOSE -> {
          send(CLOSE, payload);
          return;
        }
        case PING -> send(PONG, payload);
        default -> {}
      }
    }
  }
}

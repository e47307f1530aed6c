package dev.swapgate.backends.media;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a media server says on its WebSocket, as far as it is text. Binary messages (previews) and
 * texts of more than {@value #TEXT_LIMIT} characters are read past and dropped, so that whatever
 * the server sends takes no more memory than that, and no more than {@value #BURST} messages each
 * {@value #REST_MILLIS} ms are taken. It is never needed: that it did not open, broke or was closed
 * is all that can be seen of its troubles. Thread-safe.
 */
public final class TextSocket implements AutoCloseable {

  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(5);
  private static final int TEXT_LIMIT = 1 << 20;
  private static final int BURST = 200;
  private static final int REST_MILLIS = 50;

  private final HttpClient client;
  private final CountDownLatch known = new CountDownLatch(1);
  private final AtomicReference<@Nullable WebSocket> connected = new AtomicReference<>();
  private volatile boolean over;

  private TextSocket() {
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .proxy(HttpClient.Builder.NO_PROXY)
            .connectTimeout(CONNECT_LIMIT)
            .build();
  }

  /** Begins to connect. */
  static TextSocket open(URI address, Map<String, String> headers, Consumer<String> texts) {
    TextSocket made = new TextSocket();
    WebSocket.Builder builder = made.client.newWebSocketBuilder().connectTimeout(CONNECT_LIMIT);
    headers.forEach(builder::header);
    var unused =
        builder
            .buildAsync(address, made.new Ear(texts))
            // A handshake that nobody answers must not keep the connection.
            .orTimeout(2 * CONNECT_LIMIT.toSeconds(), TimeUnit.SECONDS)
            .exceptionally(
                failure -> {
                  made.close();
                  return null;
                });
    return made;
  }

  /** Waits for so long at most until it is open or is known not to open. */
  public void await(Duration limit) {
    try {
      boolean unused = known.await(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** It is connected, as far as is known. */
  public boolean isOpen() {
    return !over && connected.get() != null;
  }

  /** It did not open, broke, or was closed. */
  public boolean isOver() {
    return over;
  }

  @Override
  public void close() {
    over = true;
    known.countDown();
    WebSocket socket = connected.get();
    if (socket != null) {
      socket.abort();
    }
    client.shutdownNow();
  }

  /** Called by one thread at a time. */
  private final class Ear implements WebSocket.Listener {
    private final Consumer<String> texts;
    private final StringBuilder text = new StringBuilder();
    private boolean tooLong;
    private int taken;

    Ear(Consumer<String> texts) {
      this.texts = texts;
    }

    @Override
    public void onOpen(WebSocket socket) {
      connected.set(socket);
      known.countDown();
      if (over) {
        socket.abort();
      } else {
        socket.request(1);
      }
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean last) {
      tooLong |= text.length() + part.length() > TEXT_LIMIT;
      if (!tooLong) {
        text.append(part);
      }
      if (last) {
        String whole = text.toString();
        boolean heard = !tooLong;
        text.setLength(0);
        text.trimToSize();
        tooLong = false;
        if (heard) {
          texts.accept(whole);
        }
      }
      more(socket);
      return null;
    }

    @Override
    public @Nullable CompletionStage<?> onBinary(WebSocket socket, ByteBuffer part, boolean last) {
      more(socket);
      return null;
    }

    private void more(WebSocket socket) {
      taken++;
      if (taken % BURST == 0) {
        CompletableFuture.delayedExecutor(REST_MILLIS, TimeUnit.MILLISECONDS)
            .execute(() -> socket.request(1));
      } else {
        socket.request(1);
      }
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
      close();
      return null;
    }

    @Override
    public void onError(WebSocket socket, Throwable failure) {
      close();
    }
  }
}

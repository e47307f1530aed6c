package dev.swapgate.proxy.fallback;

import dev.swapgate.proxy.http.Field;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Calls providers, without waiting. Redirects are not followed, nothing is tried again here, and of
 * the client's own headers only the named ones go along. Thread-safe.
 */
final class ProviderClient implements AutoCloseable {

  /** A call that was never made. */
  private static final ProviderCall NOTHING =
      new ProviderCall() {
        @Override
        public void more() {}

        @Override
        public void cancel() {}
      };

  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(
          Thread.ofVirtual().name("swapgate-fallback-", 0).factory());

  /** One for each connect time-out: the library has it on the client. */
  private final Map<Duration, HttpClient> clients = new ConcurrentHashMap<>();

  ProviderCall call(
      Choice choice,
      String path,
      List<Field> headers,
      List<ByteBuffer> body,
      ProviderCall.Receiver receiver) {
    Provider provider = choice.provider();
    try {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(provider.target(path))
              .POST(publisher(body))
              .header("User-Agent", "swapgate")
              .header(Fallback.ONWARD, "1")
              .header("Accept-Encoding", "identity");
      if (!"https".equals(provider.url().getScheme())) {
        // Without it the library offers an upgrade that some small servers stumble over.
        request.version(HttpClient.Version.HTTP_1_1);
      }
      headers.forEach(field -> request.setHeader(field.name(), field.value()));
      if (!choice.key().secret().isEmpty()) {
        switch (provider.api()) {
          case OPENAI -> request.setHeader("Authorization", "Bearer " + choice.key().secret());
          case ANTHROPIC -> request.setHeader("x-api-key", choice.key().secret());
        }
      }
      provider.headers().forEach(request::setHeader);
      return new Exchange(client(provider.timeouts().connect()), request.build(), receiver).begin();
    } catch (IllegalArgumentException unfit) {
      // What it says may hold a secret.
      receiver.failed(ProviderEnd.How.BROKEN, "a header of it cannot be sent");
      return NOTHING;
    }
  }

  /** With its length told; nothing is copied. */
  private static HttpRequest.BodyPublisher publisher(List<ByteBuffer> body) {
    return HttpRequest.BodyPublishers.concat(
        body.stream()
            .map(
                part ->
                    HttpRequest.BodyPublishers.ofByteArray(
                        part.array(), part.arrayOffset() + part.position(), part.remaining()))
            .toArray(HttpRequest.BodyPublisher[]::new));
  }

  private HttpClient client(Duration connect) {
    return clients.computeIfAbsent(
        connect,
        limit ->
            HttpClient.newBuilder()
                .connectTimeout(limit)
                .followRedirects(HttpClient.Redirect.NEVER)
                .executor(threads)
                .build());
  }

  /** Takes no new calls; those under way come to their end. */
  void retire() {
    clients.values().forEach(HttpClient::shutdown);
  }

  @Override
  public void close() {
    clients.values().forEach(HttpClient::shutdownNow);
    threads.shutdownNow();
  }

  private static final class Exchange implements ProviderCall, HttpResponse.BodySubscriber<Void> {
    private final HttpClient client;
    private final HttpRequest request;
    private final ProviderCall.Receiver receiver;
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private final AtomicBoolean over = new AtomicBoolean();
    private volatile @Nullable CompletableFuture<HttpResponse<Void>> under;
    private Flow.@Nullable Subscription subscription;
    private boolean wanted;

    Exchange(HttpClient client, HttpRequest request, ProviderCall.Receiver receiver) {
      this.client = client;
      this.request = request;
      this.receiver = receiver;
    }

    Exchange begin() {
      CompletableFuture<HttpResponse<Void>> sent =
          client.sendAsync(
              request,
              info -> {
                receiver.head(new ProviderHead(info.statusCode(), info.headers()));
                return this;
              });
      under = sent;
      CompletableFuture<Void> unused =
          sent.handle(
              (response, failure) -> {
                if (failure != null) {
                  failed(failure);
                }
                return null;
              });
      return this;
    }

    /** May come before the library has begun with the body. */
    @Override
    public synchronized void more() {
      if (subscription == null) {
        wanted = true;
      } else {
        subscription.request(1);
      }
    }

    @Override
    public void cancel() {
      over.set(true);
      synchronized (this) {
        if (subscription != null) {
          subscription.cancel();
        }
      }
      CompletableFuture<HttpResponse<Void>> sent = under;
      if (sent != null) {
        sent.cancel(true);
      }
    }

    @Override
    public CompletionStage<Void> getBody() {
      return done;
    }

    @Override
    public synchronized void onSubscribe(Flow.Subscription begun) {
      subscription = begun;
      if (over.get()) {
        begun.cancel();
      } else if (wanted) {
        begun.request(1);
      }
    }

    @Override
    public void onNext(List<ByteBuffer> bytes) {
      if (!over.get()) {
        receiver.body(bytes);
      }
    }

    @Override
    public void onError(Throwable failure) {
      done.completeExceptionally(failure);
      failed(failure);
    }

    @Override
    public void onComplete() {
      done.complete(null);
      if (!over.getAndSet(true)) {
        receiver.ended();
      }
    }

    private void failed(Throwable failure) {
      if (over.getAndSet(true)) {
        return;
      }
      Throwable cause =
          failure instanceof CompletionException && failure.getCause() != null
              ? failure.getCause()
              : failure;
      receiver.failed(how(cause), words(cause));
    }

    private static ProviderEnd.How how(Throwable cause) {
      if (cause instanceof HttpConnectTimeoutException || cause instanceof HttpTimeoutException) {
        return ProviderEnd.How.TIMED_OUT;
      }
      return cause instanceof ConnectException || cause instanceof UnresolvedAddressException
          ? ProviderEnd.How.REFUSED
          : ProviderEnd.How.BROKEN;
    }

    private static String words(Throwable cause) {
      String said = cause instanceof IOException ? cause.getMessage() : null;
      return cause.getClass().getSimpleName() + (said == null ? "" : ": " + said);
    }
  }
}

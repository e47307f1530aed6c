package dev.swapgate.backends.http;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** Reads the first bytes of a body, at most so many, and lets the rest be. */
public final class BoundedBody implements HttpResponse.BodySubscriber<BoundedBody.Start> {
  private final int limit;
  private final ByteArrayOutputStream read = new ByteArrayOutputStream();
  private final CompletableFuture<Start> body = new CompletableFuture<>();
  private Flow.@Nullable Subscription subscription;

  private BoundedBody(int limit) {
    this.limit = limit;
  }

  /**
   * How a body begins.
   *
   * @param cut whether there was more of it than was read
   */
  @SuppressWarnings("ArrayRecordComponent") // Handed over once; nobody compares two of them.
  public record Start(byte[] bytes, boolean cut) {
    public String text() {
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }

  public static HttpResponse.BodyHandler<Start> upTo(int limit) {
    return info -> new BoundedBody(limit);
  }

  @Override
  public CompletionStage<Start> getBody() {
    return body;
  }

  @Override
  public void onSubscribe(Flow.Subscription given) {
    subscription = given;
    if (limit == 0) {
      end(true); // Who wants nothing of the body does not wait for it either.
    } else {
      given.request(Long.MAX_VALUE);
    }
  }

  @Override
  public void onNext(List<ByteBuffer> parts) {
    for (ByteBuffer part : parts) {
      int taken = Math.min(part.remaining(), limit - read.size());
      byte[] bytes = new byte[taken];
      part.get(bytes);
      read.writeBytes(bytes);
      if (part.hasRemaining()) {
        end(true);
        return;
      }
    }
  }

  private void end(boolean cut) {
    if (cut && subscription != null) {
      subscription.cancel();
    }
    body.complete(new Start(read.toByteArray(), cut));
  }

  @Override
  public void onError(Throwable failure) {
    body.completeExceptionally(failure);
  }

  @Override
  public void onComplete() {
    end(false);
  }
}

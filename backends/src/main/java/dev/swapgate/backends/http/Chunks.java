package dev.swapgate.backends.http;

import dev.swapgate.gate.port.BackendException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A body taken piece by piece by whoever writes it down. Never more than one piece waits here, so a
 * file of any size needs little memory; a sender that falls silent is noticed.
 */
public final class Chunks implements HttpResponse.BodySubscriber<Chunks> {
  private final BlockingQueue<Piece> pieces = new LinkedBlockingQueue<>();
  private Flow.@Nullable Subscription subscription;

  private Chunks() {}

  private sealed interface Piece {
    record Bytes(List<ByteBuffer> buffers) implements Piece {}

    record End() implements Piece {}

    record Broken(String seen) implements Piece {}
  }

  public static HttpResponse.BodyHandler<Chunks> streamed() {
    return info -> new Chunks();
  }

  /**
   * The next buffers; an empty list at the end of the body.
   *
   * @param silence how long to wait for them
   * @throws BackendException when the body broke off or nothing came; the message is what was seen
   */
  public List<ByteBuffer> next(Duration silence) {
    Piece piece = taken(silence);
    return switch (piece) {
      case Piece.Bytes bytes -> {
        if (subscription != null) {
          subscription.request(1);
        }
        yield bytes.buffers();
      }
      case Piece.End end -> List.of();
      case Piece.Broken broken -> throw new BackendException(broken.seen());
    };
  }

  private Piece taken(Duration silence) {
    try {
      Piece piece = pieces.poll(silence.toMillis(), TimeUnit.MILLISECONDS);
      return piece != null
          ? piece
          : new Piece.Broken("nothing more came for " + silence.toMillis() + " ms");
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return new Piece.Broken("interrupted while reading the answer");
    }
  }

  @Override
  public CompletionStage<Chunks> getBody() {
    return CompletableFuture.completedStage(this);
  }

  @Override
  public void onSubscribe(Flow.Subscription given) {
    subscription = given;
    given.request(1);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    pieces.add(new Piece.Bytes(buffers));
  }

  @Override
  public void onError(Throwable failure) {
    pieces.add(new Piece.Broken(Seen.words(failure)));
  }

  @Override
  public void onComplete() {
    pieces.add(new Piece.End());
  }
}

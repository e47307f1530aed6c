package dev.swapgate.backends.media;

import dev.swapgate.backends.http.Chunks;
import dev.swapgate.backends.http.OneShot;
import dev.swapgate.gate.port.BackendException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A file on its way; must be closed. One reader. */
public final class Download implements ResultFolder.Source, AutoCloseable {

  /** How long a download may stand still. */
  public static final Duration SILENCE_LIMIT = Duration.ofSeconds(60);

  /** How long one download may take in all; the gate gives a collection 10 min. */
  public static final Duration LIMIT = Duration.ofMinutes(9);

  private final String question;
  private final OneShot<Chunks> asked;
  private final Duration silence;
  private final CompletableFuture<Void> whole = new CompletableFuture<>();

  Download(String question, OneShot<Chunks> asked, Duration silence, Duration limit) {
    this.question = question;
    this.asked = asked;
    this.silence = silence;
    // A sender that drips is never silent: the whole download has its own end.
    CompletableFuture<Void> unused =
        whole
            .orTimeout(limit.toSeconds(), TimeUnit.SECONDS)
            .whenComplete((done, late) -> asked.close());
  }

  public int status() {
    return asked.response().statusCode();
  }

  /** Lower case; empty when it is not told. */
  public String contentType() {
    return asked
        .response()
        .headers()
        .firstValue("content-type")
        .orElse("")
        .toLowerCase(Locale.ROOT);
  }

  @Override
  public List<ByteBuffer> next() {
    try {
      return asked.response().body().next(silence);
    } catch (BackendException broken) {
      throw AnswerException.unanswered(question + ": " + broken.getMessage());
    }
  }

  /** How it begins, as text; the rest is let be. */
  public String beginning(int bytes) {
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    for (List<ByteBuffer> part = next(); !part.isEmpty() && read.size() < bytes; part = next()) {
      for (ByteBuffer buffer : part) {
        byte[] taken = new byte[Math.min(buffer.remaining(), bytes - read.size())];
        buffer.get(taken);
        read.writeBytes(taken);
      }
    }
    return read.toString(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    whole.complete(null);
  }
}

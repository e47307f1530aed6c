package dev.swapgate.proxy.notify;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers to one target, in order, on a thread of its own. A notice is tried a few times with
 * growing pauses, then given up; a full box takes no more. The log names the target, never its
 * address, which may be a secret.
 */
final class Mailbox implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Mailbox.class);

  static final int ROOM = 100;
  static final int TRIES = 5;

  /** The first pause; each further one is four times as long: 2, 8, 32, 128 s. */
  static final Duration FIRST_PAUSE = Duration.ofSeconds(2);

  private final Target target;
  private final HttpClient client;
  private final Pause pause;
  private final BlockingQueue<Notice> notices = new ArrayBlockingQueue<>(ROOM);
  private final Thread thread;

  /** Waits between two tries. */
  interface Pause {
    void between(Duration length) throws InterruptedException;
  }

  /**
   * How a try ended.
   *
   * @param trouble empty when it was delivered
   */
  private record Outcome(String trouble, boolean again) {}

  Mailbox(Target target, HttpClient client, Pause pause) {
    this.target = target;
    this.client = client;
    this.pause = pause;
    this.thread = Thread.ofVirtual().name("swapgate-notify-" + target.name()).start(this::run);
  }

  /** Returns at once. */
  void put(Notice notice) {
    if (!notices.offer(notice)) {
      LOG.warn("notify={} event={} lost=\"{} wait already\"", target.name(), word(notice), ROOM);
    }
  }

  private void run() {
    try {
      while (true) {
        deliver(notices.take());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void deliver(Notice notice) throws InterruptedException {
    Duration wait = FIRST_PAUSE;
    for (int tries = 1; ; tries++) {
      Outcome outcome = send(notice);
      if (outcome.trouble().isEmpty()) {
        LOG.debug("notify={} event={} tries={}", target.name(), word(notice), tries);
        return;
      }
      if (!outcome.again() || tries == TRIES) {
        LOG.warn(
            "notify={} event={} tries={} lost=\"{}\"",
            target.name(),
            word(notice),
            tries,
            outcome.trouble());
        return;
      }
      pause.between(wait);
      wait = wait.multipliedBy(4);
    }
  }

  private Outcome send(Notice notice) throws InterruptedException {
    CompletableFuture<HttpResponse<Void>> answer =
        client.sendAsync(request(notice), HttpResponse.BodyHandlers.discarding());
    try {
      int status = answer.get(target.timeout().toMillis(), TimeUnit.MILLISECONDS).statusCode();
      if (status >= 200 && status < 300) {
        return new Outcome("", false);
      }
      boolean again = status >= 500 || status == 408 || status == 425 || status == 429;
      return new Outcome("it answered " + status, again);
    } catch (TimeoutException e) {
      return new Outcome("no answer within " + target.timeout().toSeconds() + " s", true);
    } catch (ExecutionException e) {
      Throwable why = e.getCause() == null ? e : e.getCause();
      return new Outcome(why.getClass().getSimpleName(), true);
    } finally {
      answer.cancel(true);
    }
  }

  private HttpRequest request(Notice notice) {
    Letter letter = Letter.of(notice, target.shape());
    HttpRequest.Builder request =
        HttpRequest.newBuilder(target.url())
            .timeout(target.timeout())
            .header("Content-Type", letter.contentType())
            .POST(HttpRequest.BodyPublishers.ofString(letter.body()));
    letter.headers().forEach(request::setHeader);
    target.headers().forEach(request::setHeader);
    return request.build();
  }

  private static String word(Notice notice) {
    return notice.kind().word();
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}

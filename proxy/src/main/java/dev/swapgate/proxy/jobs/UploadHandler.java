package dev.swapgate.proxy.jobs;

import dev.swapgate.proxy.http.Answer;
import dev.swapgate.proxy.http.AnswerHandler;
import dev.swapgate.proxy.http.Ask;
import dev.swapgate.proxy.http.HttpProblem;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.RequestTooBigException;
import io.undertow.util.Headers;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xnio.XnioExecutor;

/**
 * {@code POST jobs} with files: written to the disk while they arrive, on a worker thread. Few at a
 * time, so that slow senders cannot take all of those.
 */
final class UploadHandler implements HttpHandler {
  private static final Logger LOG = LoggerFactory.getLogger(UploadHandler.class);

  /** Bytes that one request with files may have in all. */
  static final long MAX_BODY = 512L << 20;

  private static final int AT_ONCE = 2;
  private static final Duration BODY_DEADLINE = Duration.ofMinutes(10);

  private final Uploads uploads;
  private final JobDesk desk;
  private final int maxJob;
  private final Semaphore places = new Semaphore(AT_ONCE);

  UploadHandler(Uploads uploads, JobDesk desk, int maxJob) {
    this.uploads = uploads;
    this.desk = desk;
    this.maxJob = maxJob;
  }

  @Override
  public void handleRequest(HttpServerExchange exchange) {
    exchange.setMaxEntitySize(MAX_BODY);
    if (!places.tryAcquire()) {
      exchange.getResponseHeaders().put(Headers.RETRY_AFTER, 30);
      AnswerHandler.send(
          exchange,
          Answer.problem(
              429, "uploads_busy", AT_ONCE + " uploads are under way already; try again later"));
      return;
    }
    exchange.addExchangeCompleteListener(
        (done, next) -> {
          places.release();
          next.proceed();
        });
    XnioExecutor.Key deadline = AnswerHandler.closeAfter(exchange, BODY_DEADLINE);
    exchange.dispatch(
        () -> {
          exchange.startBlocking();
          AnswerHandler.send(
              exchange,
              AnswerHandler.answered(
                  ask -> take(exchange, ask, deadline), Ask.of(exchange, new byte[0])));
        });
  }

  private Answer take(HttpServerExchange exchange, Ask ask, XnioExecutor.Key deadline) {
    String type = String.valueOf(exchange.getRequestHeaders().getFirst(Headers.CONTENT_TYPE));
    Uploads.Batch batch;
    try {
      batch = uploads.begin();
    } catch (IOException e) {
      throw unwritable(e);
    }
    boolean kept = false;
    try {
      byte[] job = MultipartBody.read(exchange.getInputStream(), type, batch, maxJob);
      deadline.remove();
      JobDesk.Taken taken = desk.take(desk.parsed(ask, job), batch.attachments());
      kept = taken.attachmentsKept();
      return taken.answer();
    } catch (RequestTooBigException e) {
      throw new HttpProblem(
          413, "body_too_large", "the request is larger than " + MAX_BODY + " bytes");
    } catch (IOException e) {
      throw unwritable(e);
    } finally {
      deadline.remove();
      if (!kept) {
        batch.discard();
      }
    }
  }

  private static HttpProblem unwritable(IOException e) {
    LOG.warn("an upload failed reason={}", e.toString());
    return new HttpProblem(
        507, "storage", "the files could not be received and written to the disk: " + e);
  }
}

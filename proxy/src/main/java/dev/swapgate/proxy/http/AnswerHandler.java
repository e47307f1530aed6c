package dev.swapgate.proxy.http;

import io.undertow.io.IoCallback;
import io.undertow.io.Sender;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import io.undertow.util.Methods;
import io.undertow.util.StatusCodes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.LinkOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xnio.IoUtils;
import org.xnio.XnioExecutor;

/**
 * Reads a request's whole body within a size and a time, lets {@link Answerer} answer it on a
 * virtual thread, and sends what it answered. The I/O thread never waits.
 */
public final class AnswerHandler implements HttpHandler {
  private static final Logger LOG = LoggerFactory.getLogger(AnswerHandler.class);

  /** How long a body may take to arrive: Undertow itself would wait for ever. */
  private static final Duration BODY_DEADLINE = Duration.ofSeconds(30);

  /** Told with a refusal that names no better figure. */
  private static final int RETRY_AFTER_SECONDS = 30;

  private final Executor executor;
  private final long maxBody;
  private final Answerer answerer;

  /** Answers one request; may block. What it cannot do is an {@link HttpProblem}. */
  @FunctionalInterface
  public interface Answerer {
    Answer answer(Ask ask);
  }

  public AnswerHandler(Executor executor, long maxBody, Answerer answerer) {
    this.executor = executor;
    this.maxBody = maxBody;
    this.answerer = answerer;
  }

  @Override
  public void handleRequest(HttpServerExchange exchange) {
    if (takesBody(exchange) && !Ask.hasType(exchange, "application/json")) {
      send(exchange, Answer.problem(415, "bad_media_type", "send Content-Type: application/json"));
      return;
    }
    exchange.setMaxEntitySize(maxBody);
    XnioExecutor.Key deadline = closeAfter(exchange, BODY_DEADLINE);
    exchange
        .getRequestReceiver()
        .receiveFullBytes(
            (whole, body) -> {
              deadline.remove();
              whole.dispatch(executor, () -> send(whole, answered(answerer, Ask.of(whole, body))));
            },
            (broken, error) -> {
              deadline.remove();
              send(broken, unreadable(error));
            });
  }

  /** Ends the connection unless the returned key is removed in time. */
  public static XnioExecutor.Key closeAfter(HttpServerExchange exchange, Duration limit) {
    return exchange
        .getIoThread()
        .executeAfter(
            () -> IoUtils.safeClose(exchange.getConnection()),
            limit.toMillis(),
            TimeUnit.MILLISECONDS);
  }

  private static boolean takesBody(HttpServerExchange exchange) {
    return exchange.getRequestMethod().equals(Methods.POST);
  }

  private Answer unreadable(IOException error) {
    return error instanceof io.undertow.server.RequestTooBigException
        ? Answer.problem(
            StatusCodes.REQUEST_ENTITY_TOO_LARGE,
            "body_too_large",
            "the request's body is larger than " + maxBody + " bytes")
        : Answer.problem(StatusCodes.BAD_REQUEST, "bad_body", "the request's body is broken");
  }

  /** What this answerer says; whatever goes wrong is an answer too. */
  public static Answer answered(Answerer answerer, Ask ask) {
    try {
      return answerer.answer(ask);
    } catch (HttpProblem problem) {
      return Answer.problem(problem);
    } catch (RuntimeException bug) {
      LOG.error("an admin request failed by a fault of ours", bug);
      return Answer.problem(
          StatusCodes.INTERNAL_SERVER_ERROR,
          "internal",
          "swapgate failed to answer; its log has the reason");
    }
  }

  /** Sends it and ends the exchange. */
  public static void send(HttpServerExchange exchange, Answer answer) {
    switch (answer) {
      case Answer.Text text -> sendText(exchange, text);
      case Answer.Download download -> sendFile(exchange, download);
    }
  }

  private static void sendText(HttpServerExchange exchange, Answer.Text text) {
    exchange.setStatusCode(text.status());
    exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, text.contentType());
    if ((text.status() == 429 || text.status() == 503)
        && !exchange.getResponseHeaders().contains(Headers.RETRY_AFTER)) {
      exchange.getResponseHeaders().put(Headers.RETRY_AFTER, RETRY_AFTER_SECONDS);
    }
    byte[] body = text.body().getBytes(StandardCharsets.UTF_8);
    exchange.setResponseContentLength(body.length);
    exchange.getResponseSender().send(ByteBuffer.wrap(body));
  }

  private static void sendFile(HttpServerExchange exchange, Answer.Download download) {
    FileChannel file;
    long size;
    try {
      file = FileChannel.open(download.file(), StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
      size = file.size();
    } catch (IOException e) {
      send(exchange, Answer.problem(404, "no_such_file", "the file is not there any more"));
      return;
    }
    exchange.setStatusCode(download.status());
    exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "application/octet-stream");
    exchange
        .getResponseHeaders()
        .put(
            Headers.CONTENT_DISPOSITION, "attachment; filename=\"" + quoted(download.name()) + '"');
    exchange.setResponseContentLength(size);
    exchange.addExchangeCompleteListener(
        (done, next) -> {
          IoUtils.safeClose(file);
          next.proceed();
        });
    exchange.getResponseSender().transferFrom(file, new EndExchange());
  }

  /** Leaves what is safe inside a quoted string of a header. */
  private static String quoted(String name) {
    return name.replaceAll("[^A-Za-z0-9._ ()-]", "_");
  }

  /** Ends a transfer; a broken one breaks the connection, so that nobody takes it for whole. */
  private static final class EndExchange implements IoCallback {
    @Override
    public void onComplete(HttpServerExchange exchange, Sender sender) {
      exchange.endExchange();
    }

    @Override
    public void onException(HttpServerExchange exchange, Sender sender, IOException exception) {
      IoUtils.safeClose(exchange.getConnection());
    }
  }
}

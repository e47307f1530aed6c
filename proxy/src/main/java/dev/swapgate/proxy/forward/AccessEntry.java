package dev.swapgate.proxy.forward;

import dev.swapgate.gate.runtime.SteadyClock;
import dev.swapgate.proxy.http.AnsweredBy;
import dev.swapgate.proxy.http.ApiShape;
import dev.swapgate.proxy.http.ErrorAnswer;
import dev.swapgate.proxy.http.ErrorEnvelope;
import dev.swapgate.proxy.http.UnreadAnswer;
import io.undertow.server.HttpServerExchange;
import java.time.Duration;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xnio.IoUtils;

/**
 * What the access log will say of one request: one line, written when the exchange ends, with the
 * path but neither query nor headers nor bodies. Confined to the I/O thread.
 */
public final class AccessEntry {

  /** How the answer ended. */
  public enum End {
    WHOLE,
    /** The client left or stopped reading. */
    GONE,
    /** Ended by the gate at the end of a drain. */
    CUT,
    /** The engine did not bring it to its end. */
    BROKEN
  }

  private static final Logger ACCESS = LoggerFactory.getLogger("swapgate.access");
  private static final int LONGEST_PATH = 200;

  private final HttpServerExchange exchange;
  private final SteadyClock clock;
  private final BiConsumer<String, String> tally;
  private final Duration began;
  private @Nullable Duration sentUpstream;
  private @Nullable Duration answeredUpstream;
  private String answeredBy = AnsweredBy.GATE;
  private String refused = "-";
  private String failure = "";
  private End end = End.WHOLE;
  private boolean told;

  /**
   * @param tally counts who answered it, and how it ended
   */
  public AccessEntry(
      HttpServerExchange exchange, SteadyClock clock, BiConsumer<String, String> tally) {
    this.exchange = exchange;
    this.clock = clock;
    this.tally = tally;
    this.began = clock.now().steady();
    exchange.addExchangeCompleteListener(
        (ended, next) -> {
          tell();
          next.proceed();
        });
  }

  public void sentUpstream() {
    sentUpstream = clock.now().steady();
  }

  public void answeredUpstream(String by) {
    answeredUpstream = clock.now().steady();
    answeredBy = by;
  }

  /** The engine did not answer, or not to the end. */
  public void failedUpstream(String why) {
    if (answeredUpstream == null) {
      answeredUpstream = clock.now().steady();
    }
    failure = why;
    ended(End.BROKEN);
  }

  /**
   * Says no to the client, and that it was said.
   *
   * @param patience how long the client may leave that unread
   */
  public void refuse(ApiShape api, ErrorAnswer error, Duration patience) {
    refused = error.code();
    ErrorEnvelope.send(exchange, api, error);
    UnreadAnswer.letGoAfter(exchange, patience);
  }

  /** The client left before anything was said to it. */
  public void clientLeft() {
    ended(End.GONE);
    IoUtils.safeClose(exchange.getConnection());
    exchange.endExchange();
  }

  public void ended(End how) {
    if (end == End.WHOLE) {
      end = how;
    }
  }

  /** Writes the line; for a connection that became a tunnel, when the tunnel ends. */
  public void tell() {
    if (told) {
      return;
    }
    told = true;
    boolean answered = exchange.isResponseStarted();
    String status = answered ? Integer.toString(exchange.getStatusCode()) : "-";
    String outcome =
        end == End.WHOLE && answered ? status : word(end == End.WHOLE ? End.GONE : end);
    tally.accept(answeredBy, outcome);
    if (ACCESS.isInfoEnabled()) {
      ACCESS.info(
          "method={} path={} status={} bytes={} answered_by={} total_ms={} upstream_ms={}"
              + " refused={} end={}{}",
          exchange.getRequestMethod(),
          path(),
          status,
          exchange.getResponseBytesSent(),
          answeredBy,
          clock.now().steady().minus(began).toMillis(),
          upstreamMs(),
          refused,
          word(end),
          failure.isEmpty() ? "" : " why=\"" + failure.replaceAll("[^ !#-~]", "?") + '"');
    }
  }

  /** Until its answer began, or until now if it never did. */
  private String upstreamMs() {
    if (sentUpstream == null) {
      return "-";
    }
    Duration until = answeredUpstream == null ? clock.now().steady() : answeredUpstream;
    return Long.toString(until.minus(sentUpstream).toMillis());
  }

  private String path() {
    String path = exchange.getRequestURI();
    String cut = path.length() > LONGEST_PATH ? path.substring(0, LONGEST_PATH) : path;
    for (int i = 0; i < cut.length(); i++) {
      if (cut.charAt(i) <= ' ' || cut.charAt(i) > '~') {
        return cut.replaceAll("[^!-~]", "?");
      }
    }
    return cut;
  }

  private static String word(End end) {
    return switch (end) {
      case WHOLE -> "whole";
      case GONE -> "gone";
      case CUT -> "cut";
      case BROKEN -> "broken";
    };
  }
}

package dev.swapgate.proxy.forward;

import dev.swapgate.gate.runtime.SteadyClock;
import dev.swapgate.proxy.http.AnsweredBy;
import dev.swapgate.proxy.http.ApiShape;
import dev.swapgate.proxy.http.ErrorAnswer;
import dev.swapgate.proxy.http.ErrorEnvelope;
import dev.swapgate.proxy.http.Field;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.protocol.http.HttpAttachments;
import io.undertow.server.protocol.http.HttpServerConnection;
import io.undertow.util.HeaderMap;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xnio.IoUtils;
import org.xnio.Options;
import org.xnio.channels.StreamSinkChannel;

/**
 * An engine's answer on its way to the client: head as it came, each piece of the body flushed as
 * it comes, and an end that is clean only if the engine's was. Confined to the exchange's I/O
 * thread.
 */
public final class ClientAnswer {

  /** Who is told how the client takes it. */
  public interface Reader {
    /** The client does not keep up: send nothing more for now. */
    void full();

    void ready();

    /** The client cannot be written to. */
    void gone();
  }

  private static final Logger LOG = LoggerFactory.getLogger(ClientAnswer.class);

  /** How long a client may take to read that its answer was broken off. */
  private static final int LAST_WORDS_MS = 2000;

  private enum Shape {
    EVENTS,
    JSON_LINES,
    OPAQUE
  }

  private enum Then {
    MORE,
    END,
    BREAK
  }

  private final HttpServerExchange exchange;
  private final ApiShape api;
  private final SteadyClock clock;
  private final Reader reader;
  private final Deque<ByteBuffer> waiting = new ArrayDeque<>();
  private final StreamLines lines = new StreamLines();
  private @Nullable StreamSinkChannel channel;
  private Shape shape = Shape.OPAQUE;
  private Then then = Then.MORE;
  private boolean full;
  private @Nullable Duration stuckSince;
  private boolean over;

  public ClientAnswer(HttpServerExchange exchange, ApiShape api, SteadyClock clock, Reader reader) {
    this.exchange = exchange;
    this.api = api;
    this.clock = clock;
    this.reader = reader;
  }

  public boolean begun() {
    return channel != null;
  }

  /** Whether the client has taken nothing of what waits for it for longer than that. */
  public boolean isStuckFor(Duration limit) {
    return stuckSince != null && clock.now().steady().minus(stuckSince).compareTo(limit) > 0;
  }

  public void begin(ResponseHead head, String answeredBy) {
    exchange.setStatusCode(head.status());
    exchange.setReasonPhrase(head.reason());
    copyHeaders(head, answeredBy);
    boolean measured = head.first("Content-Length").isPresent();
    if (!measured && exchange.isHttp11()) {
      // Without it a client that asked to close would get a body that ends with the connection, and
      // a broken answer would look like a whole one.
      exchange.getResponseHeaders().put(Headers.TRANSFER_ENCODING, "chunked");
    }
    shape = shape(head, measured);
    StreamSinkChannel opened = exchange.getResponseChannel();
    if (opened == null) {
      throw new IllegalStateException("the response was taken by someone else");
    }
    channel = opened;
    opened.getWriteSetter().set(c -> writable());
  }

  /** A word before the answer. The library has no way to say it. */
  public void interim(ResponseHead head) {
    if (!exchange.isHttp11()
        || !(exchange.getConnection() instanceof HttpServerConnection connection)) {
      return;
    }
    StringBuilder text = new StringBuilder("HTTP/1.1 " + head.status() + ' ' + head.reason());
    HopByHop hop = HopByHop.ofAnswer(head.values("Connection"));
    for (Field field : head.fields()) {
      if (!hop.holds(field.name().toLowerCase(Locale.ROOT))) {
        text.append("\r\n").append(field.name()).append(": ").append(field.value());
      }
    }
    text.append("\r\n\r\n");
    ByteBuffer bytes = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.ISO_8859_1));
    try {
      // Nothing was sent before it: what the kernel does not take at once is read by nobody.
      if (connection.getOriginalSinkConduit().write(bytes) > 0 && bytes.hasRemaining()) {
        lost();
      }
    } catch (IOException e) {
      lost();
    }
  }

  private void copyHeaders(ResponseHead head, String answeredBy) {
    HopByHop hop = HopByHop.ofAnswer(head.values("Connection"));
    HeaderMap headers = exchange.getResponseHeaders();
    for (Field field : head.fields()) {
      if (!hop.holds(field.name().toLowerCase(Locale.ROOT))) {
        headers.add(HttpString.tryFromString(field.name()), field.value());
      }
    }
    if (headers.count(Headers.CONTENT_LENGTH) > 1) {
      headers.put(Headers.CONTENT_LENGTH, headers.getFirst(Headers.CONTENT_LENGTH));
    }
    headers.put(AnsweredBy.HEADER, answeredBy);
  }

  /** Only where a line of ours can be added without lying about the length or the coding. */
  private static Shape shape(ResponseHead head, boolean measured) {
    if (measured || !head.isPlainText()) {
      return Shape.OPAQUE;
    }
    return switch (head.mediaType()) {
      case "text/event-stream" -> Shape.EVENTS;
      case "application/x-ndjson", "application/ndjson" -> Shape.JSON_LINES;
      default -> Shape.OPAQUE;
    };
  }

  /** Sends bytes that are good for the length of this call only. */
  public void body(ByteBuffer bytes) {
    send(shape == Shape.OPAQUE ? bytes : lines.pass(bytes));
  }

  /** Pushes out what was sent so far, the head included. */
  public void flush() {
    push();
  }

  /** The engine's answer is whole. */
  public void end(List<Field> trailers) {
    if (!trailers.isEmpty()) {
      HeaderMap map = new HeaderMap();
      trailers.forEach(t -> map.add(HttpString.tryFromString(t.name()), t.value()));
      exchange.putAttachment(HttpAttachments.RESPONSE_TRAILERS, map);
    }
    send(lines.rest());
    then = Then.END;
    push();
  }

  /**
   * The engine's answer will not become whole: says so as the stream allows, then breaks it off.
   */
  public void breakOff(ErrorAnswer error) {
    String last =
        switch (shape) {
          case EVENTS -> lines.separator() + ErrorEnvelope.lastEvent(api, error);
          case JSON_LINES -> ErrorEnvelope.lastLine(error);
          case OPAQUE -> "";
        };
    send(ByteBuffer.wrap(last.getBytes(StandardCharsets.UTF_8)));
    then = Then.BREAK;
    push();
    if (!over) {
      // The engine waits to be stopped until this client is done with.
      exchange.getIoThread().executeAfter(this::abort, LAST_WORDS_MS, TimeUnit.MILLISECONDS);
    }
  }

  /** Closes the client's connection at once. */
  public void abort() {
    if (over) {
      return;
    }
    over = true;
    if (begun() && !exchange.isHttp11()) {
      resetInsteadOfClose();
    }
    IoUtils.safeClose(exchange.getConnection());
    exchange.endExchange();
  }

  /** To an HTTP/1.0 client a closed connection is a clean end; a reset is not. */
  private void resetInsteadOfClose() {
    try {
      exchange.getConnection().setOption(Options.CLOSE_ABORT, true);
    } catch (IOException e) {
      LOG.debug("event=reset_not_set why=\"{}\"", e.getMessage());
    }
  }

  private void send(ByteBuffer bytes) {
    StreamSinkChannel to = channel;
    if (over || to == null || !bytes.hasRemaining()) {
      return;
    }
    try {
      if (waiting.isEmpty()) {
        writeAll(to, bytes);
      }
      if (bytes.hasRemaining()) {
        ByteBuffer copy = ByteBuffer.allocate(bytes.remaining());
        waiting.addLast(copy.put(bytes).flip());
      }
    } catch (IOException e) {
      lost();
    }
  }

  private void writeAll(StreamSinkChannel to, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining() && to.write(bytes) > 0) {
      stuckSince = null;
    }
  }

  private void writable() {
    push();
  }

  private void push() {
    StreamSinkChannel to = channel;
    if (over || to == null) {
      return;
    }
    try {
      while (!waiting.isEmpty()) {
        writeAll(to, waiting.getFirst());
        if (waiting.getFirst().hasRemaining()) {
          wait(to);
          return;
        }
        waiting.removeFirst();
      }
      if (!to.flush()) {
        wait(to);
        return;
      }
      drained(to);
    } catch (IOException e) {
      lost();
    }
  }

  private void drained(StreamSinkChannel to) {
    to.suspendWrites();
    stuckSince = null;
    switch (then) {
      case END -> {
        over = true;
        exchange.endExchange();
      }
      case BREAK -> abort();
      case MORE -> {
        if (full) {
          full = false;
          reader.ready();
        }
      }
    }
  }

  private void wait(StreamSinkChannel to) {
    if (stuckSince == null) {
      stuckSince = clock.now().steady();
    }
    to.resumeWrites();
    if (!full) {
      full = true;
      reader.full();
    }
  }

  private void lost() {
    if (!over) {
      abort();
      reader.gone();
    }
  }
}

package dev.swapgate.proxy.forward;

import dev.swapgate.gate.runtime.SteadyClock;
import dev.swapgate.proxy.http.BodyStream;
import dev.swapgate.proxy.http.ChunkException;
import dev.swapgate.proxy.http.Field;
import io.undertow.connector.ByteBufferPool;
import io.undertow.connector.PooledByteBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xnio.IoUtils;
import org.xnio.StreamConnection;
import org.xnio.conduits.ConduitStreamSinkChannel;
import org.xnio.conduits.ConduitStreamSourceChannel;

/**
 * One request and its answer on one connection to an engine. Reads and writes at the same time, as
 * an engine may answer before it has read everything. Confined to the connection's I/O thread.
 */
public final class UpstreamExchange {

  /** Who is told. After {@link #ended}, {@link #broken} or {@link #switched} nothing follows. */
  public interface Receiver {
    /** A word before the answer, such as 103; never 100 or 101. */
    void interim(ResponseHead head);

    void head(ResponseHead head);

    /** Bytes of the body, good for the length of the call. */
    void body(ByteBuffer bytes);

    /** All that one read brought has been told: time to flush. */
    void pause();

    /**
     * The answer is whole.
     *
     * @param reusable the connection was left as it was found
     */
    void ended(List<Field> trailers, boolean reusable);

    /** The engine speaks another protocol from here on; these bytes came first. */
    void switched(ResponseHead head, ByteBuffer first);

    /** The answer will not become whole. The connection is closed. */
    void broken(String why);
  }

  private static final Logger LOG = LoggerFactory.getLogger(UpstreamExchange.class);

  /** A server that closes an idle connection does it before it has thought about a request. */
  private static final Duration IDLE_RACE = Duration.ofMillis(50);

  private static final int READS_IN_A_ROW = 8;

  /** Parts of a request: each write copies all it is given, whatever the connection then takes. */
  private static final int AT_ONCE = 4;

  /** The client has heard it from us, when it asked. */
  private static final int CONTINUE = 100;

  private static final int PIECE_BYTES = 32 * 1024;
  private static final int MAX_INTERIM = 16;
  private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);

  private final StreamConnection connection;
  private final boolean reused;
  private final ByteBufferPool buffers;
  private final SteadyClock clock;
  private final Receiver receiver;
  private final boolean headRequest;
  private final ByteBuffer[] request;
  private final @Nullable BodyStream rest;
  private final ResponseHeadParser parser = new ResponseHeadParser();
  private int next;
  private @Nullable Duration written;
  private boolean writeFailed;
  private boolean anyByte;
  private int interim;
  private @Nullable ResponseHead head;
  private @Nullable BodyDecoder decoder;
  private boolean resting;
  private boolean over;

  public UpstreamExchange(
      StreamConnection connection,
      boolean reused,
      ByteBufferPool buffers,
      SteadyClock clock,
      List<ByteBuffer> request,
      boolean headRequest,
      Receiver receiver) {
    this(connection, reused, buffers, clock, request, null, headRequest, receiver);
  }

  /**
   * @param rest what follows the bytes in memory; such a request can be sent only once
   */
  public UpstreamExchange(
      StreamConnection connection,
      boolean reused,
      ByteBufferPool buffers,
      SteadyClock clock,
      List<ByteBuffer> request,
      @Nullable BodyStream rest,
      boolean headRequest,
      Receiver receiver) {
    this.rest = rest;
    this.connection = connection;
    this.reused = reused;
    this.buffers = buffers;
    this.clock = clock;
    this.request = request.toArray(ByteBuffer[]::new);
    this.headRequest = headRequest;
    this.receiver = receiver;
  }

  public void begin() {
    ConduitStreamSourceChannel source = connection.getSourceChannel();
    source.setReadListener(channel -> readable());
    connection.getSinkChannel().setWriteListener(channel -> writable());
    source.resumeReads();
    if (rest == null) {
      writable();
    } else {
      rest.begin(this::writable);
    }
  }

  public StreamConnection connection() {
    return connection;
  }

  /** Whether the whole request has left. */
  public boolean isWritten() {
    return written != null;
  }

  /**
   * Whether the engine can be taken not to have seen the request: it went over a kept connection
   * that ended without a byte, before the request was whole or right after.
   */
  public boolean mayBeSentAgain() {
    boolean atOnce =
        written == null || clock.now().steady().minus(written).compareTo(IDLE_RACE) <= 0;
    return reused && rest == null && !anyByte && atOnce;
  }

  /** Stops reading: the client does not keep up. */
  public void rest() {
    resting = true;
    connection.getSourceChannel().suspendReads();
  }

  public void proceed() {
    if (resting && !over) {
      resting = false;
      connection.getSourceChannel().resumeReads();
    }
  }

  /** Ends it from our side, at once; the receiver hears nothing more. */
  public void abort() {
    if (!over) {
      over = true;
      IoUtils.safeClose(connection);
    }
  }

  private void writable() {
    ConduitStreamSinkChannel sink = connection.getSinkChannel();
    try {
      // Taken before the bytes can have an effect.
      Duration now = clock.now().steady();
      while (!over && (next < request.length || refilled())) {
        if (!request[next].hasRemaining()) {
          next++;
        } else if (sink.write(request, next, Math.min(AT_ONCE, request.length - next)) == 0) {
          sink.resumeWrites();
          return;
        }
      }
      sink.suspendWrites();
      if (!over && written == null && (rest == null || rest.isWhole())) {
        written = now;
        // What has left is not kept: a body may be large and a prefill long.
        Arrays.fill(request, EMPTY);
      }
    } catch (IOException e) {
      // An answer that says why may still be there to read; the read side sees the end otherwise.
      writeFailed = true;
      sink.suspendWrites();
    }
  }

  /** Whether more of the client's body is there to be written now. */
  private boolean refilled() throws IOException {
    if (rest == null || rest.isWhole()) {
      return false;
    }
    ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
    if (rest.read(piece) <= 0) {
      return false;
    }
    request[request.length - 1] = piece.flip();
    next = request.length - 1;
    return true;
  }

  private void readable() {
    try {
      for (int i = 0; i < READS_IN_A_ROW && !over && !resting; i++) {
        if (!readOnce()) {
          return;
        }
      }
    } catch (IOException e) {
      fail("the connection was reset");
    } catch (UpstreamException | ChunkException e) {
      fail("the engine's answer is not valid HTTP: " + e.getMessage());
    } catch (RuntimeException e) {
      // A fault of ours must not leave a client waiting for ever.
      LOG.error("event=answer_failed", e);
      fail("swapgate failed to pass the answer on");
    }
  }

  private boolean readOnce() throws IOException {
    try (PooledByteBuffer pooled = buffers.allocate()) {
      ByteBuffer in = pooled.getBuffer();
      int read = connection.getSourceChannel().read(in);
      if (read == 0) {
        return false;
      }
      if (read < 0) {
        connectionEnded();
        return false;
      }
      anyByte = true;
      // What leaves room has brought all there was; asking again would cost a call for nothing.
      boolean mayBeMore = !in.hasRemaining();
      in.flip();
      consume(in);
      return mayBeMore;
    }
  }

  private void consume(ByteBuffer in) {
    BodyDecoder body = decoder;
    while (body == null) {
      if (!parser.feed(in)) {
        return;
      }
      ResponseHead seen = parser.take();
      if (seen.status() == 101) {
        over = true;
        receiver.switched(seen, in);
        return;
      }
      if (seen.isInterim()) {
        if (++interim > MAX_INTERIM) {
          throw new UpstreamException("more than " + MAX_INTERIM + " interim answers");
        }
        if (seen.status() != CONTINUE) {
          receiver.interim(seen);
        }
        continue;
      }
      if (over) {
        return;
      }
      body = seen.decoder(headRequest);
      decoder = body;
      head = seen;
      receiver.head(seen);
    }
    if (in.hasRemaining() && !over) {
      try (PooledByteBuffer pooled = buffers.allocate()) {
        ByteBuffer out = pooled.getBuffer();
        decodeInto(body, in, out);
      }
    }
    if (over) {
      return;
    }
    if (body.done()) {
      end(body, !in.hasRemaining());
    } else {
      receiver.pause();
    }
  }

  private void decodeInto(BodyDecoder body, ByteBuffer in, ByteBuffer out) {
    body.decode(in, out);
    out.flip();
    if (out.hasRemaining()) {
      receiver.body(out);
    }
  }

  private void end(BodyDecoder body, boolean nothingFollows) {
    over = true;
    ResponseHead seen = head;
    boolean reusable =
        nothingFollows
            && seen != null
            && seen.keepsConnection()
            && written != null
            && !writeFailed
            && !body.endsWithConnection();
    connection.getSourceChannel().suspendReads();
    if (!reusable) {
      IoUtils.safeClose(connection);
    }
    receiver.ended(body.trailers(), reusable);
  }

  private void connectionEnded() {
    BodyDecoder body = decoder;
    if (body != null && body.endsWithConnection()) {
      end(body, false);
    } else if (body != null) {
      fail("the connection ended within the answer");
    } else {
      fail(
          parser.begun()
              ? "the connection ended within the answer's head"
              : "the connection ended without an answer");
    }
  }

  private void fail(String why) {
    if (!over) {
      over = true;
      IoUtils.safeClose(connection);
      receiver.broken(why);
    }
  }
}

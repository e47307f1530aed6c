package dev.swapgate.proxy.forward;

import dev.swapgate.gate.runtime.SteadyClock;
import dev.swapgate.proxy.forward.AccessEntry.End;
import dev.swapgate.proxy.http.ApiShape;
import dev.swapgate.proxy.http.BodyStream;
import dev.swapgate.proxy.http.ErrorAnswer;
import dev.swapgate.proxy.http.Field;
import io.undertow.server.HttpServerExchange;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.xnio.IoUtils;
import org.xnio.StreamConnection;
import org.xnio.XnioIoThread;

/**
 * One request's way over a connection to a server and back, until both sides have ended, each in
 * its own way. What is done on the way, and what is said when it fails, is its traveller's
 * business. Confined to the client connection's I/O thread.
 */
public final class Crossing implements UpstreamExchange.Receiver, ClientAnswer.Reader {

  /** What a crossing needs of the house it goes through. */
  public interface Surroundings {
    SteadyClock clock();

    UpstreamPool pool();

    /** How long a client may leave an answer unread. */
    Duration writeStall();
  }

  /** Who crosses. All is called on the I/O thread. */
  public interface Traveller {
    /** The bytes to send; asked for again when they are sent again. */
    Outgoing outgoing(UpstreamAddress to);

    /** Whether they may go over a connection that was used before. */
    boolean mayReuse();

    /** The server could not be reached: {@link #failed}, or somebody else takes the request on. */
    void unreachable(String why);

    /** Who answers, for the header and the log. */
    String answeredBy();

    /** The head of the answer is about to be passed on. */
    void answering(ResponseHead head);

    /** A piece of the answer is about to be passed on; good for the length of the call. */
    void passing(ByteBuffer bytes);

    /** All of the answer has come. */
    void whole();

    /** The server failed the request, and the client is still there to be told. */
    void failed(String why);

    /** No answer has begun, and none will. */
    void refuse(ErrorAnswer error);

    /** Called every 250 ms while the client is there. */
    void looked();

    /** The server's side has ended, or both; may be called again. */
    void sideEnded();
  }

  /**
   * A request as it is sent.
   *
   * @param rest what follows the bytes in memory; such a request can be sent only once
   */
  public record Outgoing(List<ByteBuffer> bytes, @Nullable BodyStream rest) {}

  private final Traveller traveller;
  private final Surroundings around;
  private final HttpServerExchange exchange;
  private final AccessEntry entry;
  private final String kind;
  private final ClientAnswer answer;
  private final ClientWatch watch;
  private @Nullable UpstreamAddress server;
  private @Nullable UpstreamExchange upstream;
  private @Nullable Tunnel tunnel;
  private boolean sentAgain;
  private boolean clientEnded;
  private boolean upstreamEnded;

  /**
   * @param kind what the server is called when it misbehaves, such as "engine"
   */
  public Crossing(
      Surroundings around,
      HttpServerExchange exchange,
      ApiShape api,
      AccessEntry entry,
      String kind,
      Traveller traveller) {
    this.traveller = traveller;
    this.around = around;
    this.exchange = exchange;
    this.entry = entry;
    this.kind = kind;
    this.answer = new ClientAnswer(exchange, api, around.clock(), this);
    this.watch = new ClientWatch(exchange, this::gone, this::look);
  }

  private XnioIoThread thread() {
    return exchange.getIoThread();
  }

  public ClientAnswer answer() {
    return answer;
  }

  public ClientWatch watch() {
    return watch;
  }

  public boolean isClientEnded() {
    return clientEnded;
  }

  public boolean isUpstreamEnded() {
    return upstreamEnded;
  }

  /** The tunnel that it has become. */
  public @Nullable Tunnel tunnel() {
    return tunnel;
  }

  /** Listens to the client's end; false: it has left already. */
  public boolean enter() {
    if (exchange.isComplete()) {
      entry.ended(End.GONE);
      clientEnded();
      return false;
    }
    exchange.addExchangeCompleteListener(
        (ended, next) -> {
          if (tunnel == null) {
            clientEnded();
          }
          next.proceed();
        });
    return true;
  }

  public void connect(UpstreamAddress to) {
    server = to;
    StreamConnection kept =
        sentAgain || !traveller.mayReuse() ? null : around.pool().take(thread(), to).orElse(null);
    if (kept != null) {
      send(kept, to, true);
      return;
    }
    around
        .pool()
        .open(
            thread(),
            to,
            opened -> send(opened, to, false),
            e -> traveller.unreachable(to + " could not be reached: " + e.getMessage()));
  }

  private void send(StreamConnection connection, UpstreamAddress to, boolean reused) {
    if (upstreamEnded) {
      // The client left, or was cut, while the connection was being made.
      IoUtils.safeClose(connection);
      return;
    }
    Outgoing request = traveller.outgoing(to);
    UpstreamExchange out =
        new UpstreamExchange(
            connection,
            reused,
            exchange.getConnection().getByteBufferPool(),
            around.clock(),
            request.bytes(),
            request.rest(),
            exchange.getRequestMethod().equalToString("HEAD"),
            this);
    upstream = out;
    out.begin();
  }

  /** Whether the request's bytes cannot be wanted again. */
  public boolean isSentForGood() {
    UpstreamExchange sent = upstream;
    return sent != null && sent.isWritten() && !sent.mayBeSentAgain();
  }

  @Override
  public void interim(ResponseHead head) {
    answer.interim(head);
  }

  @Override
  public void head(ResponseHead head) {
    traveller.answering(head);
    String by = traveller.answeredBy();
    entry.answeredUpstream(by);
    answer.begin(head, by);
  }

  @Override
  public void body(ByteBuffer bytes) {
    traveller.passing(bytes);
    answer.body(bytes);
  }

  @Override
  public void pause() {
    answer.flush();
  }

  @Override
  public void ended(List<Field> trailers, boolean reusable) {
    UpstreamExchange done = upstream;
    UpstreamAddress to = server;
    if (reusable && done != null && to != null) {
      around.pool().keep(thread(), to, done.connection());
    }
    traveller.whole();
    upstreamEnded();
    answer.end(trailers);
  }

  @Override
  public void switched(ResponseHead head, ByteBuffer first) {
    UpstreamExchange done = upstream;
    if (done == null) {
      return;
    }
    if (!Tunnel.isAskedFor(exchange)) {
      IoUtils.safeClose(done.connection());
      failed("the " + kind + " switched protocols unasked");
      return;
    }
    watch.stop();
    String by = traveller.answeredBy();
    entry.answeredUpstream(by);
    Tunnel through = new Tunnel(done.connection(), this::tunnelEnded);
    tunnel = through;
    through.open(exchange, head, by, first);
  }

  private void tunnelEnded() {
    upstreamEnded = true;
    clientEnded();
  }

  @Override
  public void broken(String why) {
    UpstreamExchange done = upstream;
    UpstreamAddress to = server;
    if (done != null && to != null && !sentAgain && done.mayBeSentAgain()) {
      sentAgain = true;
      connect(to);
      return;
    }
    failed(why);
  }

  public void failed(String why) {
    if (upstreamEnded) {
      return;
    }
    upstreamEnded();
    entry.failedUpstream(why);
    if (!clientEnded) {
      traveller.failed(why);
    }
  }

  /** Nothing was sent, and somebody else takes the request on. */
  public void handOn() {
    upstreamEnded = true;
  }

  /** Says it as the answer allows: in its stead, or at its break. */
  public void tell(ErrorAnswer error) {
    if (answer.begun()) {
      answer.breakOff(error);
    } else {
      traveller.refuse(error);
    }
  }

  @Override
  public void full() {
    if (upstream != null) {
      upstream.rest();
    }
  }

  @Override
  public void ready() {
    if (upstream != null) {
      upstream.proceed();
    }
  }

  /** The client left. */
  @Override
  public void gone() {
    entry.ended(End.GONE);
    endUpstream();
    answer.abort();
  }

  private void look() {
    traveller.looked();
    if (answer.isStuckFor(around.writeStall())) {
      gone();
    }
  }

  /** Ends the server's side at once. */
  public void endUpstream() {
    if (upstream != null) {
      upstream.abort();
    }
    upstreamEnded();
  }

  /** The server's side has ended; what is still on its way there ends, too. */
  public void upstreamEnded() {
    upstreamEnded = true;
    traveller.sideEnded();
  }

  private void clientEnded() {
    clientEnded = true;
    watch.stop();
    endUpstream();
  }
}

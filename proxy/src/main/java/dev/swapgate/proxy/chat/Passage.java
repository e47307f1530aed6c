package dev.swapgate.proxy.chat;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.runtime.SteadyClock;
import dev.swapgate.gate.runtime.Turnstile;
import dev.swapgate.proxy.forward.AccessEntry.End;
import dev.swapgate.proxy.forward.CanonicalRequest;
import dev.swapgate.proxy.forward.ClientAnswer;
import dev.swapgate.proxy.forward.ClientWatch;
import dev.swapgate.proxy.forward.ResponseHead;
import dev.swapgate.proxy.forward.Tunnel;
import dev.swapgate.proxy.forward.UpstreamAddress;
import dev.swapgate.proxy.forward.UpstreamExchange;
import dev.swapgate.proxy.forward.UpstreamPool;
import dev.swapgate.proxy.http.AnsweredBy;
import dev.swapgate.proxy.http.ErrorAnswer;
import dev.swapgate.proxy.http.ErrorEnvelope;
import dev.swapgate.proxy.http.Field;
import dev.swapgate.proxy.http.UnreadAnswer;
import io.undertow.server.HttpServerExchange;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.xnio.IoUtils;
import org.xnio.StreamConnection;
import org.xnio.XnioIoThread;

/**
 * One request's way through the turnstile to its engine and back. It holds a ticket until both
 * sides have ended, each in its own way. Confined to the client connection's I/O thread; {@link
 * #thread} is where to find it.
 */
final class Passage implements UpstreamExchange.Receiver, ClientAnswer.Reader {

  /** What a passage needs of the house it goes through. */
  interface House {
    SteadyClock clock();

    UpstreamPool pool();

    /** Whether the turnstile is open; informs. */
    boolean isOpen();

    /** The refusal of this moment. */
    ErrorAnswer refusal(Profile profile);

    Duration writeStall();

    /** Where bytes of an answer are kept that may be wanted again. */
    AnswerCopy copyOf(ChatRequest request, Backend.Id engine, ResponseHead head);

    void left(Passage passage);
  }

  /** An engine's death is known to the gate within a tenth of a second; then the truth is told. */
  private static final int SETTLE_LOOK_MS = 50;

  private static final int SETTLE_LOOKS = 10;

  private final House house;
  private final ChatRequest request;
  private final HttpServerExchange exchange;
  private final ClientAnswer answer;
  private final ClientWatch watch;
  private Turnstile.@Nullable Ticket ticket;
  private @Nullable UpstreamAddress engine;
  private @Nullable UpstreamExchange upstream;
  private AnswerCopy copy = AnswerCopy.NONE;
  private boolean sentAgain;
  private boolean clientEnded;
  private boolean upstreamEnded;
  private boolean tunnel;
  private @Nullable Runnable endTunnel;
  private boolean begun;
  private OptionalInt cutEarly = OptionalInt.empty();

  Passage(House house, ChatRequest request) {
    this.house = house;
    this.request = request;
    this.exchange = request.exchange();
    this.answer = new ClientAnswer(exchange, request.api(), house.clock(), this);
    this.watch = new ClientWatch(exchange, this::gone, this::look);
  }

  XnioIoThread thread() {
    return exchange.getIoThread();
  }

  /** It has a ticket; {@link #begin} follows, perhaps not at once. */
  void admit(Turnstile.Ticket good) {
    ticket = good;
  }

  /** Goes through. */
  void begin(UpstreamAddress address) {
    begun = true;
    engine = address;
    if (exchange.isComplete()) {
      request.entry().ended(End.GONE);
      clientEnded();
      return;
    }
    exchange.addExchangeCompleteListener(
        (ended, next) -> {
          if (!tunnel) {
            clientEnded();
          }
          next.proceed();
        });
    watch.start();
    if (cutEarly.isPresent()) {
      upstreamEnded();
      tell(() -> Refusal.cut(cutEarly.getAsInt()));
      return;
    }
    request.entry().sentUpstream();
    connect(address);
  }

  /** Ends the answer visibly if it belongs to this engine and still runs. */
  void cut(Backend.Id whose, int retryAfterSeconds) {
    Turnstile.Ticket held = ticket;
    if (held == null || !held.engine().equals(whose) || clientEnded) {
      return;
    }
    request.entry().ended(End.CUT);
    if (!begun) {
      cutEarly = OptionalInt.of(retryAfterSeconds);
      return;
    }
    if (endTunnel != null) {
      endTunnel.run();
      return;
    }
    boolean answeredAlready = upstreamEnded && answer.begun();
    endUpstream();
    if (answeredAlready) {
      // The engine was through with it; the client has had the whole drain to take the rest.
      answer.abort();
    } else {
      tell(() -> Refusal.cut(retryAfterSeconds));
    }
  }

  private void connect(UpstreamAddress address) {
    StreamConnection kept = sentAgain ? null : house.pool().take(thread(), address).orElse(null);
    if (kept != null) {
      send(kept, address, true);
      return;
    }
    house
        .pool()
        .open(
            thread(),
            address,
            opened -> send(opened, address, false),
            e -> failed(address + " could not be reached: " + e.getMessage()));
  }

  private void send(StreamConnection connection, UpstreamAddress address, boolean reused) {
    if (upstreamEnded) {
      // The client left, or was cut, while the connection was being made.
      IoUtils.safeClose(connection);
      return;
    }
    upstream =
        new UpstreamExchange(
            connection,
            reused,
            exchange.getConnection().getByteBufferPool(),
            house.clock(),
            CanonicalRequest.of(exchange, request.target(), request.body(), address),
            request.method().equals("HEAD"),
            this);
    upstream.begin();
  }

  @Override
  public void interim(ResponseHead head) {
    answer.interim(head);
  }

  @Override
  public void head(ResponseHead head) {
    Turnstile.Ticket held = ticket;
    if (held != null) {
      String by = AnsweredBy.engine(held.engine().value());
      request.entry().answeredUpstream(by);
      copy = house.copyOf(request, held.engine(), head);
      answer.begin(head, by);
    }
    forgetRequest();
  }

  @Override
  public void body(ByteBuffer bytes) {
    copy.add(bytes.duplicate());
    answer.body(bytes);
  }

  @Override
  public void pause() {
    answer.flush();
  }

  @Override
  public void ended(List<Field> trailers, boolean reusable) {
    UpstreamExchange done = upstream;
    UpstreamAddress address = engine;
    if (reusable && done != null && address != null) {
      house.pool().keep(thread(), address, done.connection());
    }
    copy.complete();
    upstreamEnded();
    answer.end(trailers);
  }

  @Override
  public void switched(ResponseHead head, ByteBuffer first) {
    UpstreamExchange done = upstream;
    Turnstile.Ticket held = ticket;
    if (done == null || held == null) {
      return;
    }
    if (!request.asksForWebSocket()) {
      IoUtils.safeClose(done.connection());
      failed("the engine switched protocols unasked");
      return;
    }
    tunnel = true;
    watch.stop();
    String by = AnsweredBy.engine(held.engine().value());
    request.entry().answeredUpstream(by);
    Tunnel through = new Tunnel(done.connection(), this::tunnelEnded);
    endTunnel = through::end;
    through.open(exchange, head, by, first);
  }

  private void tunnelEnded() {
    upstreamEnded = true;
    clientEnded();
  }

  @Override
  public void broken(String why) {
    UpstreamExchange done = upstream;
    UpstreamAddress address = engine;
    if (done != null && address != null && !sentAgain && done.mayBeSentAgain()) {
      sentAgain = true;
      connect(address);
      return;
    }
    failed(why);
  }

  private void failed(String why) {
    if (upstreamEnded) {
      return;
    }
    upstreamEnded();
    request.entry().failedUpstream(why);
    settle(why, SETTLE_LOOKS);
  }

  /** Waits a moment for the gate to learn that the engine died, and then says what is true. */
  private void settle(String why, int looksLeft) {
    if (clientEnded) {
      return;
    }
    if (looksLeft == 0 || !house.isOpen()) {
      tell(
          () ->
              house.isOpen()
                  ? ErrorAnswer.engineFailed("swapgate: the engine failed this request: " + why)
                  : house.refusal(request.profile()));
      return;
    }
    thread().executeAfter(() -> settle(why, looksLeft - 1), SETTLE_LOOK_MS, TimeUnit.MILLISECONDS);
  }

  private void tell(Supplier<ErrorAnswer> error) {
    ErrorAnswer told = error.get();
    if (answer.begun()) {
      answer.breakOff(told);
    } else {
      request.entry().refused(told.code());
      ErrorEnvelope.send(exchange, request.api(), told);
      UnreadAnswer.letGoAfter(exchange, house.writeStall());
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
    request.entry().ended(End.GONE);
    endUpstream();
    answer.abort();
  }

  private void look() {
    forgetRequest();
    Duration now = house.clock().now().steady();
    boolean stalled =
        answer.stuckSince().filter(s -> now.minus(s).compareTo(house.writeStall()) > 0).isPresent();
    if (stalled) {
      gone();
    }
  }

  /** Frees the request's bytes as soon as they cannot be wanted again. */
  private void forgetRequest() {
    UpstreamExchange sent = upstream;
    if (sent != null && sent.isWritten() && !sent.mayBeSentAgain()) {
      request.body().release();
    }
  }

  private void endUpstream() {
    if (upstream != null) {
      upstream.abort();
    }
    upstreamEnded();
  }

  private void upstreamEnded() {
    upstreamEnded = true;
    request.body().release();
    leave();
  }

  private void clientEnded() {
    clientEnded = true;
    watch.stop();
    endUpstream();
  }

  private void leave() {
    Turnstile.Ticket held = ticket;
    if (clientEnded && upstreamEnded && held != null) {
      house.left(this);
      held.leave();
    }
  }
}

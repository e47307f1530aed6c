package dev.swapgate.proxy.door;

import dev.swapgate.gate.runtime.SteadyClock;
import dev.swapgate.proxy.forward.AccessEntry.End;
import dev.swapgate.proxy.forward.CanonicalRequest;
import dev.swapgate.proxy.forward.ClientAnswer;
import dev.swapgate.proxy.forward.ClientWatch;
import dev.swapgate.proxy.forward.ResponseHead;
import dev.swapgate.proxy.forward.Tunnel;
import dev.swapgate.proxy.forward.UpstreamAddress;
import dev.swapgate.proxy.forward.UpstreamExchange;
import dev.swapgate.proxy.forward.UpstreamPool;
import dev.swapgate.proxy.http.ApiShape;
import dev.swapgate.proxy.http.Body;
import dev.swapgate.proxy.http.BodyStream;
import dev.swapgate.proxy.http.ErrorAnswer;
import dev.swapgate.proxy.http.Field;
import io.undertow.server.HttpServerExchange;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.xnio.IoUtils;
import org.xnio.StreamConnection;
import org.xnio.XnioIoThread;

/**
 * One request's way to the media server and back; a WebSocket stays until either side ends.
 * Confined to the client connection's I/O thread.
 */
final class DoorPassage implements UpstreamExchange.Receiver, ClientAnswer.Reader {

  /** What a passage needs of the house it goes through. */
  interface House {
    SteadyClock clock();

    UpstreamPool pool();

    UpstreamAddress server();

    String answeredBy();

    /** The server is at work on a request of somebody's, and has not answered it yet. */
    void works();

    void worksNoMore();

    /** It gives somebody what was asked for. */
    void gives(DoorRequest request);

    /** How long it may be at work on one request before that counts as standing still. */
    Duration longestWork();

    /** The server could not be reached, and nothing was sent. */
    void unreachable(DoorRequest request, String why);
  }

  /**
   * The server takes the door for its client, and knows nothing of the origin under which browsers
   * see the door: ComfyUI answers 403 to an origin that is not its own. The door has looked at both
   * before.
   */
  private static final Set<String> KEPT = Set.of("origin", "sec-fetch-site");

  private final House house;
  private final DoorRequest request;
  private final HttpServerExchange exchange;
  private final ClientAnswer answer;
  private final ClientWatch watch;
  private @Nullable UpstreamExchange upstream;
  private boolean sentAgain;
  private @Nullable Duration sentAt;
  private boolean counted;
  private boolean measured;
  private boolean clientEnded;
  private boolean upstreamEnded;
  private boolean tunnel;

  DoorPassage(House house, DoorRequest request) {
    this.house = house;
    this.request = request;
    this.exchange = request.exchange();
    this.answer = new ClientAnswer(exchange, ApiShape.OPENAI, house.clock(), this);
    this.watch = new ClientWatch(exchange, this::gone, this::look);
  }

  void begin() {
    if (exchange.isComplete()) {
      request.entry().ended(End.GONE);
      request.release();
      return;
    }
    exchange.addExchangeCompleteListener(
        (ended, next) -> {
          if (!tunnel) {
            clientEnded();
          }
          next.proceed();
        });
    connect();
  }

  private XnioIoThread thread() {
    return exchange.getIoThread();
  }

  private void connect() {
    boolean once = sentAgain || request.body().isEmpty();
    StreamConnection kept = once ? null : house.pool().take(thread(), house.server()).orElse(null);
    if (kept != null) {
      send(kept, true);
      return;
    }
    house
        .pool()
        .open(
            thread(),
            house.server(),
            opened -> send(opened, false),
            e -> unreachable(house.server() + " could not be reached: " + e.getMessage()));
  }

  private void unreachable(String why) {
    if (clientEnded) {
      return;
    }
    if (sentAt != null) {
      failed(why);
    } else {
      upstreamEnded = true;
      house.unreachable(request, why);
    }
  }

  private void send(StreamConnection connection, boolean reused) {
    if (upstreamEnded) {
      // The client left while the connection was being made.
      IoUtils.safeClose(connection);
      return;
    }
    if (sentAt == null) {
      sentAt = house.clock().now().steady();
      request.entry().sentUpstream();
      count();
    }
    BodyStream rest = request.body().isPresent() ? null : BodyStream.of(exchange, house.clock());
    if (rest == null) {
      watch.start();
    } else {
      // It looks for the client's end where the body is still read.
      rest.whenWhole(this::watchLate);
    }
    UpstreamExchange out =
        new UpstreamExchange(
            connection,
            reused,
            exchange.getConnection().getByteBufferPool(),
            house.clock(),
            bytes(rest),
            rest,
            exchange.getRequestMethod().equalToString("HEAD"),
            this);
    upstream = out;
    out.begin();
  }

  private void watchLate() {
    if (!clientEnded && !upstreamEnded) {
      watch.start();
    }
  }

  private List<ByteBuffer> bytes(@Nullable BodyStream rest) {
    long length = rest == null ? request.body().map(Body::size).orElse(0L) : rest.length();
    List<ByteBuffer> bytes = new ArrayList<>();
    bytes.add(CanonicalRequest.head(exchange, request.target(), length, house.server(), KEPT));
    request.body().ifPresent(body -> bytes.addAll(body.buffers()));
    return bytes;
  }

  @Override
  public void interim(ResponseHead head) {
    answer.interim(head);
  }

  /** A server that answers when it is done has no queue that says so. */
  private void count() {
    if (request.use().wakes() && !Tunnel.isAskedFor(exchange)) {
      counted = true;
      house.works();
    }
  }

  private void countNoMore() {
    if (counted) {
      counted = false;
      house.worksNoMore();
    }
  }

  @Override
  public void head(ResponseHead head) {
    countNoMore();
    // A stream of unknown length may only say that it is still open.
    measured = head.first("Content-Length").isPresent();
    house.gives(request);
    request.entry().answeredUpstream(house.answeredBy());
    answer.begin(head, house.answeredBy());
    request.release();
  }

  @Override
  public void body(ByteBuffer bytes) {
    if (measured) {
      house.gives(request);
    }
    answer.body(bytes);
  }

  @Override
  public void pause() {
    answer.flush();
  }

  @Override
  public void ended(List<Field> trailers, boolean reusable) {
    UpstreamExchange done = upstream;
    if (reusable && done != null) {
      house.pool().keep(thread(), house.server(), done.connection());
    }
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
      failed("the server switched protocols unasked");
      return;
    }
    tunnel = true;
    watch.stop();
    request.entry().answeredUpstream(house.answeredBy());
    new Tunnel(done.connection(), this::tunnelEnded)
        .open(exchange, head, house.answeredBy(), first);
  }

  private void tunnelEnded() {
    upstreamEnded = true;
    clientEnded();
  }

  @Override
  public void broken(String why) {
    UpstreamExchange done = upstream;
    if (done != null && !sentAgain && done.mayBeSentAgain()) {
      sentAgain = true;
      watch.stop();
      connect();
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
    if (clientEnded) {
      return;
    }
    ErrorAnswer error = DoorErrors.failed(why);
    if (answer.begun()) {
      answer.breakOff(error);
    } else {
      watch.stop();
      request.refuse(error);
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
    Duration now = house.clock().now().steady();
    boolean stalled =
        answer
            .stuckSince()
            .filter(since -> now.minus(since).compareTo(DoorRequest.PATIENCE) > 0)
            .isPresent();
    if (stalled) {
      gone();
    } else if (sentAt != null && now.minus(sentAt).compareTo(house.longestWork()) > 0) {
      countNoMore();
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
    countNoMore();
    request.release();
  }

  private void clientEnded() {
    if (!clientEnded) {
      clientEnded = true;
      watch.stop();
      endUpstream();
    }
  }
}

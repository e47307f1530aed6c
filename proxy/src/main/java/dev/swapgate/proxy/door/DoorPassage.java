package dev.swapgate.proxy.door;

import dev.swapgate.proxy.forward.CanonicalRequest;
import dev.swapgate.proxy.forward.Crossing;
import dev.swapgate.proxy.forward.ResponseHead;
import dev.swapgate.proxy.forward.Tunnel;
import dev.swapgate.proxy.forward.UpstreamAddress;
import dev.swapgate.proxy.http.ApiShape;
import dev.swapgate.proxy.http.Body;
import dev.swapgate.proxy.http.BodyStream;
import dev.swapgate.proxy.http.ErrorAnswer;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One request's way to the media server and back; a WebSocket stays until either side ends.
 * Confined to the client connection's I/O thread.
 */
final class DoorPassage implements Crossing.Traveller {

  /** What a passage needs of the house it goes through. */
  interface House extends Crossing.Surroundings {
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
  private final Crossing crossing;
  private @Nullable Duration sentAt;
  private boolean counted;
  private boolean measured;

  DoorPassage(House house, DoorRequest request) {
    this.house = house;
    this.request = request;
    this.crossing =
        new Crossing(house, request.exchange(), ApiShape.OPENAI, request.entry(), "server", this);
  }

  void begin() {
    if (crossing.enter()) {
      crossing.connect(house.server());
    }
  }

  @Override
  public boolean mayReuse() {
    return request.body().isPresent();
  }

  @Override
  public void unreachable(String why) {
    if (crossing.isClientEnded()) {
      return;
    }
    if (sentAt != null) {
      crossing.failed(why);
    } else {
      crossing.handOn();
      house.unreachable(request, why);
    }
  }

  @Override
  public Crossing.Outgoing outgoing(UpstreamAddress server) {
    BodyStream rest =
        request.body().isPresent() ? null : BodyStream.of(request.exchange(), house.clock());
    if (sentAt == null) {
      sentAt = house.clock().now().steady();
      request.entry().sentUpstream();
      count();
      watchFor(rest);
    }
    long length = rest == null ? request.body().map(Body::size).orElse(0L) : rest.length();
    List<ByteBuffer> bytes = new ArrayList<>();
    bytes.add(CanonicalRequest.head(request.exchange(), request.target(), length, server, KEPT));
    request.body().ifPresent(body -> bytes.addAll(body.buffers()));
    return new Crossing.Outgoing(bytes, rest);
  }

  /** Where a body is still read, that is where the client's end is seen. */
  private void watchFor(@Nullable BodyStream rest) {
    if (rest == null) {
      crossing.watch().start();
    } else {
      rest.whenWhole(
          () -> {
            if (!crossing.isClientEnded() && !crossing.isUpstreamEnded()) {
              crossing.watch().start();
            }
          });
    }
  }

  /** A server that answers when it is done has no queue that says so. */
  private void count() {
    if (request.use().wakes() && !Tunnel.isAskedFor(request.exchange())) {
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
  public String answeredBy() {
    return house.answeredBy();
  }

  @Override
  public void answering(ResponseHead head) {
    countNoMore();
    // A stream of unknown length may only say that it is still open.
    measured = head.first("Content-Length").isPresent();
    house.gives(request);
    request.release();
  }

  @Override
  public void passing(ByteBuffer bytes) {
    if (measured) {
      house.gives(request);
    }
  }

  @Override
  public void whole() {}

  @Override
  public void failed(String why) {
    crossing.tell(DoorErrors.failed(why));
  }

  @Override
  public void refuse(ErrorAnswer error) {
    crossing.watch().stop();
    request.refuse(error);
  }

  @Override
  public void looked() {
    Duration since = sentAt;
    if (since != null
        && house.clock().now().steady().minus(since).compareTo(house.longestWork()) > 0) {
      countNoMore();
    }
  }

  @Override
  public void sideEnded() {
    countNoMore();
    request.release();
  }
}

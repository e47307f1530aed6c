package dev.swapgate.proxy.chat;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.runtime.Turnstile;
import dev.swapgate.proxy.forward.AccessEntry.End;
import dev.swapgate.proxy.forward.CanonicalRequest;
import dev.swapgate.proxy.forward.Crossing;
import dev.swapgate.proxy.forward.ResponseHead;
import dev.swapgate.proxy.forward.Tunnel;
import dev.swapgate.proxy.forward.UpstreamAddress;
import dev.swapgate.proxy.http.AnsweredBy;
import dev.swapgate.proxy.http.ErrorAnswer;
import java.nio.ByteBuffer;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.xnio.XnioIoThread;

/**
 * One request's way through the turnstile to its engine and back. It holds a ticket until both
 * sides have ended. Confined to the client connection's I/O thread; {@link #thread} is where to
 * find it.
 */
final class Passage implements Crossing.Traveller {

  /** What a passage needs of the house it goes through. */
  interface House extends Crossing.Surroundings {
    /** Whether the turnstile is open; informs. */
    boolean isOpen();

    /** The refusal of this moment. */
    ErrorAnswer refusal(Profile profile);

    /** Where bytes of an answer are kept that may be wanted again. */
    AnswerCopy copyOf(ChatRequest request, Backend.Id engine, ResponseHead head);

    void left(Passage passage);
  }

  /** An engine's death is known to the gate within a tenth of a second; then the truth is told. */
  private static final int SETTLE_LOOK_MS = 50;

  private static final int SETTLE_LOOKS = 10;

  private final House house;
  private final ChatRequest request;
  private final Crossing crossing;
  private Turnstile.@Nullable Ticket ticket;
  private AnswerCopy copy = AnswerCopy.NONE;
  private boolean begun;
  private OptionalInt cutEarly = OptionalInt.empty();

  Passage(House house, ChatRequest request) {
    this.house = house;
    this.request = request;
    this.crossing =
        new Crossing(house, request.exchange(), request.api(), request.entry(), "engine", this);
  }

  XnioIoThread thread() {
    return request.exchange().getIoThread();
  }

  /** It has a ticket; {@link #begin} follows, perhaps not at once. */
  void admit(Turnstile.Ticket good) {
    ticket = good;
  }

  /** Goes through. */
  void begin(UpstreamAddress engine) {
    begun = true;
    if (!crossing.enter()) {
      return;
    }
    crossing.watch().start();
    if (cutEarly.isPresent()) {
      crossing.upstreamEnded();
      crossing.tell(Refusal.cut(cutEarly.getAsInt()));
      return;
    }
    request.entry().sentUpstream();
    crossing.connect(engine);
  }

  /** Ends the answer visibly if it belongs to this engine and still runs. */
  void cut(Backend.Id whose, int retryAfterSeconds) {
    Turnstile.Ticket held = ticket;
    if (held == null || !held.engine().equals(whose) || crossing.isClientEnded()) {
      return;
    }
    request.entry().ended(End.CUT);
    if (!begun) {
      cutEarly = OptionalInt.of(retryAfterSeconds);
      return;
    }
    Tunnel through = crossing.tunnel();
    if (through != null) {
      through.end();
      return;
    }
    boolean answeredAlready = crossing.isUpstreamEnded() && crossing.answer().begun();
    crossing.endUpstream();
    if (answeredAlready) {
      // The engine was through with it; the client has had the whole drain to take the rest.
      crossing.answer().abort();
    } else {
      crossing.tell(Refusal.cut(retryAfterSeconds));
    }
  }

  @Override
  public Crossing.Outgoing outgoing(UpstreamAddress engine) {
    return new Crossing.Outgoing(
        CanonicalRequest.of(request.exchange(), request.target(), request.body(), engine), null);
  }

  @Override
  public boolean mayReuse() {
    return true;
  }

  @Override
  public void unreachable(String why) {
    crossing.failed(why);
  }

  private Backend.Id engine() {
    Turnstile.Ticket held = ticket;
    if (held == null) {
      throw new IllegalStateException("nobody passes without a ticket");
    }
    return held.engine();
  }

  @Override
  public String answeredBy() {
    return AnsweredBy.engine(engine().value());
  }

  @Override
  public void answering(ResponseHead head) {
    copy = house.copyOf(request, engine(), head);
    forgetRequest();
  }

  @Override
  public void passing(ByteBuffer bytes) {
    copy.add(bytes.duplicate());
  }

  @Override
  public void whole() {
    copy.complete();
  }

  @Override
  public void failed(String why) {
    settle(why, SETTLE_LOOKS);
  }

  /** Waits a moment for the gate to learn that the engine died, and then says what is true. */
  private void settle(String why, int looksLeft) {
    if (crossing.isClientEnded()) {
      return;
    }
    if (!house.isOpen()) {
      crossing.tell(house.refusal(request.profile()));
    } else if (looksLeft == 0) {
      crossing.tell(ErrorAnswer.engineFailed("swapgate: the engine failed this request: " + why));
    } else {
      thread()
          .executeAfter(() -> settle(why, looksLeft - 1), SETTLE_LOOK_MS, TimeUnit.MILLISECONDS);
    }
  }

  @Override
  public void refuse(ErrorAnswer error) {
    request.entry().refuse(request.api(), error, house.writeStall());
  }

  @Override
  public void looked() {
    forgetRequest();
  }

  /** Frees the request's bytes as soon as they cannot be wanted again. */
  private void forgetRequest() {
    if (crossing.isSentForGood()) {
      request.body().release();
    }
  }

  @Override
  public void sideEnded() {
    request.body().release();
    Turnstile.Ticket held = ticket;
    if (crossing.isClientEnded() && crossing.isUpstreamEnded() && held != null) {
      house.left(this);
      held.leave();
    }
  }
}

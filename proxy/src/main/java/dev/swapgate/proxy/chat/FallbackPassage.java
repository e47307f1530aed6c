package dev.swapgate.proxy.chat;

import dev.swapgate.gate.core.Now;
import dev.swapgate.gate.runtime.SteadyClock;
import dev.swapgate.proxy.fallback.Attempts;
import dev.swapgate.proxy.fallback.Choice;
import dev.swapgate.proxy.fallback.Fallback;
import dev.swapgate.proxy.fallback.Opening;
import dev.swapgate.proxy.fallback.ProviderEnd;
import dev.swapgate.proxy.fallback.ProviderHead;
import dev.swapgate.proxy.fallback.Selection;
import dev.swapgate.proxy.fallback.Verdict;
import dev.swapgate.proxy.forward.AccessEntry.End;
import dev.swapgate.proxy.forward.ClientAnswer;
import dev.swapgate.proxy.forward.ClientWatch;
import dev.swapgate.proxy.forward.ResponseHead;
import dev.swapgate.proxy.http.AnsweredBy;
import dev.swapgate.proxy.http.ErrorAnswer;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.StatusCodes;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.xnio.XnioIoThread;

/**
 * One request's way to the fallback providers and back: one after the other is asked until an
 * answer begins that may go to the client; from then on what fails has failed. Confined to the
 * client connection's I/O thread; {@link #thread} is where to find it.
 */
final class FallbackPassage implements ClientAnswer.Reader {

  /** What it needs of the house it goes through. */
  interface House {
    SteadyClock clock();

    /** Whether the turnstile is open; informs. */
    boolean isOpen();

    Duration writeStall();

    void left(FallbackPassage passage);
  }

  /** A stream that says nothing but comments is let through then: they keep clients waiting. */
  private static final Duration LONGEST_OPENING = Duration.ofSeconds(10);

  private final House house;
  private final Fallback fallback;
  private final ChatRequest request;
  private final HttpServerExchange exchange;
  private final Consumer<Declined> declined;
  private final ClientAnswer answer;
  private final ClientWatch watch;
  private final byte[] json;
  private @Nullable NamedModel asked;
  private @Nullable Attempts attempts;
  private @Nullable ProviderTurn turn;
  private boolean full;
  private boolean over;

  FallbackPassage(
      House house, Fallback fallback, ChatRequest request, Consumer<Declined> declined) {
    this.house = house;
    this.fallback = fallback;
    this.request = request;
    this.exchange = request.exchange();
    this.declined = declined;
    this.answer = new ClientAnswer(exchange, request.api(), house.clock(), this);
    this.watch = new ClientWatch(exchange, this::gone, this::look);
    this.json = request.body().bytes();
    // One copy, and on the body's account.
    request.body().replace(json);
  }

  XnioIoThread thread() {
    return exchange.getIoThread();
  }

  void begin() {
    exchange.addExchangeCompleteListener(
        (ended, next) -> {
          finish();
          next.proceed();
        });
    watch.start();
    // Reading through megabytes of JSON is no work for an I/O thread.
    thread()
        .getWorker()
        .execute(
            () -> {
              Optional<NamedModel> found = NamedModel.of(json);
              thread().execute(() -> read(found));
            });
  }

  private void read(Optional<NamedModel> found) {
    if (over) {
      return;
    }
    if (found.isEmpty()) {
      decline(new Declined.NotServed());
      return;
    }
    asked = found.get();
    attempts = fallback.attempts(request.path(), found.get().name());
    next(found.get(), attempts);
  }

  private void next(NamedModel model, Attempts calls) {
    turn = null;
    if (house.isOpen()) {
      decline(new Declined.NotServed());
      return;
    }
    switch (calls.next(now())) {
      case Selection.Chosen chosen -> send(chosen.choice(), model, calls);
      case Selection.Cooling cooling -> decline(new Declined.Cooling(cooling.left()));
      case Selection.Nobody nobody ->
          decline(calls.isMade() ? new Declined.Failed() : new Declined.NotServed());
    }
  }

  private void send(Choice choice, NamedModel model, Attempts calls) {
    request.entry().sentUpstream();
    ProviderTurn begun = new ProviderTurn(choice, thread(), this, house.clock());
    turn = begun;
    List<ByteBuffer> body =
        choice
            .model()
            .map(other -> model.renamed(json, other))
            .orElseGet(() -> List.of(ByteBuffer.wrap(json)));
    begun.call(calls.call(choice, ProviderHeaders.of(exchange), body, begun, now()));
  }

  /** The head of a turn's answer has come, and perhaps enough of its body to judge it. */
  void looked(ProviderTurn from) {
    if (from != turn || over) {
      return;
    }
    Opening opening = from.opening();
    if (opening == null || !opening.isKnown()) {
      from.more();
      return;
    }
    judge(from, opening);
  }

  private void judge(ProviderTurn from, Opening opening) {
    ProviderEnd.Answered end = opening.answered();
    boolean fine = opening.head().isGood() && !end.hint().isError();
    if (!fine && ended(from, end).isFailure()) {
      another(from);
      return;
    }
    begin(from, opening);
  }

  private void another(ProviderTurn from) {
    from.cancel();
    NamedModel model = asked;
    Attempts calls = attempts;
    if (model != null && calls != null) {
      next(model, calls);
    }
  }

  private void begin(ProviderTurn from, Opening opening) {
    ProviderHead head = opening.head();
    String by = AnsweredBy.fallback(from.choice().provider().name());
    from.passing();
    request.entry().answeredUpstream(by);
    answer.begin(
        new ResponseHead(true, head.status(), StatusCodes.getReason(head.status()), head.passed()),
        by);
    request.body().release();
    pass(from, opening.kept());
  }

  /** Bytes for the client. */
  void pass(ProviderTurn from, List<ByteBuffer> bytes) {
    if (from != turn || over) {
      return;
    }
    bytes.forEach(answer::body);
    answer.flush();
    if (!full && !over) {
      from.more();
    }
  }

  /** The answer of a turn is whole. */
  void whole(ProviderTurn from) {
    if (from != turn || over) {
      return;
    }
    Opening opening = from.opening();
    if (!answer.begun() && opening != null) {
      judge(from, opening);
    }
    if (from == turn && answer.begun()) {
      ended(from, from.end());
      turn = null;
      answer.end(List.of());
    }
  }

  /** A turn came to nothing. */
  void failed(ProviderTurn from, ProviderEnd.How how, String why) {
    if (from != turn || over) {
      return;
    }
    Opening opening = from.opening();
    boolean refused = opening != null && !opening.head().isGood();
    if (answer.begun()) {
      ended(from, new ProviderEnd.Failed(how));
      from.cancel();
      request.entry().failedUpstream(why);
      answer.breakOff(broken(from));
    } else if (opening != null && refused) {
      // It has said no; how it goes on to say so is of no interest.
      judge(from, opening);
    } else {
      ended(from, new ProviderEnd.Failed(how));
      another(from);
    }
  }

  private static ErrorAnswer broken(ProviderTurn from) {
    return ErrorAnswer.fallbackFailed(
        "swapgate: the fallback provider "
            + from.choice().provider().name()
            + " broke off its answer. Please retry.");
  }

  private Verdict ended(ProviderTurn from, ProviderEnd end) {
    return from.reported(
        () -> {
          Attempts calls = attempts;
          if (calls == null) {
            throw new IllegalStateException("an answer without a call");
          }
          return calls.ended(from.choice(), end, now());
        });
  }

  private void look() {
    Duration steady = now().steady();
    ProviderTurn under = turn;
    if (answer.isStuckFor(house.writeStall())) {
      gone();
    } else if (under != null && !full && under.isLate(steady)) {
      under.cancel();
      failed(under, ProviderEnd.How.TIMED_OUT, "no byte came in time");
    } else if (under != null && !answer.begun() && under.hasOpenedFor(steady, LONGEST_OPENING)) {
      Opening opening = under.opening();
      if (opening != null) {
        begin(under, opening);
      }
    }
  }

  /** Nothing came of it: somebody else takes the request on. */
  private void decline(Declined why) {
    leave();
    declined.accept(why);
  }

  /** swapgate stops. */
  void stop() {
    if (over) {
      return;
    }
    ProviderTurn under = turn;
    if (under != null) {
      under.cancel();
    }
    if (answer.begun()) {
      request.entry().ended(End.CUT);
      answer.breakOff(ErrorAnswer.fallbackFailed("swapgate is being stopped. Please retry."));
    } else {
      decline(new Declined.Failed());
    }
  }

  @Override
  public void full() {
    full = true;
  }

  @Override
  public void ready() {
    full = false;
    ProviderTurn under = turn;
    if (under != null) {
      under.touch();
      under.more();
    }
  }

  /** The client left. */
  @Override
  public void gone() {
    request.entry().ended(End.GONE);
    finish();
    answer.abort();
  }

  /** The client's side has ended, one way or the other. */
  private void finish() {
    if (over) {
      return;
    }
    ProviderTurn under = turn;
    Attempts calls = attempts;
    if (under != null && calls != null) {
      under.cancel();
      if (!under.isReported()) {
        calls.left(under.choice());
      }
    }
    leave();
    request.body().release();
  }

  private void leave() {
    over = true;
    watch.stop();
    fallback.leave();
    house.left(this);
  }

  private Now now() {
    return house.clock().now();
  }
}

package dev.swapgate.proxy.chat;

import dev.swapgate.gate.runtime.SteadyClock;
import dev.swapgate.proxy.fallback.Choice;
import dev.swapgate.proxy.fallback.Opening;
import dev.swapgate.proxy.fallback.Provider;
import dev.swapgate.proxy.fallback.ProviderCall;
import dev.swapgate.proxy.fallback.ProviderEnd;
import dev.swapgate.proxy.fallback.ProviderHead;
import dev.swapgate.proxy.fallback.StreamWatch;
import dev.swapgate.proxy.fallback.Verdict;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.xnio.XnioIoThread;

/**
 * One provider's turn at a request: what it says comes on threads of its own and is carried to the
 * I/O thread, to which all else here is confined.
 */
final class ProviderTurn implements ProviderCall.Receiver {

  /** Who has said no gets this long to say why. */
  private static final Duration REASON = Duration.ofSeconds(5);

  private final Choice choice;
  private final XnioIoThread thread;
  private final FallbackPassage passage;
  private final SteadyClock clock;
  private final Provider.Timeouts timeouts;
  private @Nullable ProviderCall call;
  private @Nullable Opening opening;
  private @Nullable StreamWatch stream;
  private @Nullable Verdict verdict;
  private Duration opened = Duration.ZERO;
  private Duration deadline;
  private boolean passing;
  private boolean cancelled;

  ProviderTurn(Choice choice, XnioIoThread thread, FallbackPassage passage, SteadyClock clock) {
    this.choice = choice;
    this.thread = thread;
    this.passage = passage;
    this.clock = clock;
    this.timeouts = choice.provider().timeouts();
    this.deadline = clock.now().steady().plus(timeouts.connect()).plus(timeouts.answer());
  }

  Choice choice() {
    return choice;
  }

  void call(ProviderCall begun) {
    call = begun;
  }

  /** What its answer begins with; null before its head. */
  @Nullable Opening opening() {
    return opening;
  }

  /** From now on its bytes go to the client. */
  void passing() {
    passing = true;
    Opening kept = opening;
    if (kept != null) {
      StreamWatch begun = new StreamWatch(kept.head());
      kept.kept().forEach(begun::pass);
      stream = begun;
    }
  }

  /** How it ended, now that its answer is whole. */
  ProviderEnd end() {
    StreamWatch watched = stream;
    if (watched == null) {
      throw new IllegalStateException("an end before a beginning");
    }
    return watched.answered();
  }

  boolean isLate(Duration now) {
    return !cancelled && now.compareTo(deadline) > 0;
  }

  /** Whether a good answer has been kept back for so long. */
  boolean hasOpenedFor(Duration now, Duration length) {
    Opening kept = opening;
    return kept != null
        && kept.head().isGood()
        && !kept.kept().isEmpty()
        && now.minus(opened).compareTo(length) > 0;
  }

  /** The provider is not late while the client does not read. */
  void touch() {
    deadline = clock.now().steady().plus(timeouts.idle());
  }

  /** Tells once how it ended; later calls hear the first verdict. */
  Verdict reported(Supplier<Verdict> telling) {
    Verdict known = verdict;
    if (known == null) {
      known = telling.get();
      verdict = known;
    }
    return known;
  }

  boolean isReported() {
    return verdict != null;
  }

  void more() {
    ProviderCall under = call;
    if (under != null && !cancelled) {
      under.more();
    }
  }

  void cancel() {
    ProviderCall under = call;
    if (under != null && !cancelled) {
      cancelled = true;
      under.cancel();
    }
  }

  @Override
  public void head(ProviderHead head) {
    carry(
        () -> {
          opened = clock.now().steady();
          opening = new Opening(head);
          boolean fine = head.isGood();
          deadline = opened.plus(fine ? timeouts.idle() : REASON);
          passage.looked(this);
        });
  }

  @Override
  public void body(List<ByteBuffer> bytes) {
    carry(
        () -> {
          Opening kept = opening;
          if (passing) {
            touch();
            StreamWatch watched = stream;
            if (watched != null) {
              bytes.forEach(watched::pass);
            }
            passage.pass(this, bytes);
          } else if (kept != null) {
            if (kept.head().isGood()) {
              touch();
            }
            bytes.forEach(kept::add);
            passage.looked(this);
          }
        });
  }

  @Override
  public void ended() {
    carry(
        () -> {
          if (opening != null) {
            opening.end();
          }
          passage.whole(this);
        });
  }

  @Override
  public void failed(ProviderEnd.How how, String why) {
    carry(() -> passage.failed(this, how, why));
  }

  private void carry(Runnable step) {
    try {
      thread.execute(
          () -> {
            if (!cancelled) {
              step.run();
            }
          });
    } catch (RejectedExecutionException e) {
      // The listener is closed, and the client's connection with it.
      cancel();
    }
  }
}

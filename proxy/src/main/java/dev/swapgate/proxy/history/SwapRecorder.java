package dev.swapgate.proxy.history;

import dev.swapgate.gate.core.GateEvent;
import dev.swapgate.gate.core.GateView;
import dev.swapgate.gate.core.Now;
import dev.swapgate.gate.port.GateListener;
import dev.swapgate.gate.port.JobStore;
import dev.swapgate.gate.runtime.SteadyClock;
import dev.swapgate.proxy.http.Answer.Wire;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes down each swap when it is over. The gate's thread only leaves a line in a bounded queue; a
 * swap that cannot be written is told in the log and lost, since nothing depends on it.
 */
public final class SwapRecorder implements GateListener, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SwapRecorder.class);
  private static final int MAX_QUEUE = 4096;

  private final JobStore store;
  private final SteadyClock clock;
  private final ChatTally tally;
  private final Consumer<List<ChatTally.Miss>> misses;
  private final SwapLog log = new SwapLog();
  private final JobEnds ends = new JobEnds();
  private final BlockingQueue<Item> queue = new LinkedBlockingQueue<>(MAX_QUEUE);
  private final Thread thread;
  private boolean wasOpen;

  private sealed interface Item {}

  private record Seen(GateView view, Now now) implements Item {}

  private record Ended(JobEnds.End end) implements Item {}

  /**
   * @param misses hears how far what chat was told was from what came, each time chat opens
   */
  public SwapRecorder(
      JobStore store, SteadyClock clock, ChatTally tally, Consumer<List<ChatTally.Miss>> misses) {
    this.store = store;
    this.clock = clock;
    this.tally = tally;
    this.misses = misses;
    this.thread = Thread.ofVirtual().name("swapgate-history").start(this::run);
  }

  @Override
  public void changed(GateView view) {
    queue.offer(new Seen(view, clock.now()));
  }

  @Override
  public void happened(GateEvent event) {
    ends.of(event).ifPresent(end -> queue.offer(new Ended(end)));
  }

  /** The swap under way, as far as it has come. */
  public Optional<SwapRecord> underWay() {
    synchronized (log) {
      return log.underWay(tally.now(), clock.now());
    }
  }

  private void run() {
    try {
      while (true) {
        take(queue.take());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void take(Item item) {
    try {
      switch (item) {
        case Seen seen -> seen(seen.view(), seen.now());
        case Ended ended -> {
          synchronized (log) {
            log.ended(ended.end());
          }
        }
      }
    } catch (RuntimeException e) {
      LOG.warn("a swap could not be noted in the history: {}", e.toString());
    }
  }

  private void seen(GateView view, Now now) {
    boolean opens = view.chatOpen() && !wasOpen;
    wasOpen = view.chatOpen();
    ChatTally.Count count = opens ? tally.opened(now.steady()) : tally.now();
    Optional<SwapRecord> over;
    synchronized (log) {
      over = log.seen(view, count, now);
    }
    misses.accept(count.misses());
    over.filter(record -> record.until() != null)
        .ifPresent(
            record -> store.addSwap(Instant.parse(record.since()), now.wall(), Wire.text(record)));
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}

package dev.swapgate.backends.prefetch;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.GateView;
import dev.swapgate.gate.core.Now;
import dev.swapgate.gate.port.GateListener;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks on, and reads the selected engine's files once in the last part of a job. The gate's thread
 * only leaves the view here and raises a sign; everything else happens on a thread of its own.
 * Whatever goes wrong is a line in the log. Thread-safe.
 */
public final class Prefetcher implements GateListener, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Prefetcher.class);

  /** Time passes without a view that tells so. */
  private static final Duration TURN = Duration.ofSeconds(1);

  /** Half of what a SATA disk gives; a slower one is learned. */
  private static final long ASSUMED_BYTES_PER_SECOND = 250_000_000;

  /** Less says nothing about a disk. */
  private static final long TELLING_BYTES = 256L << 20;

  private final Supplier<Map<Backend.Id, List<String>>> globs;
  private final Supplier<Now> clock;
  private final CacheReader reader;
  private final Consumer<CacheReader.Outcome> heard;
  private final Semaphore news = new Semaphore(0);
  private final Thread thread;
  private volatile @Nullable GateView latest;
  private volatile @Nullable Reading reading;
  private volatile boolean closed;
  private Optional<Last> last = Optional.empty();
  private List<String> told = List.of();
  private long bytesPerSecond = ASSUMED_BYTES_PER_SECOND;

  /** What is being read. */
  private record Reading(Aim aim, StopSign stop) {}

  /** The present job. */
  private record Last(Aim aim, PrefetchRule.Seen seen, ModelFiles files, boolean over) {
    private Last done() {
      return new Last(aim, seen, files, true);
    }
  }

  /**
   * Begins to look on.
   *
   * @param globs of each engine that has them, as they are now; asked often
   * @param heard of each reading that was begun, when it is over
   */
  public Prefetcher(
      Supplier<Map<Backend.Id, List<String>>> globs,
      Supplier<Now> clock,
      CacheReader reader,
      Consumer<CacheReader.Outcome> heard) {
    this.globs = globs;
    this.clock = clock;
    this.reader = reader;
    this.heard = heard;
    // Reading a file keeps a virtual thread's carrier, of which a small box has two.
    this.thread = Thread.ofPlatform().daemon().name("swapgate-prefetch").start(this::run);
  }

  @Override
  public void changed(GateView view) {
    latest = view;
    stopWhatIsOver(view);
    news.release();
  }

  private void stopWhatIsOver(GateView view) {
    Reading now = reading;
    if (now != null) {
      Optional<Aim> aim = Aim.of(view, globs.get());
      if (!aim.equals(Optional.of(now.aim()))) {
        now.stop().raise(now.aim().endedBy(aim, view.selected()));
      }
    }
  }

  private void run() {
    try {
      while (!closed) {
        if (last.filter(job -> !job.over()).isPresent()) {
          var unused = news.tryAcquire(TURN.toMillis(), TimeUnit.MILLISECONDS);
        } else {
          news.acquire();
        }
        news.drainPermits();
        turn();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void turn() {
    GateView view = latest;
    if (view == null) {
      return;
    }
    try {
      last = Aim.of(view, globs.get()).map(aim -> seen(aim, view));
      last.filter(job -> !job.over()).ifPresent(job -> consider(job, view));
    } catch (RuntimeException e) {
      LOG.warn("prefetch: given up for this job", e);
      last = last.map(Last::done);
    }
  }

  private Last seen(Aim aim, GateView view) {
    if (last.isPresent() && last.get().aim().equals(aim)) {
      return last.get();
    }
    PrefetchRule.Seen seen = PrefetchRule.Seen.of(view, clock.get());
    ModelFiles files = ModelFiles.find(aim.globs());
    if (!files.problems().equals(told)) {
      files.problems().forEach(one -> LOG.warn("prefetch engine={}: {}", aim.engine(), one));
      told = files.problems();
    }
    return new Last(aim, seen, files, files.files().isEmpty());
  }

  private void consider(Last job, GateView view) {
    Now now = clock.get();
    Duration needed = Duration.ofSeconds(job.files().bytes() / bytesPerSecond);
    if (PrefetchRule.isTime(view, job.seen(), needed, now)) {
      last = Optional.of(job.done());
      read(job);
    }
  }

  private void read(Last job) {
    long bytes = job.files().bytes();
    Optional<String> shortage = reader.shortage(bytes);
    if (shortage.isPresent()) {
      LOG.info("prefetch engine={}: nothing is read, {}", job.aim().engine(), shortage.get());
      return;
    }
    Reading now = new Reading(job.aim(), new StopSign());
    reading = now;
    GateView view = latest;
    if (view != null) {
      stopWhatIsOver(view); // It may have come before there was anything to stop.
    }
    if (closed) {
      now.stop().raise("swapgate stops");
    }
    CacheReader.Outcome outcome = reader.read(job.files().files(), now.stop());
    reading = null;
    learn(outcome);
    LOG.info(
        "prefetch engine={}: read {} of {} in {} s{}",
        job.aim().engine(),
        CacheReader.gib(outcome.bytes()),
        CacheReader.gib(bytes),
        outcome.took().toMillis() / 1000.0,
        outcome.why().map(why -> "; stopped: " + why).orElse(""));
    heard.accept(outcome);
  }

  private void learn(CacheReader.Outcome outcome) {
    if (outcome.bytes() >= TELLING_BYTES) {
      long seen = outcome.bytes() * 1000 / Math.max(1, outcome.took().toMillis());
      bytesPerSecond = Math.min(ASSUMED_BYTES_PER_SECOND, seen);
    }
  }

  /** Ends what is being read, at once. */
  @Override
  public void close() {
    closed = true;
    Reading now = reading;
    if (now != null) {
      now.stop().raise("swapgate stops");
    }
    thread.interrupt();
  }
}

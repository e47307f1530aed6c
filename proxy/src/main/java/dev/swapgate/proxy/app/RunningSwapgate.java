package dev.swapgate.proxy.app;

import dev.swapgate.gate.runtime.Gate;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A swapgate that runs, until it is closed, told to stop by a signal, or ends itself because a
 * decision of its own would have broken a promise. Thread-safe.
 */
public final class RunningSwapgate implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RunningSwapgate.class);

  /** A fault of our own. */
  public static final int INTERNAL = 70;

  /** How long answers under way may go on once it is told to stop. */
  static final Duration STREAMS = Duration.ofSeconds(5);

  /** The whole stop: below the 10 s after which Docker kills a container by default. */
  static final Duration WHOLE = Duration.ofSeconds(9);

  private final CountDownLatch stopped = new CountDownLatch(1);
  private final InetSocketAddress chat;
  private final InetSocketAddress admin;
  private final Gate gate;
  private final Runnable reload;
  private final Running running;
  private final CompletableFuture<Integer> end;
  private boolean closed;

  /**
   * @param reload reads the configuration again
   * @param end completed with an exit code when the process should end
   */
  RunningSwapgate(
      InetSocketAddress chat,
      InetSocketAddress admin,
      Gate gate,
      Runnable reload,
      Running running,
      CompletableFuture<Integer> end) {
    this.chat = chat;
    this.admin = admin;
    this.gate = gate;
    this.reload = reload;
    this.running = running;
    this.end = end;
  }

  /** Where chat is served, with the port that was taken. */
  public InetSocketAddress chatAddress() {
    return chat;
  }

  /** Where the admin side listens, with the port that was taken. */
  public InetSocketAddress adminAddress() {
    return admin;
  }

  public Gate gate() {
    return gate;
  }

  /** Reads the configuration again and lets it apply as far as that can be done; blocks. */
  public void reload() {
    reload.run();
  }

  /**
   * Blocks until it ends, and stops what runs within {@link #WHOLE}; SIGTERM and SIGINT end it from
   * now on, a second one at once; SIGHUP has the configuration read again. Containers stay as they
   * are: the next start takes over.
   *
   * @return the exit code: 0 when it was told to stop, 70 after a breach of our own
   */
  public int awaitEnd() {
    // The JVM's own way after SIGTERM ends with 143; a stop that was asked for is no failure.
    try (Signals signals = Signals.take(this::signalled, reload)) {
      int exitCode = end.join();
      limit();
      close();
      return exitCode;
    }
  }

  private void signalled(int times) {
    if (times > 1) {
      LOG.warn("told to stop again: leaving at once");
      Runtime.getRuntime().halt(0);
    }
    end.complete(0);
  }

  /** What would not stop in time is left behind: the next start copes with a crash, too. */
  private void limit() {
    Thread.ofPlatform()
        .daemon()
        .name("swapgate-stop-limit")
        .start(
            () -> {
              try {
                if (!stopped.await(WHOLE.toMillis(), TimeUnit.MILLISECONDS)) {
                  LOG.warn("not stopped within {} s: leaving at once", WHOLE.toSeconds());
                  Runtime.getRuntime().halt(end.join());
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
  }

  /** Stops admitting and deciding, and leaves the containers as they are. Twice is once. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    LOG.info("swapgate stops; containers stay as they are");
    try {
      running.close();
    } catch (Running.StopException e) {
      LOG.warn("not everything could be stopped", e);
    }
    end.complete(0);
    stopped.countDown();
  }
}

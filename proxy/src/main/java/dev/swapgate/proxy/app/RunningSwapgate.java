package dev.swapgate.proxy.app;

import dev.swapgate.gate.runtime.Gate;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
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

  private final InetSocketAddress chat;
  private final InetSocketAddress admin;
  private final Gate gate;
  private final Running running;
  private final CompletableFuture<Integer> end;
  private boolean closed;

  /**
   * @param end completed with an exit code when the process should end
   */
  RunningSwapgate(
      InetSocketAddress chat,
      InetSocketAddress admin,
      Gate gate,
      Running running,
      CompletableFuture<Integer> end) {
    this.chat = chat;
    this.admin = admin;
    this.gate = gate;
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

  /**
   * Blocks until it ends, and stops what runs; SIGTERM and SIGINT end it from now on. Containers
   * stay as they are: the next start takes over.
   *
   * @return the exit code: 0 when it was told to stop, 70 after a breach of our own
   */
  public int awaitEnd() {
    // The JVM would end with 143 after SIGTERM; a stop that was asked for is no failure.
    Thread onSignal = Thread.ofPlatform().name("swapgate-stop").unstarted(this::stopAndHalt);
    Runtime.getRuntime().addShutdownHook(onSignal);
    int exitCode = end.join();
    close();
    try {
      Runtime.getRuntime().removeShutdownHook(onSignal);
    } catch (IllegalStateException endingAlready) {
      LOG.debug("the process is ending by a signal");
    }
    return exitCode;
  }

  private void stopAndHalt() {
    end.complete(0);
    close();
    Runtime.getRuntime().halt(end.join());
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
  }
}

package dev.swapgate.backends.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.model.EventType;
import dev.swapgate.gate.port.Containers.Hint;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the daemon's container events on a thread of its own and connects again by itself until
 * closed. Hints "" whenever a connection begins or is lost, for events may have been missed then.
 */
final class WatchEvents implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WatchEvents.class);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);
  private static final Duration CONNECT_DEADLINE = Duration.ofSeconds(10);
  private static final Duration CLOSE_DEADLINE = Duration.ofSeconds(5);

  private final DockerHost host;
  private final Consumer<Hint> hint;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;
  private boolean toldLost;

  WatchEvents(DockerHost host, Consumer<Hint> hint) {
    this.host = host;
    this.hint = hint;
    this.thread = Thread.ofVirtual().name("swapgate-events-docker").unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  private void run() {
    try {
      Duration pause = Duration.ZERO;
      while (!closed.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
        pause = followOnce() ? FIRST_PAUSE : longer(pause);
      }
    } catch (InterruptedException isClosed) {
      Thread.currentThread().interrupt();
    }
  }

  private static Duration longer(Duration pause) {
    long twice = Math.max(2 * pause.toMillis(), FIRST_PAUSE.toMillis());
    return Duration.ofMillis(Math.min(twice, LONGEST_PAUSE.toMillis()));
  }

  /** Returns when the connection is lost: true if there was one. */
  private boolean followOnce() throws InterruptedException {
    EventStream stream = new EventStream(this::tell);
    boolean begun = false;
    String why;
    try (DockerClient docker = host.forReads()) {
      docker.eventsCmd().withEventTypeFilter(EventType.CONTAINER).exec(stream);
      begun = stream.begins(CONNECT_DEADLINE);
      if (begun) {
        toldLost = false;
        LOG.debug("events=connected docker={}", host);
        why = stream.end();
      } else {
        why = stream.endedAlready().orElse("no answer within " + CONNECT_DEADLINE);
      }
    } catch (IOException | RuntimeException failed) {
      why = Causes.of(failed);
    }
    lost(why, begun);
    return begun;
  }

  private void lost(String why, boolean hadBegun) {
    if (hadBegun) {
      tell(EventStream.MISSED);
    }
    if (!toldLost && closed.getCount() > 0) {
      toldLost = true;
      LOG.warn(
          "events=lost docker={} why=\"{}\" next=\"looking on a timer, reconnecting\"", host, why);
    }
  }

  private void tell(Hint told) {
    if (closed.getCount() > 0) {
      try {
        hint.accept(told);
      } catch (RuntimeException failed) {
        LOG.warn("events=hint-failed container={}", told.container(), failed);
      }
    }
  }

  @Override
  public void close() {
    closed.countDown();
    thread.interrupt();
    try {
      thread.join(CLOSE_DEADLINE);
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }
}

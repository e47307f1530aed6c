package dev.swapgate.proxy.forward;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.xnio.IoFuture;
import org.xnio.IoUtils;
import org.xnio.OptionMap;
import org.xnio.Options;
import org.xnio.StreamConnection;
import org.xnio.XnioExecutor;
import org.xnio.XnioIoThread;

/**
 * Connections to engines: opened without blocking, and kept for a few seconds after use. Each I/O
 * thread has its own, which only that thread touches.
 */
public final class UpstreamPool {

  /** One widespread engine server closes idle connections at 5 s; ours go first. */
  private static final Duration IDLE = Duration.ofSeconds(4);

  private static final Duration CONNECT = Duration.ofSeconds(5);

  /** As many as one thread may have had in use at once in a crowd of short requests. */
  private static final int IDLE_PER_THREAD = 256;

  private static final OptionMap OPTIONS = OptionMap.create(Options.TCP_NODELAY, true);

  private record Shelf(XnioIoThread thread, UpstreamAddress engine) {}

  private record Idle(StreamConnection connection, XnioExecutor.Key timer) {}

  private final Map<Shelf, Deque<Idle>> shelves = new ConcurrentHashMap<>();

  /** A kept connection that, as far as can be seen now, still stands. */
  public Optional<StreamConnection> take(XnioIoThread thread, UpstreamAddress engine) {
    Deque<Idle> idle = shelf(thread, engine);
    for (Idle kept = idle.pollLast(); kept != null; kept = idle.pollLast()) {
      kept.timer().remove();
      kept.connection().getSourceChannel().suspendReads();
      if (stands(kept.connection())) {
        return Optional.of(kept.connection());
      }
      IoUtils.safeClose(kept.connection());
    }
    return Optional.empty();
  }

  /** An idle engine has nothing to say: a byte or an end means the connection is of no use. */
  private static boolean stands(StreamConnection connection) {
    try {
      return connection.getSourceChannel().read(ByteBuffer.allocate(1)) == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /** Keeps a connection whose last answer was read to its end. */
  public void keep(XnioIoThread thread, UpstreamAddress engine, StreamConnection connection) {
    Deque<Idle> idle = shelf(thread, engine);
    if (idle.size() == IDLE_PER_THREAD) {
      IoUtils.safeClose(connection);
      return;
    }
    XnioExecutor.Key timer;
    try {
      timer =
          thread.executeAfter(() -> drop(idle, connection), IDLE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      // The listener is being closed; nothing is kept any more.
      IoUtils.safeClose(connection);
      return;
    }
    idle.addLast(new Idle(connection, timer));
    connection.getSinkChannel().suspendWrites();
    connection.getSourceChannel().setReadListener(channel -> drop(idle, connection));
    connection.getSourceChannel().resumeReads();
  }

  private static void drop(Deque<Idle> idle, StreamConnection connection) {
    for (Iterator<Idle> all = idle.iterator(); all.hasNext(); ) {
      Idle kept = all.next();
      if (kept.connection() == connection) {
        kept.timer().remove();
        all.remove();
      }
    }
    IoUtils.safeClose(connection);
  }

  private Deque<Idle> shelf(XnioIoThread thread, UpstreamAddress engine) {
    return shelves.computeIfAbsent(new Shelf(thread, engine), key -> new ArrayDeque<>());
  }

  /** Opens a connection; exactly one of the two is called, on that I/O thread. */
  public void open(
      XnioIoThread thread,
      UpstreamAddress engine,
      Consumer<StreamConnection> opened,
      Consumer<IOException> failed) {
    if (engine.isLiteral()) {
      resolveAndConnect(thread, engine, Runnable::run, opened, failed);
      return;
    }
    // Asking for a name may block for seconds.
    thread
        .getWorker()
        .execute(() -> resolveAndConnect(thread, engine, thread::execute, opened, failed));
  }

  private static void resolveAndConnect(
      XnioIoThread thread,
      UpstreamAddress engine,
      Consumer<Runnable> onThread,
      Consumer<StreamConnection> opened,
      Consumer<IOException> failed) {
    try {
      List<InetSocketAddress> addresses = engine.resolve();
      onThread.accept(() -> connect(thread, addresses, opened, failed));
    } catch (IOException e) {
      onThread.accept(
          () -> failed.accept(new IOException("the name " + engine.host() + " is not known", e)));
    }
  }

  private static void connect(
      XnioIoThread thread,
      List<InetSocketAddress> addresses,
      Consumer<StreamConnection> opened,
      Consumer<IOException> failed) {
    IoFuture<StreamConnection> attempt =
        thread.openStreamConnection(addresses.get(0), null, OPTIONS);
    XnioExecutor.Key timer =
        thread.executeAfter(attempt::cancel, CONNECT.toMillis(), TimeUnit.MILLISECONDS);
    List<InetSocketAddress> others = addresses.subList(1, addresses.size());
    attempt.addNotifier(
        new IoFuture.HandlingNotifier<StreamConnection, Void>() {
          @Override
          public void handleDone(StreamConnection connection, Void nothing) {
            timer.remove();
            thread.execute(() -> opened.accept(connection));
          }

          @Override
          public void handleFailed(IOException e, Void nothing) {
            timer.remove();
            thread.execute(() -> nextOrFail(e));
          }

          @Override
          public void handleCancelled(Void nothing) {
            thread.execute(
                () ->
                    nextOrFail(
                        new SocketTimeoutException(
                            "no connection within " + CONNECT.toSeconds() + " s")));
          }

          private void nextOrFail(IOException e) {
            if (others.isEmpty()) {
              failed.accept(e);
            } else {
              connect(thread, others, opened, failed);
            }
          }
        },
        null);
  }
}

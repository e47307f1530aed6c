package dev.swapgate.proxy.forward;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
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

  private static final int LOOK_MS = 1000;

  /** One widespread engine server closes idle connections at 5 s; ours go in their fourth. */
  private static final int IDLE_LOOKS = 4;

  private static final Duration CONNECT = Duration.ofSeconds(5);

  /** As many as one thread may have had in use at once in a crowd of short requests. */
  private static final int IDLE_PER_THREAD = 256;

  private static final OptionMap OPTIONS = OptionMap.create(Options.TCP_NODELAY, true);

  private record Place(XnioIoThread thread, UpstreamAddress engine) {}

  private final Map<Place, Shelf> shelves = new ConcurrentHashMap<>();

  /** A kept connection that, as far as can be seen now, still stands. */
  public Optional<StreamConnection> take(XnioIoThread thread, UpstreamAddress engine) {
    return shelf(thread, engine).take();
  }

  /** Keeps a connection whose last answer was read to its end. */
  public void keep(XnioIoThread thread, UpstreamAddress engine, StreamConnection connection) {
    shelf(thread, engine).keep(connection);
  }

  private Shelf shelf(XnioIoThread thread, UpstreamAddress engine) {
    return shelves.computeIfAbsent(new Place(thread, engine), key -> new Shelf(thread));
  }

  /** The idle connections of one thread to one engine. Confined to that thread. */
  private static final class Shelf {

    private static final class Idle {
      private final StreamConnection connection;
      private int looks;

      Idle(StreamConnection connection) {
        this.connection = connection;
      }
    }

    private final XnioIoThread thread;

    /** The one used last at the end. */
    private final Deque<Idle> idle = new ArrayDeque<>();

    private boolean looking;

    Shelf(XnioIoThread thread) {
      this.thread = thread;
    }

    Optional<StreamConnection> take() {
      for (Idle kept = idle.pollLast(); kept != null; kept = idle.pollLast()) {
        kept.connection.getSourceChannel().suspendReads();
        if (stands(kept.connection)) {
          return Optional.of(kept.connection);
        }
        IoUtils.safeClose(kept.connection);
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

    void keep(StreamConnection connection) {
      if (idle.size() == IDLE_PER_THREAD || !looksAfterThem()) {
        IoUtils.safeClose(connection);
        return;
      }
      Idle kept = new Idle(connection);
      idle.addLast(kept);
      connection.getSinkChannel().suspendWrites();
      connection.getSourceChannel().setReadListener(channel -> drop(kept));
      connection.getSourceChannel().resumeReads();
    }

    private void drop(Idle kept) {
      idle.remove(kept);
      IoUtils.safeClose(kept.connection);
    }

    /** False: the listener is being closed; nothing is kept any more. */
    private boolean looksAfterThem() {
      if (!looking) {
        try {
          thread.executeAfter(this::look, LOOK_MS, TimeUnit.MILLISECONDS);
          looking = true;
        } catch (RejectedExecutionException e) {
          return false;
        }
      }
      return true;
    }

    private void look() {
      looking = false;
      while (!idle.isEmpty() && idle.getFirst().looks == IDLE_LOOKS - 1) {
        IoUtils.safeClose(idle.removeFirst().connection);
      }
      idle.forEach(kept -> kept.looks++);
      if (!idle.isEmpty() && !looksAfterThem()) {
        idle.forEach(kept -> IoUtils.safeClose(kept.connection));
        idle.clear();
      }
    }
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

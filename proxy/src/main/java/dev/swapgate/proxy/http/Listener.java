package dev.swapgate.proxy.http;

import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.server.DefaultByteBufferPool;
import io.undertow.server.HttpHandler;
import io.undertow.server.protocol.http.HttpOpenListener;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicBoolean;
import org.xnio.ChannelListener;
import org.xnio.ChannelListeners;
import org.xnio.IoUtils;
import org.xnio.OptionMap;
import org.xnio.Options;
import org.xnio.StreamConnection;
import org.xnio.Xnio;
import org.xnio.XnioWorker;
import org.xnio.channels.AcceptingChannel;

/**
 * One door on the street: a port with limits on everything that can be sent before a handler is
 * asked. Whoever opens it closes it.
 *
 * <p>The library's own defaults are unsafe or too small here: 1 MiB of headers, no limit on the
 * time a request head takes, 2 MiB of body.
 */
public final class Listener implements AutoCloseable {

  static {
    // Read once, when the library's classes are loaded. Without the first a connection that is
    // closed is drained for up to 10 s, and the other side works on for nobody; without the second
    // several Cookie lines become one.
    setUnlessGiven("io.undertow.max-drain-time", "50");
    setUnlessGiven("io.undertow.server.protocol.http.DisableCookieCrumbsAssembly", "true");
  }

  static final int MAX_HEADER_BYTES = 32 * 1024;
  static final int MAX_HEADERS = 100;

  /** Of a query, which the library takes apart though nobody here asks for it. */
  private static final int MAX_PARAMETERS = 1000;

  private static final int MAX_COOKIES = 20;
  private static final int REQUEST_HEAD_MS = 10_000;
  private static final int NO_REQUEST_MS = 60_000;
  private static final int BACKLOG = 1024;
  private static final int TASK_THREADS_PER_IO_THREAD = 8;

  /** What the library takes by default, less room for a chunk's own lines. */
  private static final int BUFFER_BYTES = 16 * 1024 - 20;

  private static final int BUFFERS_KEPT_PER_THREAD = 4;

  private final XnioWorker worker;
  private final AcceptingChannel<? extends StreamConnection> door;
  private final Crowd crowd;

  private Listener(
      XnioWorker worker, AcceptingChannel<? extends StreamConnection> door, Crowd crowd) {
    this.worker = worker;
    this.door = door;
    this.crowd = crowd;
  }

  private static void setUnlessGiven(String property, String value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, value);
    }
  }

  /**
   * Opens the door; port 0 takes a free one.
   *
   * @param maxConnections beyond it a connection without a whole request is closed for each new
   *     one; with twice as many, all of them busy, new ones wait in the kernel
   * @param handler runs on an I/O thread and must not block it; its requests passed {@link
   *     StrictRequests}
   * @throws ListenException the address is taken or not ours
   */
  public static Listener open(InetSocketAddress address, int maxConnections, HttpHandler handler) {
    HttpOpenListener http =
        new HttpOpenListener(
            new DefaultByteBufferPool(true, BUFFER_BYTES, -1, BUFFERS_KEPT_PER_THREAD), limits());
    http.setRootHandler(new StrictRequests(handler));
    Crowd crowd = new Crowd(maxConnections);
    int ioThreads = Math.max(2, Runtime.getRuntime().availableProcessors());
    OptionMap options =
        OptionMap.builder()
            .set(Options.WORKER_IO_THREADS, ioThreads)
            .set(Options.WORKER_TASK_CORE_THREADS, ioThreads * TASK_THREADS_PER_IO_THREAD)
            .set(Options.WORKER_TASK_MAX_THREADS, ioThreads * TASK_THREADS_PER_IO_THREAD)
            .set(Options.TCP_NODELAY, true)
            .set(Options.REUSE_ADDRESSES, true)
            .set(Options.BALANCING_TOKENS, 1)
            .set(Options.BALANCING_CONNECTIONS, 2)
            .set(Options.BACKLOG, BACKLOG)
            // The library counts for each thread: a narrow margin would shut one of them for good.
            .set(Options.CONNECTION_HIGH_WATER, maxConnections * 2)
            .set(Options.CONNECTION_LOW_WATER, maxConnections * 2 - maxConnections / 2)
            .getMap();
    try {
      XnioWorker worker = Xnio.getInstance(Undertow.class.getClassLoader()).createWorker(options);
      try {
        AcceptingChannel<? extends StreamConnection> door =
            worker.createStreamConnectionServer(
                address,
                ChannelListeners.openListenerAdapter(connection -> enter(connection, http, crowd)),
                options);
        door.resumeAccepts();
        return new Listener(worker, door, crowd);
      } catch (IOException e) {
        worker.shutdownNow();
        throw e;
      }
    } catch (IOException e) {
      throw new ListenException(address, e);
    }
  }

  private static void enter(StreamConnection connection, HttpOpenListener http, Crowd crowd) {
    HeadTap tap = new HeadTap(connection, crowd);
    connection.getSourceChannel().setConduit(tap);
    connection
        .getSinkChannel()
        .setConduit(new EarlyRefusal(connection.getSinkChannel().getConduit(), tap::isListening));
    crowd.came(connection);
    AtomicBoolean left = new AtomicBoolean();
    http.handleEvent(connection);
    ChannelListener<? super StreamConnection> others = connection.getCloseListener();
    connection.setCloseListener(
        closed -> {
          leave(closed, left, crowd);
          ChannelListeners.invokeChannelListener(closed, others);
        });
    if (!connection.isOpen()) {
      // What it said at once was its last word.
      leave(connection, left, crowd);
    }
  }

  private static void leave(StreamConnection connection, AtomicBoolean left, Crowd crowd) {
    if (left.compareAndSet(false, true)) {
      crowd.left(connection);
    }
  }

  private static OptionMap limits() {
    return OptionMap.builder()
        .set(UndertowOptions.MAX_HEADER_SIZE, MAX_HEADER_BYTES)
        .set(UndertowOptions.MAX_HEADERS, MAX_HEADERS)
        .set(UndertowOptions.MAX_PARAMETERS, MAX_PARAMETERS)
        .set(UndertowOptions.MAX_COOKIES, MAX_COOKIES)
        // Bodies are bounded by BodyReader, which can say so in the shape of the API.
        .set(UndertowOptions.MAX_ENTITY_SIZE, -1L)
        .set(UndertowOptions.REQUEST_PARSE_TIMEOUT, REQUEST_HEAD_MS)
        .set(UndertowOptions.NO_REQUEST_TIMEOUT, NO_REQUEST_MS)
        .set(UndertowOptions.ENABLE_HTTP2, false)
        // On, answers to pipelined requests are kept back until the last one is whole.
        .set(UndertowOptions.BUFFER_PIPELINED_DATA, false)
        .set(UndertowOptions.ALWAYS_SET_KEEP_ALIVE, false)
        .set(UndertowOptions.ALWAYS_SET_DATE, false)
        .set(UndertowOptions.ALLOW_UNESCAPED_CHARACTERS_IN_URL, false)
        .getMap();
  }

  /** Where it listens, with the port that was taken. */
  public InetSocketAddress address() {
    return door.getLocalAddress(InetSocketAddress.class);
  }

  /** How many connections are open through it now. */
  public int connections() {
    return crowd.all();
  }

  /** Closes the door and every connection through it. */
  @Override
  public void close() {
    IoUtils.safeClose(door);
    worker.shutdown();
    try {
      worker.awaitTermination();
    } catch (InterruptedException e) {
      worker.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}

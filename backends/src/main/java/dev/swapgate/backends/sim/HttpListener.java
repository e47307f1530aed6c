package dev.swapgate.backends.sim;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * An HTTP/1.1 server on plain sockets, a virtual thread for each connection.
 *
 * <p>Not the JDK's own server, because that one can't tell that a client left while nothing is
 * being written, rewrites header names, and can't listen without answering. All three are what the
 * simulators are for.
 */
final class HttpListener implements AutoCloseable {
  private static final int BACKLOG = 512;

  /** uvicorn's default, which is the hardest that a pooling proxy meets. */
  private static final Duration KEEP_ALIVE = Duration.ofSeconds(5);

  private static final Duration FIRST_REQUEST = Duration.ofSeconds(60);

  /** Answers one request; what it leaves unanswered becomes a 500. */
  interface Handler {
    void handle(HttpExchange exchange) throws IOException;
  }

  private final ServerSocket server;
  private final Duration keepAlive;
  private final Set<Socket> connections = ConcurrentHashMap.newKeySet();

  private HttpListener(ServerSocket server, Duration keepAlive) {
    this.server = server;
    this.keepAlive = keepAlive;
  }

  /**
   * Binds and listens. Until {@link #serve} a client's connect succeeds and nobody answers it.
   *
   * @throws UncheckedIOException when the port is taken
   */
  static HttpListener bind(SimSettings settings, int defaultPort) {
    String host = settings.text("SIM_HOST", "127.0.0.1");
    int port = settings.number("SIM_PORT", defaultPort);
    try {
      ServerSocket server = new ServerSocket();
      server.setReuseAddress(true);
      server.bind(new InetSocketAddress(host, port), BACKLOG);
      return new HttpListener(server, settings.duration("SIM_KEEP_ALIVE", KEEP_ALIVE));
    } catch (IOException e) {
      throw new UncheckedIOException("could not listen on " + host + ":" + port, e);
    }
  }

  int port() {
    return server.getLocalPort();
  }

  int openConnections() {
    return connections.size();
  }

  /** Begins to answer, on a thread that keeps the process alive. */
  void serve(Handler handler) {
    Thread.ofPlatform().name("sim-accept-" + port()).start(() -> accept(handler));
  }

  private void accept(Handler handler) {
    var workers = Executors.newVirtualThreadPerTaskExecutor();
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        socket.setTcpNoDelay(true);
        connections.add(socket);
        workers.execute(() -> converse(socket, handler));
      } catch (IOException e) {
        if (!server.isClosed()) {
          System.err.println("accept failed: " + e.getMessage());
        }
      }
    }
  }

  private void converse(Socket socket, Handler handler) {
    try (socket) {
      HttpInput in = new HttpInput(socket.getInputStream());
      OutputStream out = new BufferedOutputStream(socket.getOutputStream());
      socket.setSoTimeout((int) FIRST_REQUEST.toMillis());
      boolean more = in.awaitByte();
      socket.setSoTimeout(0);
      while (more) {
        more = answer(socket, in, out, handler);
      }
    } catch (IOException e) {
      // The client left, or spoke no HTTP: either way this connection is over.
      return;
    } finally {
      connections.remove(socket);
    }
  }

  /** Answers one request; whether another one has begun to arrive. */
  private boolean answer(Socket socket, HttpInput in, OutputStream out, Handler handler)
      throws IOException {
    HttpRequest request = HttpRequest.read(in, out);
    HttpExchange exchange = new HttpExchange(request, socket, out);
    CompletableFuture<Boolean> next = watch(in, exchange);
    try {
      handler.handle(exchange);
    } catch (RuntimeException e) {
      if (exchange.begun()) {
        exchange.reset();
      } else {
        exchange.text(500, "500 Internal Server Error\n\n" + e);
      }
    }
    if (!exchange.begun() && !exchange.clientIsGone()) {
      exchange.text(500, "the simulator had no answer");
    }
    return exchange.keepsConnection() && arrives(next);
  }

  /** Only this thread reads until the next request has begun: what it sees first decides. */
  private static CompletableFuture<Boolean> watch(HttpInput in, HttpExchange exchange) {
    CompletableFuture<Boolean> next = new CompletableFuture<>();
    Thread.ofVirtual()
        .name("sim-watch")
        .start(
            () -> {
              boolean more = false;
              try {
                more = in.awaitByte();
              } catch (IOException e) {
                more = false;
              }
              exchange.arrived(in, more);
              next.complete(more);
            });
    return next;
  }

  private boolean arrives(CompletableFuture<Boolean> next) {
    try {
      return next.get(keepAlive.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Takes no more connections; those that are open go on. */
  void stopAccepting() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException("could not close port " + port(), e);
    }
  }

  /** Ends everything at once, connections included. */
  @Override
  public void close() {
    stopAccepting();
    for (Socket socket : connections) {
      try {
        socket.close();
      } catch (IOException e) {
        System.err.println("could not close a connection: " + e.getMessage());
      }
    }
  }
}

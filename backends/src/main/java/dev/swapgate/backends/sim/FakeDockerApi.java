package dev.swapgate.backends.sim;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/**
 * A small Docker API on a Unix socket for machines without a daemon: its containers are processes
 * of this machine. It lies when a test asks for it. Thread-safe.
 *
 * <p>{@link #main} runs it alone: {@code --socket PATH}; {@code --image 'NAME=PROGRAM ARGUMENT…'}
 * says what containers of an image run before their own command; {@code --container 'NAME IMAGE
 * ARGUMENT… VARIABLE=VALUE…'} makes one. More are made as in Docker, by {@code POST
 * /containers/create?name=…}; faults by {@code POST /_fault}. On SIGTERM and SIGINT it ends all
 * that it started; after a SIGKILL nobody does.
 */
public final class FakeDockerApi implements AutoCloseable {
  private static final int BACKLOG = 256;

  private final Path socket;
  private final ServerSocketChannel server;
  private final DockerFaults faults = new DockerFaults();
  private final FakeDockerBox box;
  private final FakeDockerRoutes routes;
  private final Set<SocketChannel> connections = ConcurrentHashMap.newKeySet();
  private final CountDownLatch closed = new CountDownLatch(1);

  /**
   * Listens at once.
   *
   * @param entrypoints per image, what its containers run before their own command
   * @throws UncheckedIOException when the socket cannot be had
   */
  public FakeDockerApi(Path socket, Map<String, List<String>> entrypoints) {
    this.socket = socket;
    this.box = new FakeDockerBox(faults, entrypoints);
    this.routes = new FakeDockerRoutes(box);
    try {
      Files.deleteIfExists(socket);
      server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
      server.bind(UnixDomainSocketAddress.of(socket), BACKLOG);
    } catch (IOException failed) {
      throw new UncheckedIOException("cannot listen on " + socket, failed);
    }
    Thread.ofVirtual().name("fake-docker-accept").start(this::accept);
  }

  /** Where a Docker client finds it. */
  public URI address() {
    return URI.create("unix://" + socket.toAbsolutePath());
  }

  public DockerFaults faults() {
    return faults;
  }

  /**
   * Makes a container, not started; its id.
   *
   * @throws IllegalArgumentException when Docker would refuse it
   */
  public String create(String name, List<String> command, Map<String, String> environment) {
    List<String> pairs =
        environment.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).toList();
    return create(name, Map.of("Image", "fake", "Cmd", command, "Env", pairs));
  }

  /**
   * As above, from the body of Docker's create request: maps, lists, texts, numbers and truth
   * values.
   */
  public String create(String name, Map<String, Object> body) {
    FakeDockerAnswer answer = box.create(name, body);
    Optional<String> id = box.find(name).map(container -> container.id);
    if (answer instanceof FakeDockerAnswer.Whole whole && whole.status() != 201) {
      throw new IllegalArgumentException("status " + whole.status() + " for container " + name);
    }
    return id.orElseThrow();
  }

  private void accept() {
    try {
      while (true) {
        SocketChannel connection = server.accept();
        connections.add(connection);
        Thread.ofVirtual().name("fake-docker-connection").start(() -> serve(connection));
      }
    } catch (IOException isClosed) {
      closed.countDown();
    }
  }

  private void serve(SocketChannel connection) {
    try (connection) {
      InputStream in = new BufferedInputStream(Channels.newInputStream(connection));
      OutputStream out = Channels.newOutputStream(connection);
      Optional<FakeDockerRequest> request = FakeDockerRequest.read(in);
      while (request.isPresent() && answer(request.get(), out)) {
        request = FakeDockerRequest.read(in);
      }
    } catch (IOException | RuntimeException gone) {
      // The client left or sent no HTTP; either way this connection is over.
    } finally {
      connections.remove(connection);
    }
  }

  /** Returns true when the connection may serve another request. */
  private boolean answer(FakeDockerRequest request, OutputStream out) throws IOException {
    FakeDockerRoutes.Call call = routes.call(request);
    Optional<DockerFaults.Fault> fault = faults.take(call.verb(), call.container());
    if (fault.isEmpty()) {
      return routes.answer(request).writeTo(out);
    }
    return switch (fault.get().kind()) {
      case LOST_REQUEST -> false;
      case LOST_REPLY -> {
        routes.answer(request);
        yield false;
      }
      case LATE_EFFECT -> {
        Thread.ofVirtual()
            .name("fake-docker-late")
            .start(
                () -> {
                  Pause.of(fault.get().delay());
                  routes.answer(request);
                });
        yield false;
      }
      case SLOW -> {
        Pause.of(fault.get().delay());
        yield routes.answer(request).writeTo(out);
      }
      case HANG -> hang();
      case SILENT -> {
        routes.answer(request);
        yield hang();
      }
      case ERROR_500 -> FakeDockerAnswer.error(500, "scripted failure").writeTo(out);
      case TRUNCATED -> FakeDockerAnswer.half(routes.answer(request)).writeTo(out);
      case EVENT_LOST, EVENT_DOUBLED -> routes.answer(request).writeTo(out);
    };
  }

  private boolean hang() {
    try {
      closed.await();
    } catch (InterruptedException isClosing) {
      Thread.currentThread().interrupt();
    }
    return false;
  }

  /** Drops every connection, as a daemon that goes down does; it listens on. */
  public void dropConnections() {
    connections.forEach(FakeDockerApi::closeQuietly);
  }

  /** Ends every process it started, and stops listening. */
  @Override
  public void close() {
    closeQuietly(server);
    closed.countDown();
    box.end();
    dropConnections();
    try {
      Files.deleteIfExists(socket);
    } catch (IOException left) {
      // A socket that nobody listens on harms nobody; the next start removes it.
    }
  }

  private static void closeQuietly(AutoCloseable open) {
    try {
      open.close();
    } catch (Exception alreadyGone) {
      // That is what was wanted.
    }
  }

  /** Runs until it is told to end. Exit code 2 on wrong arguments. */
  public static void main(String[] words) throws InterruptedException {
    Optional<FakeDockerArguments> arguments = FakeDockerArguments.parse(words);
    if (arguments.isEmpty()) {
      System.err.print(FakeDockerArguments.USAGE);
      System.exit(2);
      return;
    }
    FakeDockerArguments told = arguments.get();
    FakeDockerApi api = new FakeDockerApi(told.socket(), told.entrypoints());
    Runtime.getRuntime().addShutdownHook(new Thread(api::close));
    told.containers().forEach(container -> api.create(container.name(), container.body()));
    System.out.println("fake Docker API on " + api.address());
    new CountDownLatch(1).await();
  }
}

package dev.swapgate.proxy.http;

import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.server.HttpHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.xnio.Options;

/**
 * One door on the street: a port with limits on everything that can be sent before a handler is
 * asked. Whoever opens it closes it.
 *
 * <p>The library's own defaults are unsafe or too small here: 1 MiB of headers, no limit on the
 * time a request head takes, 2 MiB of body.
 */
public final class Listener implements AutoCloseable {

  static {
    // Read once, when the library's class is loaded: without it a connection that is closed is
    // first
    // drained for up to 10 s, and the other side works on for nobody.
    if (System.getProperty("io.undertow.max-drain-time") == null) {
      System.setProperty("io.undertow.max-drain-time", "50");
    }
  }

  private static final int MAX_HEADER_BYTES = 32 * 1024;
  private static final int MAX_HEADERS = 100;
  private static final int MAX_PARAMETERS = 100;
  private static final int MAX_COOKIES = 20;
  private static final int REQUEST_HEAD_MS = 10_000;
  private static final int NO_REQUEST_MS = 60_000;
  private static final int BACKLOG = 1024;

  private final Undertow server;

  private Listener(Undertow server) {
    this.server = server;
  }

  /**
   * Opens the door; port 0 takes a free one.
   *
   * @param maxConnections beyond it new connections wait in the kernel
   * @param handler runs on an I/O thread and must not block it; its requests passed {@link
   *     StrictRequests}
   * @throws ListenException the address is taken or not ours
   */
  public static Listener open(InetSocketAddress address, int maxConnections, HttpHandler handler) {
    Undertow server =
        Undertow.builder()
            .addHttpListener(
                address.getPort(), address.getHostString(), new StrictRequests(handler))
            .setServerOption(UndertowOptions.MAX_HEADER_SIZE, MAX_HEADER_BYTES)
            .setServerOption(UndertowOptions.MAX_HEADERS, MAX_HEADERS)
            .setServerOption(UndertowOptions.MAX_PARAMETERS, MAX_PARAMETERS)
            .setServerOption(UndertowOptions.MAX_COOKIES, MAX_COOKIES)
            // Bodies are bounded by BodyReader, which can say so in the shape of the API.
            .setServerOption(UndertowOptions.MAX_ENTITY_SIZE, -1L)
            .setServerOption(UndertowOptions.REQUEST_PARSE_TIMEOUT, REQUEST_HEAD_MS)
            .setServerOption(UndertowOptions.NO_REQUEST_TIMEOUT, NO_REQUEST_MS)
            .setServerOption(UndertowOptions.ENABLE_HTTP2, false)
            // On, answers to pipelined requests are kept back until the last one is whole.
            .setServerOption(UndertowOptions.BUFFER_PIPELINED_DATA, false)
            .setServerOption(UndertowOptions.ALWAYS_SET_KEEP_ALIVE, false)
            .setServerOption(UndertowOptions.ALLOW_UNESCAPED_CHARACTERS_IN_URL, false)
            .setSocketOption(Options.TCP_NODELAY, true)
            .setSocketOption(Options.BACKLOG, BACKLOG)
            .setSocketOption(Options.CONNECTION_HIGH_WATER, maxConnections)
            .setSocketOption(Options.CONNECTION_LOW_WATER, maxConnections)
            .build();
    try {
      server.start();
    } catch (RuntimeException e) {
      server.stop();
      if (e.getCause() instanceof IOException cause) {
        throw new ListenException(address, cause);
      }
      throw e;
    }
    return new Listener(server);
  }

  /** Where it listens, with the port that was taken. */
  public InetSocketAddress address() {
    return (InetSocketAddress) server.getListenerInfo().get(0).getAddress();
  }

  /** Closes the door and every connection through it. */
  @Override
  public void close() {
    server.stop();
  }
}

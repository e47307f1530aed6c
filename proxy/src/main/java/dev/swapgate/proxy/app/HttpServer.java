package dev.swapgate.proxy.app;

import dev.swapgate.proxy.config.SwapgateConfig;
import dev.swapgate.proxy.config.SwapgateConfig.Address;
import dev.swapgate.proxy.http.ListenException;
import dev.swapgate.proxy.http.Listener;
import io.undertow.server.HttpHandler;
import java.net.InetSocketAddress;

/** Opens the doors on the street, and says which key of the file to change when it cannot. */
final class HttpServer {

  private static final int MAX_CHAT_CONNECTIONS = 4096;
  private static final int MAX_ADMIN_CONNECTIONS = 256;

  /** A browser opens six, and each page keeps one. */
  private static final int MAX_DOOR_CONNECTIONS = 512;

  private static final int MAX_METRICS_CONNECTIONS = 32;

  private HttpServer() {}

  /**
   * @throws StartException when the address cannot be listened on
   */
  static Listener openChat(Address address, HttpHandler handler) {
    return open("listen", address, MAX_CHAT_CONNECTIONS, handler);
  }

  /**
   * @throws StartException when the address cannot be listened on
   */
  static Listener openAdmin(Address address, HttpHandler handler) {
    return open("admin.listen", address, MAX_ADMIN_CONNECTIONS, handler);
  }

  /**
   * @throws StartException when the address cannot be listened on
   */
  static Listener openMetrics(Address address, HttpHandler handler) {
    return open("metrics.listen", address, MAX_METRICS_CONNECTIONS, handler);
  }

  /**
   * @throws StartException when the address cannot be listened on
   */
  static Listener openDoor(SwapgateConfig.Door door, HttpHandler handler) {
    return open("media." + door.backend() + ".door", door.listen(), MAX_DOOR_CONNECTIONS, handler);
  }

  private static Listener open(
      String key, Address address, int maxConnections, HttpHandler handler) {
    try {
      return Listener.open(
          new InetSocketAddress(address.host(), address.port()), maxConnections, handler);
    } catch (ListenException e) {
      throw new StartException(
          StartException.UNAVAILABLE,
          "cannot listen on "
              + address
              + " (the key "
              + key
              + "): "
              + e.getMessage()
              + "; stop what holds it (ss -ltnp 'sport = :"
              + address.port()
              + "' shows it), or change "
              + key
              + " in swapgate.yaml",
          e);
    }
  }
}

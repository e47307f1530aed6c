package dev.swapgate.proxy.forward;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;

/**
 * Where an engine answers.
 *
 * @param base a path put before every target; empty or without a slash at its end
 */
public record UpstreamAddress(String host, int port, String base) {

  private static final int HTTP = 80;

  public static UpstreamAddress of(URI url) {
    String path = url.getRawPath() == null ? "" : url.getRawPath();
    while (path.endsWith("/")) {
      path = path.substring(0, path.length() - 1);
    }
    return new UpstreamAddress(url.getHost(), url.getPort() < 0 ? HTTP : url.getPort(), path);
  }

  /** The value of {@code Host}. */
  public String authority() {
    return port == HTTP ? host : host + ":" + port;
  }

  /** Whether {@link #resolve} answers at once. */
  public boolean isLiteral() {
    return host.startsWith("[") || host.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'));
  }

  /** All addresses the name has now; it may change whenever the container is recreated. */
  public List<InetSocketAddress> resolve() throws UnknownHostException {
    List<InetSocketAddress> all = new ArrayList<>();
    for (InetAddress address : InetAddress.getAllByName(host)) {
      all.add(new InetSocketAddress(address, port));
    }
    return all;
  }

  @Override
  public String toString() {
    return "http://" + host + ":" + port + base;
  }
}

package dev.swapgate.proxy.http;

import java.net.InetSocketAddress;

/** An address could not be listened on. */
public final class ListenException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final InetSocketAddress address;

  ListenException(InetSocketAddress address, Throwable cause) {
    super(
        "could not listen on "
            + address.getHostString()
            + ":"
            + address.getPort()
            + ": "
            + cause.getMessage()
            + "; another program holds the port, or the address is not this machine's",
        cause);
    this.address = address;
  }

  public InetSocketAddress address() {
    return address;
  }
}

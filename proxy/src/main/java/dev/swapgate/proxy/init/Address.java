package dev.swapgate.proxy.init;

import dev.swapgate.backends.docker.ContainerDetails;
import dev.swapgate.backends.docker.ContainerDetails.PublishedPort;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Where a container's server is reached from this machine. */
sealed interface Address {

  /**
   * @param remark how the port was chosen; empty when it needs no word
   */
  record Found(String url, String remark) implements Address {}

  record Unknown(String why) implements Address {}

  static Address of(ContainerDetails container, List<Integer> usual) {
    List<Integer> wanted = new ArrayList<>();
    Optional<Integer> told = Options.number(container, "--port");
    told.ifPresent(wanted::add);
    wanted.addAll(usual);
    if (container.networkMode().equals("host")) {
      return new Found(
          "http://127.0.0.1:" + wanted.getFirst(),
          "It has the host's network: the port is "
              + (told.isPresent() ? "that of its --port." : "the usual one; check it."));
    }
    List<PublishedPort> tcp =
        container.ports().stream().filter(port -> port.containerPort().endsWith("/tcp")).toList();
    for (int port : wanted) {
      Optional<PublishedPort> match =
          tcp.stream().filter(one -> one.containerPort().equals(port + "/tcp")).findFirst();
      if (match.isPresent()) {
        return of(container, match.get(), "");
      }
    }
    if (tcp.size() == 1) {
      return of(
          container,
          tcp.getFirst(),
          "Its port " + tcp.getFirst().containerPort() + " is not the usual one; check the url.");
    }
    return new Unknown(
        tcp.isEmpty()
            ? "it publishes no port. Make it with -p 127.0.0.1:%d:%d; or, if swapgate runs in the"
                    .formatted(wanted.getFirst(), wanted.getFirst())
                + " same Docker network, its url is http://"
                + container.name()
                + ":"
                + wanted.getFirst()
            : "it publishes several ports, none of them a usual one: "
                + String.join(", ", tcp.stream().map(PublishedPort::containerPort).toList()));
  }

  private static Address of(ContainerDetails container, PublishedPort port, String remark) {
    String inside = port.containerPort().replace("/tcp", "");
    if (!port.isFixed()) {
      return new Unknown(
          "Docker chooses a new host port for it at each start. Make "
              + container.name()
              + " with a fixed one, like -p 127.0.0.1:"
              + inside
              + ":"
              + inside);
    }
    String ip = port.hostIp();
    boolean all = ip.isEmpty() || ip.equals("0.0.0.0") || ip.equals("::");
    String host = all ? "127.0.0.1" : ip.indexOf(':') >= 0 ? "[" + ip + "]" : ip;
    return new Found("http://" + host + ":" + port.hostPort(), remark);
  }
}

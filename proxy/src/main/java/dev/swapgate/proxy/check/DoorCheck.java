package dev.swapgate.proxy.check;

import dev.swapgate.backends.docker.ContainerDetails.PublishedPort;
import dev.swapgate.proxy.admin.Finding;
import dev.swapgate.proxy.admin.Finding.Severity;
import dev.swapgate.proxy.config.SwapgateConfig.Address;
import dev.swapgate.proxy.config.SwapgateConfig.Door;
import java.util.ArrayList;
import java.util.List;

/** Looks whether a container wants the port that swapgate keeps for its door. */
final class DoorCheck {

  private DoorCheck() {}

  static List<Finding> findings(List<Door> doors, List<Sight> sights) {
    List<Finding> found = new ArrayList<>();
    for (Door door : doors) {
      for (Sight sight : sights) {
        sight.container().stream()
            .flatMap(container -> container.ports().stream())
            .filter(port -> clash(door.listen(), port))
            .findFirst()
            .ifPresent(port -> found.add(taken(door, sight, port)));
      }
      if (!door.listen().isLoopback()) {
        found.add(open(door));
      }
    }
    return found;
  }

  /** The same port, at addresses of which one holds the other. */
  private static boolean clash(Address door, PublishedPort port) {
    String ip = port.hostIp();
    boolean everywhere = ip.isEmpty() || ip.equals("0.0.0.0") || ip.equals("::");
    boolean sameHost =
        everywhere
            || door.isWildcard()
            || ip.equals(door.host())
            || (door.host().equals("localhost") && new Address(ip, 0).isLoopback());
    return port.hostPort().equals(String.valueOf(door.port())) && sameHost;
  }

  private static Finding taken(Door door, Sight sight, PublishedPort port) {
    String key = "media." + door.backend() + ".door";
    String own = port.containerPort().replaceAll("/.*", "");
    return new Finding(
        "door_port_taken",
        Severity.PROBLEM,
        sight.name(),
        sight.backend().container()
            + " is published on port "
            + port.hostPort()
            + ", which swapgate keeps for "
            + key
            + " ("
            + door.listen()
            + ")",
        "while swapgate has the port, Docker cannot start the container",
        "publish it elsewhere, like 127.0.0.1:1"
            + own
            + ":"
            + own
            + ", give that as "
            + sight.key("url")
            + ", then "
            + sight.create());
  }

  private static Finding open(Door door) {
    return new Finding(
        "door_beyond_loopback",
        Severity.NOTE,
        door.backend().value(),
        "its door " + door.listen() + " can be reached from beyond this machine",
        "whoever reaches it can take the card from chat, and use " + door.backend() + " unasked",
        "let media." + door.backend() + ".door begin with 127.0.0.1, unless that is meant");
  }
}

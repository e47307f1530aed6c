package dev.swapgate.proxy.check;

import dev.swapgate.backends.docker.ContainerDetails;
import dev.swapgate.backends.docker.ContainerDetails.PublishedPort;
import dev.swapgate.proxy.admin.Finding;
import dev.swapgate.proxy.admin.Finding.Severity;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Looks at backends in pairs: do they share what only one can have? */
final class SharingCheck {

  private SharingCheck() {}

  static List<Finding> findings(List<Sight> sights) {
    List<Finding> found = new ArrayList<>();
    for (int i = 0; i < sights.size(); i++) {
      for (int j = i + 1; j < sights.size(); j++) {
        pair(sights.get(i), sights.get(j), found);
      }
    }
    bothUp(sights).ifPresent(found::add);
    return found;
  }

  private static void pair(Sight one, Sight other, List<Finding> found) {
    if (isSameContainer(one, other)) {
      found.add(
          new Finding(
              "shared_container",
              Severity.PROBLEM,
              other.name(),
              one.name() + " and " + other.name() + " are the same container",
              "to stop the one is to stop the other",
              "give each a container of its own in swapgate.yaml"));
      return;
    }
    Set<String> shared = new HashSet<>(hostPorts(one));
    shared.retainAll(hostPorts(other));
    if (!shared.isEmpty()) {
      found.add(
          new Finding(
              "shared_port",
              Severity.WARNING,
              other.name(),
              one.name()
                  + " and "
                  + other.name()
                  + " share the host port "
                  + String.join(", ", shared),
              "what the one answers is taken for the other, and neither starts while the other"
                  + " still holds the port",
              "publish each on a port of its own, then " + other.create()));
    }
  }

  private static boolean isSameContainer(Sight one, Sight other) {
    boolean sameId =
        one.container().isPresent()
            && one.container()
                .map(ContainerDetails::id)
                .equals(other.container().map(ContainerDetails::id));
    return sameId || one.backend().container().equals(other.backend().container());
  }

  /** Those that are published, and the one its address names. */
  private static Set<String> hostPorts(Sight sight) {
    Set<String> ports = new HashSet<>();
    sight
        .container()
        .ifPresent(
            container ->
                container.ports().stream()
                    .filter(PublishedPort::isFixed)
                    .map(PublishedPort::hostPort)
                    .forEach(ports::add));
    String host = sight.backend().url().getHost();
    int port = sight.backend().url().getPort();
    if (port > 0 && host != null && (host.equals("localhost") || host.startsWith("127."))) {
      ports.add(String.valueOf(port));
    }
    return ports;
  }

  private static Optional<Finding> bothUp(List<Sight> sights) {
    List<Sight> up = sights.stream().filter(Sight::isUp).toList();
    if (up.size() < 2) {
      return Optional.empty();
    }
    Sight last = up.getLast();
    return Optional.of(
        new Finding(
            "several_up",
            Severity.WARNING,
            last.name(),
            "running at the same time: " + String.join(", ", up.stream().map(Sight::name).toList()),
            "they share the card; swapgate stops all but the one that owns it",
            last.stop()));
  }
}

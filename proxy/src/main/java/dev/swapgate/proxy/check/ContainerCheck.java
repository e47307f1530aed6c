package dev.swapgate.proxy.check;

import dev.swapgate.backends.docker.ContainerDetails;
import dev.swapgate.proxy.admin.Finding;
import dev.swapgate.proxy.admin.Finding.Severity;
import java.util.ArrayList;
import java.util.List;

/** Looks at one container: can it be stopped and started again, and by nobody but us? */
final class ContainerCheck {
  private ContainerCheck() {}

  static List<Finding> findings(Sight sight) {
    if (sight.container().isEmpty()) {
      return List.of(missing(sight));
    }
    ContainerDetails container = sight.container().get();
    List<Finding> found = new ArrayList<>();
    if (container.autoRemove()) {
      found.add(autoRemove(sight));
    }
    restartPolicy(sight, container, found);
    for (ContainerDetails.PublishedPort port : container.ports()) {
      if (!port.isFixed()) {
        found.add(portNotFixed(sight, port));
      }
    }
    if (container.pidMode().equals("host")) {
      found.add(hostProcesses(sight, container));
    }
    return found;
  }

  private static Finding missing(Sight sight) {
    return new Finding(
        "container_missing",
        Severity.PROBLEM,
        sight.name(),
        "Docker has no container named " + sight.backend().container(),
        "swapgate starts and stops containers that are there; it makes none",
        sight.create());
  }

  private static Finding autoRemove(Sight sight) {
    return new Finding(
        "auto_remove",
        Severity.PROBLEM,
        sight.name(),
        "the container " + sight.backend().container() + " was made with --rm",
        "it vanishes at its first stop and could not be started again",
        sight.stop() + "; " + sight.create() + " (or docker create, without --rm)");
  }

  private static void restartPolicy(Sight sight, ContainerDetails container, List<Finding> found) {
    String policy = container.restartPolicy();
    if (policy.isEmpty() || policy.equals("no")) {
      return;
    }
    boolean always = policy.equals("always");
    found.add(
        new Finding(
            always ? "restart_always" : "restart_policy",
            always ? Severity.PROBLEM : Severity.WARNING,
            sight.name(),
            "the container " + container.name() + " has the restart policy " + policy,
            always
                ? "Docker starts it again after a reboot or a restart of the daemon even if it was"
                    + " stopped: then two backends are on the card"
                : "Docker starts it again by itself after a crash, while swapgate may want the"
                    + " card for another; swapgate is the one that restarts",
            "docker update --restart no " + container.name()));
  }

  private static Finding portNotFixed(Sight sight, ContainerDetails.PublishedPort port) {
    return new Finding(
        "port_not_fixed",
        Severity.PROBLEM,
        sight.name(),
        "port "
            + port.containerPort()
            + " of "
            + sight.backend().container()
            + " is published without a fixed host port",
        "Docker chooses another one at each start, so "
            + sight.backend().url()
            + " stops being right after the first swap",
        "publish it as 127.0.0.1:PORT:" + inside(port) + ", then " + sight.create());
  }

  private static String inside(ContainerDetails.PublishedPort port) {
    int slash = port.containerPort().indexOf('/');
    return slash < 0 ? port.containerPort() : port.containerPort().substring(0, slash);
  }

  private static Finding hostProcesses(Sight sight, ContainerDetails container) {
    return new Finding(
        "pid_mode_host",
        Severity.WARNING,
        sight.name(),
        "the container " + container.name() + " shares the host's processes (pid: host)",
        "its workers are not ended with its first process and can stay on the card after a stop",
        "leave out pid: host (docker create without --pid=host), then " + sight.create());
  }
}

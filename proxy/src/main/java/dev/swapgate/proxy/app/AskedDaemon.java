package dev.swapgate.proxy.app;

import dev.swapgate.backends.docker.ContainerDetails;
import dev.swapgate.backends.docker.DaemonVersion;
import dev.swapgate.backends.docker.DockerContainers;
import dev.swapgate.proxy.check.Preflight;
import java.util.Optional;

/** The daemon, as the preflight asks it. */
record AskedDaemon(DockerContainers docker) implements Preflight.Daemon {
  @Override
  public Optional<ContainerDetails> details(String container) {
    return docker.details(container);
  }

  @Override
  public DaemonVersion version() {
    return docker.version();
  }
}

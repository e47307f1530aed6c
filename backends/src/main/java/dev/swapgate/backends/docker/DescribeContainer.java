package dev.swapgate.backends.docker;

import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.api.command.InspectContainerResponse.ContainerState;
import com.github.dockerjava.api.model.ContainerConfig;
import com.github.dockerjava.api.model.ExposedPort;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.Ports;
import dev.swapgate.backends.docker.ContainerDetails.PublishedPort;
import dev.swapgate.gate.port.BackendException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads what a container is made of out of Docker's answer. */
final class DescribeContainer {
  private final InspectContainer inspect;

  DescribeContainer(InspectContainer inspect) {
    this.inspect = inspect;
  }

  Optional<ContainerDetails> details(String container) {
    return inspect.inspect("details", container).map(seen -> details(container, seen));
  }

  private static ContainerDetails details(String name, InspectContainerResponse seen) {
    ContainerConfig config = seen.getConfig();
    HostConfig host = seen.getHostConfig();
    ContainerState state = seen.getState();
    if (config == null || host == null || state == null) {
      throw new BackendException(
          "Docker's answer about container " + name + " has no Config, HostConfig or State");
    }
    return new ContainerDetails(
        name,
        text(seen.getId()),
        text(config.getImage()),
        text(state.getStatus()),
        Optional.ofNullable(state.getHealth()).map(health -> text(health.getStatus())),
        Boolean.TRUE.equals(host.getAutoRemove()),
        InspectContainer.restartPolicy(seen),
        ports(config, host),
        Optional.ofNullable(host.getInit()),
        text(RawValues.config(seen, "StopSignal")),
        list(config.getEntrypoint()),
        list(config.getCmd()),
        text(host.getPidMode()),
        text(host.getIpcMode()),
        config.getLabels() == null ? Map.of() : config.getLabels(),
        InspectContainer.stopTimeout(seen),
        text(host.getNetworkMode()),
        asksForGpu(host));
  }

  private static boolean asksForGpu(HostConfig host) {
    boolean reserved = host.getDeviceRequests() != null && !host.getDeviceRequests().isEmpty();
    return reserved || text(host.getRuntime()).contains("nvidia");
  }

  private static List<PublishedPort> ports(ContainerConfig config, HostConfig host) {
    List<PublishedPort> ports = new ArrayList<>();
    Ports bindings = host.getPortBindings();
    if (bindings != null) {
      bindings.getBindings().forEach((inside, outside) -> add(ports, inside, outside));
    }
    if (Boolean.TRUE.equals(host.getPublishAllPorts()) && config.getExposedPorts() != null) {
      for (ExposedPort exposed : config.getExposedPorts()) {
        if (ports.stream().noneMatch(port -> port.containerPort().equals(exposed.toString()))) {
          ports.add(new PublishedPort(exposed.toString(), "", ""));
        }
      }
    }
    return ports;
  }

  private static void add(
      List<PublishedPort> ports, ExposedPort inside, Ports.Binding @Nullable [] outside) {
    if (outside == null) {
      ports.add(new PublishedPort(inside.toString(), "", ""));
      return;
    }
    for (Ports.Binding binding : outside) {
      ports.add(
          new PublishedPort(
              inside.toString(), text(binding.getHostIp()), text(binding.getHostPortSpec())));
    }
  }

  private static List<String> list(String @Nullable [] words) {
    return words == null ? List.of() : List.of(words);
  }

  private static String text(@Nullable Object value) {
    return value == null ? "" : value.toString();
  }
}

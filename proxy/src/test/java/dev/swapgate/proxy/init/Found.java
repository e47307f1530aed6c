package dev.swapgate.proxy.init;

import dev.swapgate.backends.docker.ContainerDetails;
import dev.swapgate.backends.docker.ContainerDetails.PublishedPort;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Containers as Docker describes them. */
record Found(
    String name,
    String image,
    String state,
    List<PublishedPort> ports,
    List<String> command,
    boolean remove,
    String restart,
    String network,
    boolean gpu,
    Map<String, String> labels) {

  static Found running(String name, String image, String... ports) {
    return new Found(
        name, image, "running", ports(ports), List.of(), false, "no", "bridge", true, Map.of());
  }

  static Found stopped(String name, String image, String... ports) {
    return running(name, image, ports).in("exited");
  }

  /** As in {@code 127.0.0.1:8001:8000}: address, host port (may be empty), container port. */
  private static List<PublishedPort> ports(String... ports) {
    return java.util.Arrays.stream(ports)
        .map(text -> text.split(":", 3))
        .map(part -> new PublishedPort(part[2] + "/tcp", part[0], part[1]))
        .toList();
  }

  Found in(String state) {
    return new Found(name, image, state, ports, command, remove, restart, network, gpu, labels);
  }

  Found withCommand(String... words) {
    return new Found(
        name, image, state, ports, List.of(words), remove, restart, network, gpu, labels);
  }

  Found removed() {
    return new Found(name, image, state, ports, command, true, restart, network, gpu, labels);
  }

  Found restarting(String policy) {
    return new Found(name, image, state, ports, command, remove, policy, network, gpu, labels);
  }

  Found onHostNetwork() {
    return new Found(name, image, state, List.of(), command, remove, restart, "host", gpu, labels);
  }

  Found withoutGpu() {
    return new Found(name, image, state, ports, command, remove, restart, network, false, labels);
  }

  Found service(String service) {
    Map<String, String> composed = Map.of("com.docker.compose.service", service);
    return new Found(name, image, state, ports, command, remove, restart, network, gpu, composed);
  }

  ContainerDetails details() {
    return new ContainerDetails(
        name,
        "id-of-" + name,
        image,
        state,
        Optional.empty(),
        remove,
        restart,
        ports,
        Optional.empty(),
        "",
        List.of(),
        command,
        "",
        "private",
        labels,
        Duration.ofSeconds(10),
        network,
        gpu);
  }
}

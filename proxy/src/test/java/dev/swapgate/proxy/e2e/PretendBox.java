package dev.swapgate.proxy.e2e;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.api.model.Bind;
import com.github.dockerjava.api.model.ExposedPort;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.PortBinding;
import com.github.dockerjava.api.model.Ports;
import com.github.dockerjava.api.model.Volume;
import dev.swapgate.backends.sim.CardJournal;
import dev.swapgate.backends.sim.SimNvidiaSmi;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.testcontainers.DockerClientFactory;

/**
 * Two engines and media backends of every kind as containers of the real daemon, created but not
 * started, sharing one pretend card. Gone again when closed.
 *
 * <p>{@code vllm} answers 401 on {@code /v1/models} without its key and is ready on {@code
 * /health}; {@code ninfer} accepts connections long before it answers, and is ready on a path of
 * its own.
 */
final class PretendBox implements AutoCloseable {
  static final String KEY = "sk-of-the-pretend-engine";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final DockerClient docker = DockerClientFactory.instance().client();
  private final String prefix =
      "swapgate-e2e-" + UUID.randomUUID().toString().substring(0, 8) + "-";
  private final Path folder;
  private final Path card;
  private final Map<Place, Integer> ports = new EnumMap<>(Place.class);
  private final int chatPort;
  private final int adminPort;
  private final List<String> made = new ArrayList<>();
  private final DockerEvents events;

  /**
   * @param ninferLoads how long that engine takes to get ready
   */
  PretendBox(Path folder, Duration ninferLoads) throws Exception {
    this.folder = folder;
    this.card = Files.createDirectory(folder.resolve("card"));
    List<Integer> free = Simulators.freePorts(Place.values().length + 2);
    for (Place place : Place.values()) {
      ports.put(place, free.get(place.ordinal()));
    }
    this.chatPort = free.get(free.size() - 2);
    this.adminPort = free.get(free.size() - 1);
    this.events = new DockerEvents(docker, prefix);
    try {
      create(Place.VLLM, Map.of("SIM_API_KEY", KEY, "SIM_LOAD_TIME", "500ms"));
      create(
          Place.NINFER,
          Map.of(
              "SIM_LOAD_TIME",
              ninferLoads.toMillis() + "ms",
              "SIM_WHILE_LOADING",
              "hang",
              "SIM_READY_PATH",
              "/up"));
      create(Place.COMFYUI, Map.of("SIM_STEP_TIME", "300ms"));
      create(Place.MUSIC, Map.of("SIM_STEP_TIME", "300ms"));
      Files.createDirectory(work());
      create(Place.YUE, Map.of("SIM_STEP_TIME", "300ms"));
      create(Place.SPEECH, Map.of());
      create(Place.STUDIO, Map.of());
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  private void create(Place place, Map<String, String> more) {
    Map<String, String> variables = new TreeMap<>(more);
    variables.put("SIM_NAME", place.toString());
    variables.put("SIM_CARD", "/card");
    variables.put("SIM_PORT", Integer.toString(place.port));
    ExposedPort inside = ExposedPort.tcp(place.port);
    Map<String, String> labels = new TreeMap<>(DockerClientFactory.DEFAULT_LABELS);
    labels.put("dev.swapgate.test", "e2e");
    docker
        .createContainerCmd(Simulators.IMAGE)
        .withName(container(place))
        .withCmd(place.simulator)
        .withLabels(labels)
        .withEnv(variables.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).toList())
        .withExposedPorts(inside)
        .withHostConfig(
            HostConfig.newHostConfig()
                .withBinds(
                    new Bind(card.toString(), new Volume("/card")),
                    new Bind(work().toString(), new Volume("/work")))
                .withPortBindings(
                    new PortBinding(
                        Ports.Binding.bindIpAndPort("127.0.0.1", ports.get(place)), inside)))
        .exec();
    made.add(container(place));
  }

  String container(Place place) {
    return prefix + place;
  }

  URI chat() {
    return URI.create("http://127.0.0.1:" + chatPort);
  }

  URI admin() {
    return URI.create("http://127.0.0.1:" + adminPort);
  }

  /** Where that backend itself answers. */
  URI server(Place place) {
    return URI.create("http://127.0.0.1:" + ports.get(place));
  }

  /** What the container that runs to its exit shares with swapgate. */
  Path work() {
    return folder.resolve("work");
  }

  Path results() {
    return folder.resolve("results");
  }

  DockerEvents events() {
    return events;
  }

  CardJournal journal() {
    return CardJournal.of(card);
  }

  /** As its owner would by hand, before swapgate is there; returns when the engine is ready. */
  void start(Place engine, String readyPath) {
    docker.startContainerCmd(container(engine)).exec();
    HttpRequest ask =
        HttpRequest.newBuilder(server(engine).resolve(readyPath))
            .timeout(Duration.ofSeconds(5))
            .build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      Await.until(() -> engine + " answers " + ask.uri(), PATIENCE, () -> isReady(client, ask));
    }
  }

  private static boolean isReady(HttpClient client, HttpRequest ask) {
    try {
      return client.send(ask, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException notYet) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private InspectContainerResponse.ContainerState state(Place place) {
    return docker.inspectContainerCmd(container(place)).exec().getState();
  }

  boolean isRunning(Place place) {
    return Boolean.TRUE.equals(state(place).getRunning());
  }

  /** Tells one run of a container from the next. */
  String startedAt(Place place) {
    return String.valueOf(state(place).getStartedAt());
  }

  /** Writes the configuration, with each of these texts replaced by the one after it. */
  Path configFile(String... replacements) {
    String yaml = new BoxYaml(this, ports, folder, chatPort, adminPort).text(tool(), dockerHost());
    for (int i = 0; i < replacements.length; i += 2) {
      if (!yaml.contains(replacements[i])) {
        throw new AssertionError("no '" + replacements[i] + "' in " + yaml);
      }
      yaml = yaml.replace(replacements[i], replacements[i + 1]);
    }
    return write(folder.resolve("swapgate-" + UUID.randomUUID() + ".yaml"), yaml);
  }

  /** Where the daemon is, as the configuration names it. */
  static URI dockerHost() {
    return DockerClientFactory.instance().getTransportConfig().getDockerHost();
  }

  /** The stand-in for nvidia-smi, told which card is meant. */
  private Path tool() {
    try {
      Path classes =
          Path.of(SimNvidiaSmi.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      Path tool =
          write(
              folder.resolve("nvidia-smi"),
              "#!/bin/sh\nSIM_CARD='%s' SIM_CLASSES='%s' exec '%s' \"$@\"\n"
                  .formatted(
                      card, classes, Simulators.checkout().resolve("scripts/pretend/nvidia-smi")));
      return Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwxr-xr-x"));
    } catch (IOException e) {
      throw new UncheckedIOException("could not write the card's tool", e);
    } catch (URISyntaxException e) {
      throw new IllegalStateException("the simulators' classes are nowhere", e);
    }
  }

  private static Path write(Path file, String text) {
    try {
      return Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException("could not write " + file, e);
    }
  }

  @Override
  public void close() throws IOException {
    events.close();
    for (String name : made) {
      docker.removeContainerCmd(name).withForce(true).withRemoveVolumes(true).exec();
    }
  }
}

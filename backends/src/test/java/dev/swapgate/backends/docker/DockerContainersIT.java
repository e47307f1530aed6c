package dev.swapgate.backends.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.model.ExposedPort;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.PortBinding;
import com.github.dockerjava.api.model.Ports;
import com.github.dockerjava.api.model.RestartPolicy;
import dev.swapgate.backends.settings.DockerSettings;
import dev.swapgate.gate.core.ContainerSighting;
import dev.swapgate.gate.core.ContainerSighting.State;
import dev.swapgate.gate.port.BackendException;
import dev.swapgate.gate.port.Behaviour;
import dev.swapgate.gate.port.Containers;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract on the Docker of this machine. Skips itself where none answers. */
class DockerContainersIT extends DaemonContract {
  private static final URI ADDRESS = address();

  /** By this label what a killed run left behind can be found. */
  private static final Map<String, String> LABELS = Map.of("dev.swapgate.test", "dkit");

  private static final List<String> made = new ArrayList<>();
  @TempDir static Path folder;
  private static DockerContainers docker;
  private static DockerClient client;

  private static URI address() {
    String told = System.getenv().getOrDefault("DOCKER_HOST", "");
    return URI.create(told.startsWith("unix:") ? told : "unix:///var/run/docker.sock");
  }

  @BeforeAll
  static void opens() throws Exception {
    docker = new DockerContainers(new DockerSettings(ADDRESS));
    assumeTrue(dockerAnswers(), "no Docker answers at " + ADDRESS);
    client = new DockerHost(ADDRESS).forReads();
    ShellImage.build(client, folder);
  }

  private static boolean dockerAnswers() {
    try {
      return !docker.version().apiVersion().isEmpty();
    } catch (BackendException nobodyThere) {
      return false;
    }
  }

  @AfterAll
  static void removesWhatItMade() throws Exception {
    docker.close();
    if (client != null) {
      for (String name : made) {
        client.removeContainerCmd(name).withForce(true).exec();
      }
      client.close();
    }
  }

  @Override
  protected Containers containers() {
    return docker;
  }

  @Override
  protected String create(Behaviour behaviour) {
    return create(behaviour, HostConfig.newHostConfig().withNetworkMode("none"));
  }

  private static String create(Behaviour behaviour, HostConfig hostConfig) {
    String name = "dkit-" + UUID.randomUUID();
    CreateContainerCmd create =
        client
            .createContainerCmd(ShellImage.NAME)
            .withName(name)
            .withLabels(LABELS)
            .withCmd("/bin/sh", "-c", behaviour.script())
            .withHostConfig(hostConfig);
    if (behaviour == Behaviour.TALKER) {
      create.withStopTimeout(77).withStopSignal("SIGINT");
    }
    create.exec();
    made.add(name);
    return name;
  }

  @Override
  protected void pause(String container) {
    client.pauseContainerCmd(container).exec();
  }

  @Test
  void itsOwnStopTimeoutAndRestartPolicyAreSeen() {
    String name =
        create(
            Behaviour.TALKER,
            HostConfig.newHostConfig().withRestartPolicy(RestartPolicy.unlessStoppedRestart()));

    ContainerSighting seen = docker.look(name);

    assertThat(seen.stopTimeout()).isEqualTo(Duration.ofSeconds(77));
    assertThat(seen.restartPolicy()).isTrue();
  }

  @Test
  void aContainerBetweenTwoRunsOfItsRestartPolicyIsNotDown() {
    String name =
        create(
            Behaviour.QUITTER,
            HostConfig.newHostConfig().withRestartPolicy(RestartPolicy.alwaysRestart()));
    docker.start(name, DEADLINE);

    for (int i = 0; i < 20; i++) {
      assertThat(docker.look(name).state()).isEqualTo(State.RUNNING);
    }
    docker.stop(name, GRACE, DEADLINE);
    assertThat(docker.look(name).state()).isEqualTo(State.DOWN);
  }

  @Test
  void theBeginningOfAnIdIsNoName() {
    String id = docker.look(create(Behaviour.OBEDIENT)).id();

    assertThat(docker.look(id.substring(0, 12)).state()).isEqualTo(State.MISSING);
    assertThat(reasonOfFailure(docker.start(id.substring(0, 12), DEADLINE)))
        .contains("No such container");
  }

  @Test
  void detailsAreThoseItWasMadeWith() {
    ExposedPort web = ExposedPort.tcp(8000);
    ExposedPort other = ExposedPort.tcp(9000);
    HostConfig host =
        HostConfig.newHostConfig()
            .withInit(true)
            .withPortBindings(
                new PortBinding(Ports.Binding.bindIpAndPort("127.0.0.1", 18_000), web),
                new PortBinding(Ports.Binding.empty(), other));

    ContainerDetails seen = docker.details(create(Behaviour.TALKER, host)).orElseThrow();

    assertThat(seen.image()).isEqualTo(ShellImage.NAME);
    assertThat(seen.state()).isEqualTo("created");
    assertThat(seen.autoRemove()).isFalse();
    assertThat(seen.restartPolicy()).isIn("", "no");
    assertThat(seen.init()).contains(true);
    assertThat(seen.stopSignal()).isEqualTo("SIGINT");
    assertThat(seen.command()).startsWith("/bin/sh", "-c");
    assertThat(seen.labels()).containsAllEntriesOf(LABELS);
    assertThat(seen.ports())
        .contains(new ContainerDetails.PublishedPort("8000/tcp", "127.0.0.1", "18000"));
    assertThat(seen.ports()).filteredOn(port -> !port.isFixed()).hasSize(1);
  }

  @Test
  void theNamesOfAllContainersAreThere() {
    String name = create(Behaviour.OBEDIENT);

    assertThat(docker.names()).contains(name);
  }
}

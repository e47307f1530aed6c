package dev.swapgate.backends.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.dockerjava.api.DockerClient;
import dev.swapgate.backends.settings.DockerSettings;
import dev.swapgate.backends.sim.DockerFaults;
import dev.swapgate.backends.sim.FakeDockerApi;
import dev.swapgate.gate.core.CommandEnd;
import dev.swapgate.gate.core.ContainerSighting;
import dev.swapgate.gate.core.ContainerSighting.State;
import dev.swapgate.gate.port.BackendException;
import dev.swapgate.gate.port.Behaviour;
import dev.swapgate.gate.port.Containers;
import dev.swapgate.gate.port.Containers.Hint;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The fake Docker API passes for Docker with the real driver, and lies when it is told to. */
class FakeDockerContainersTest extends DaemonContract {
  @TempDir static Path folder;
  private static FakeDockerApi api;
  private static DockerContainers docker;
  private static int made;

  @BeforeAll
  static void opens() {
    api = new FakeDockerApi(folder.resolve("docker.sock"), Map.of("quitter", List.of("false")));
    docker = new DockerContainers(new DockerSettings(api.address()));
  }

  @AfterAll
  static void closes() {
    docker.close();
    api.close();
  }

  @Override
  protected Containers containers() {
    return docker;
  }

  @Override
  protected String create(Behaviour behaviour) {
    String name = "fake-" + ++made;
    api.create(name, List.of("sh", "-c", behaviour.script()), Map.of());
    return name;
  }

  @Override
  protected void pause(String container) throws IOException {
    try (DockerClient client = new DockerHost(api.address()).forReads()) {
      client.pauseContainerCmd(container).exec();
    }
  }

  @Test
  void aLostReplyIsUnknownAndTookEffect() {
    String name = create(Behaviour.OBEDIENT);
    api.faults().next("start", name, DockerFaults.Kind.LOST_REPLY);

    assertThat(docker.start(name, DEADLINE)).isInstanceOf(CommandEnd.Unknown.class);
    assertThat(docker.look(name).state()).isEqualTo(State.RUNNING);
  }

  @Test
  void aLostRequestIsUnknownAndTookNoEffect() {
    String name = create(Behaviour.OBEDIENT);
    api.faults().next("start", name, DockerFaults.Kind.LOST_REQUEST);

    assertThat(docker.start(name, DEADLINE)).isInstanceOf(CommandEnd.Unknown.class);
    assertThat(docker.look(name).state()).isEqualTo(State.DOWN);
  }

  @Test
  void aLateEffectComesAfterItsUnknownEnd() {
    String name = create(Behaviour.OBEDIENT);
    DockerFaults.Fault late =
        new DockerFaults.Fault(DockerFaults.Kind.LATE_EFFECT, Duration.ofMillis(500));
    api.faults().next("start", name, late);

    assertThat(docker.start(name, DEADLINE)).isInstanceOf(CommandEnd.Unknown.class);
    lookUntil(name, seen -> seen.state() == State.RUNNING);
  }

  @Test
  void aHangIsUnknownAtTheDeadline() {
    String name = create(Behaviour.OBEDIENT);
    api.faults().next("start", name, DockerFaults.Kind.HANG);

    assertThat(docker.start(name, Duration.ofSeconds(1))).isInstanceOf(CommandEnd.Unknown.class);
    assertThat(docker.look(name).state()).isEqualTo(State.DOWN);
  }

  @Test
  void anErrorIsAFailure() {
    String name = create(Behaviour.OBEDIENT);
    api.faults().next("start", name, DockerFaults.Kind.ERROR_500);

    assertThat(reasonOfFailure(docker.start(name, DEADLINE))).contains("scripted failure");
  }

  @Test
  void aTruncatedInspectIsAnException() {
    String name = create(Behaviour.OBEDIENT);
    api.faults().next("inspect", name, DockerFaults.Kind.TRUNCATED);

    assertThatThrownBy(() -> docker.look(name)).isInstanceOf(BackendException.class);
  }

  @Test
  void aLostEventCostsAHintAndADoubledOneGivesTwo() throws Exception {
    String name = create(Behaviour.OBEDIENT);
    api.faults().next("event-start", name, DockerFaults.Kind.EVENT_LOST);
    api.faults().next("event-kill", name, DockerFaults.Kind.EVENT_DOUBLED);
    assertThat(hintOf(name, hint -> true)).isNotNull(); // Its creation.

    docker.start(name, DEADLINE);
    docker.kill(name, DEADLINE);

    Hint signalled = new Hint(name, true);
    assertThat(hintOf(name, hint -> true)).isEqualTo(signalled);
    assertThat(hintOf(name, hint -> true)).isEqualTo(signalled);
  }

  @Test
  void eventsAreFollowedAgainAfterTheConnectionWasLost() throws Exception {
    api.dropConnections();

    assertThat(hintOf("", hint -> true)).isNotNull(); // It was lost.
    assertThat(hintOf("", hint -> true)).isNotNull(); // It is back.
    String name = started(Behaviour.OBEDIENT);
    assertThat(hintOf(name, hint -> true)).isNotNull();
  }

  @Test
  void aProgramThatIsNotThereFailsTheStart() {
    api.create("no-program", List.of("/no/such/program"), Map.of());

    assertThat(reasonOfFailure(docker.start("no-program", DEADLINE))).contains("/no/such/program");
  }

  @Test
  void anImagesEntrypointRunsBeforeTheCommand() {
    api.create("from-image", Map.of("Image", "quitter", "Cmd", List.of("ignored")));
    docker.start("from-image", DEADLINE);

    assertThat(lookUntil("from-image", ContainerSighting::isDown).exitCode()).hasValue(1);
  }

  @Test
  void whatAProcessLeavesBehindEndsWithIt() {
    api.create(
        "parent", List.of("sh", "-c", "sleep 1000 & echo $!; exit 4"), Map.of("KEY", "value"));
    docker.start("parent", DEADLINE);

    assertThat(lookUntil("parent", ContainerSighting::isDown).exitCode()).hasValue(4);
    long child = Long.parseLong(docker.lastLogLines("parent", 1).get(0));
    assertThat(ProcessHandle.of(child).filter(FakeDockerContainersTest::runs)).isEmpty();
  }

  /** An orphan that has ended may wait for its new parent to take note. */
  private static boolean runs(ProcessHandle process) {
    return process.isAlive() && process.info().command().isPresent();
  }

  @Test
  void oneMadeWithRmIsGoneAfterItsEnd() {
    api.create(
        "made-with-rm", Map.of("Cmd", List.of("true"), "HostConfig", Map.of("AutoRemove", true)));
    assertThat(docker.look("made-with-rm").autoRemove()).isTrue();

    docker.start("made-with-rm", DEADLINE);

    lookUntil("made-with-rm", seen -> seen.state() == State.MISSING);
  }

  @Test
  void closingEndsEveryProcess() {
    FakeDockerApi own = new FakeDockerApi(folder.resolve("own.sock"), Map.of());
    long pid;
    try (DockerContainers containers = new DockerContainers(new DockerSettings(own.address()))) {
      own.create("left", List.of("sleep", "1000"), Map.of());
      containers.start("left", DEADLINE);
      pid = pidOf(own, "left");
    }

    own.close();

    assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
  }

  private static long pidOf(FakeDockerApi api, String name) {
    try (DockerClient client = new DockerHost(api.address()).forReads()) {
      return client.inspectContainerCmd(name).exec().getState().getPidLong();
    } catch (IOException failed) {
      throw new IllegalStateException(failed);
    }
  }
}

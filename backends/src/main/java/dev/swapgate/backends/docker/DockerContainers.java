package dev.swapgate.backends.docker;

import com.github.dockerjava.api.model.Container;
import com.github.dockerjava.api.model.Version;
import dev.swapgate.backends.settings.DockerSettings;
import dev.swapgate.gate.core.CommandEnd;
import dev.swapgate.gate.core.ContainerSighting;
import dev.swapgate.gate.port.BackendException;
import dev.swapgate.gate.port.Containers;
import dev.swapgate.gate.port.Inside;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The containers of one Docker daemon. Every call has a connection and a virtual thread of its own
 * and returns at its deadline, whatever the daemon does; a call that hangs takes nothing from later
 * ones. Thread-safe.
 */
public final class DockerContainers implements Containers {
  /** Far more than a box with one card ever has under way; reached only when Docker hangs. */
  private static final int MAX_COMMANDS = 64;

  private static final int MAX_READS = 64;

  private final TimedCalls commandCalls = new TimedCalls(MAX_COMMANDS);
  private final TimedCalls readCalls = new TimedCalls(MAX_READS);
  private final Set<WatchEvents> watches = ConcurrentHashMap.newKeySet();
  private final DockerHost host;
  private final AskDocker docker;
  private final InspectContainer inspect;
  private final DescribeContainer describe;
  private final ReadLogs logs;
  private final StartContainer start;
  private final StopContainer stop;
  private final KillContainer kill;
  private final RunInside inside;

  /**
   * Asks nothing yet: the daemon may come up later.
   *
   * @throws BackendException when the address is neither a Unix socket nor plain TCP
   */
  public DockerContainers(DockerSettings settings) {
    this(settings, AskDocker.DEADLINE);
  }

  /** With another deadline for looks, so that tests need not wait for the real one. */
  DockerContainers(DockerSettings settings, Duration readDeadline) {
    host = new DockerHost(settings.host());
    docker = new AskDocker(host, readCalls, readDeadline);
    inspect = new InspectContainer(docker);
    describe = new DescribeContainer(inspect);
    logs = new ReadLogs(docker);
    SendCommand command = new SendCommand(host, commandCalls, inspect);
    start = new StartContainer(command);
    stop = new StopContainer(command);
    kill = new KillContainer(command);
    inside = new RunInside(docker);
  }

  @Override
  public ContainerSighting look(String container) {
    return inspect.look(container);
  }

  @Override
  public CommandEnd start(String container, Duration deadline) {
    return start.start(container, deadline);
  }

  @Override
  public CommandEnd stop(String container, Duration grace, Duration deadline) {
    return stop.stop(container, grace, deadline);
  }

  @Override
  public CommandEnd kill(String container, Duration deadline) {
    return kill.kill(container, deadline);
  }

  @Override
  public List<String> lastLogLines(String container, int lines) {
    return logs.last(container, lines);
  }

  @Override
  public Inside inside() {
    return inside;
  }

  @Override
  public AutoCloseable watch(Consumer<Hint> hint) {
    WatchEvents watch = new WatchEvents(host, hint);
    watches.add(watch);
    watch.start();
    return () -> {
      watches.remove(watch);
      watch.close();
    };
  }

  /**
   * What a container is made of; empty when there is none of that name.
   *
   * @throws BackendException when the daemon cannot be asked or its answer cannot be read
   */
  public Optional<ContainerDetails> details(String container) {
    return describe.details(container);
  }

  /**
   * What the daemon says it is.
   *
   * @throws BackendException when it cannot be asked
   */
  public DaemonVersion version() {
    Version version = answer("version", client -> client.versionCmd().exec());
    return new DaemonVersion(
        text(version.getVersion()),
        text(version.getApiVersion()),
        text(version.getMinAPIVersion()));
  }

  /**
   * The names of all containers, stopped ones too, sorted.
   *
   * @throws BackendException when the daemon cannot be asked
   */
  public List<String> names() {
    List<Container> all = answer("names", c -> c.listContainersCmd().withShowAll(true).exec());
    return all.stream().flatMap(DockerContainers::ownName).sorted().toList();
  }

  /** Names with a second slash are what other containers call it by their links. */
  private static Stream<String> ownName(Container container) {
    String[] names = container.getNames() == null ? new String[0] : container.getNames();
    return Arrays.stream(names)
        .map(name -> name.startsWith("/") ? name.substring(1) : name)
        .filter(name -> name.indexOf('/') < 0);
  }

  private <T> T answer(String verb, AskDocker.Question<T> question) {
    return docker
        .ask(verb, "docker", question)
        .orElseThrow(() -> new BackendException("asked Docker at " + host + ": it said 404"));
  }

  private static String text(String value) {
    return value == null ? "" : value;
  }

  /** Ends the watches and abandons what is under way; the daemon goes on with it. */
  @Override
  public void close() {
    commandCalls.close();
    readCalls.close();
    watches.forEach(WatchEvents::close);
  }
}

package dev.swapgate.proxy.app;

import dev.swapgate.proxy.admin.Finding;
import dev.swapgate.proxy.app.LockFile.Holder;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The containers of the file, ours alone on this machine while this is open: two gates that command
 * the same containers would each undo what the other did, whatever state folder they have. One lock
 * file for each daemon and container name; the kernel gives it back however the process ends, so
 * none is ever stale.
 *
 * <p>Every folder is used that can be: two swapgates see each other if they share one of them, also
 * where a service has a private {@code /tmp}. Two hosts, or two containers without a shared folder,
 * do not see each other.
 */
final class ContainerLocks implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ContainerLocks.class);

  /** Folders of the machine that every user may write, the one that is not tidied up first. */
  static final List<Path> FOLDERS = List.of(Path.of("/run/lock"), Path.of("/tmp"));

  private final List<LockFile> files = new ArrayList<>();
  private final List<String> unlocked = new ArrayList<>();

  private ContainerLocks() {}

  /** A container that another swapgate commands. */
  record Taken(String container, Holder holder) {}

  /**
   * Takes all of them or none.
   *
   * @param docker where the daemon answers; it need not
   * @param stateDir told to others that want the same containers
   * @throws StartException when another swapgate has one of them
   */
  static ContainerLocks take(
      List<Path> folders, URI docker, List<String> containers, Path stateDir) {
    ContainerLocks locks = new ContainerLocks();
    try {
      containers.stream()
          .distinct()
          .sorted()
          .forEach(container -> locks.take(folders, docker, container, stateDir));
    } catch (StartException e) {
      locks.closeBecause(e);
      throw e;
    }
    if (!locks.unlocked.isEmpty()) {
      LOG.warn(
          "no lock could be taken for containers={} in folders={}: a second swapgate that commands"
              + " them would not be refused; let one of the folders be writable",
          locks.unlocked,
          folders);
    }
    return locks;
  }

  private void take(List<Path> folders, URI docker, String container, Path stateDir) {
    boolean locked = false;
    for (Path folder : folders) {
      Path file = folder.resolve(name(docker, container));
      try {
        Optional<LockFile> lock = LockFile.take(file, "rw-rw-rw-", stateDir);
        if (lock.isEmpty()) {
          throw taken(container, docker, LockFile.holder(file));
        }
        files.add(lock.get());
        locked = true;
      } catch (IOException e) {
        LOG.debug("cannot lock file={}: {}", file, e.toString());
      }
    }
    if (!locked) {
      unlocked.add(container);
    }
  }

  /** Which of them another process has now, without taking any. */
  static List<Taken> taken(List<Path> folders, URI docker, List<String> containers) {
    return containers.stream()
        .distinct()
        .sorted()
        .flatMap(
            container ->
                folders.stream()
                    .map(folder -> LockFile.holder(folder.resolve(name(docker, container))))
                    .flatMap(Optional::stream)
                    .limit(1)
                    .map(holder -> new Taken(container, holder)))
        .toList();
  }

  /** What {@code check} should tell of them. */
  List<Finding> findings() {
    return unlocked.isEmpty()
        ? List.of()
        : List.of(
            new Finding(
                "containers_not_locked",
                Finding.Severity.WARNING,
                "",
                "no lock could be taken for " + String.join(", ", unlocked),
                "a second swapgate that commands the same containers would not be refused",
                "let swapgate write to /run/lock or /tmp (in a container: mount /run/lock)"));
  }

  /** What {@code check} tells where no swapgate runs with this file. */
  static List<Finding> findings(List<Taken> taken) {
    return taken.stream()
        .map(
            one ->
                new Finding(
                    "another_swapgate",
                    Finding.Severity.PROBLEM,
                    "",
                    "another swapgate (" + one.holder() + ") commands " + one.container(),
                    "two would undo what the other does, so a second one is refused",
                    one.holder().pid().isEmpty()
                        ? "stop that one, or name other containers in this swapgate.yaml"
                        : "kill " + one.holder().pid() + " ends that one, containers stay"))
        .toList();
  }

  private static StartException taken(String container, URI docker, Optional<Holder> holder) {
    return new StartException(
        StartException.UNAVAILABLE,
        "another swapgate"
            + holder.map(one -> " (" + one + ")").orElse("")
            + " commands the container "
            + container
            + " of Docker at "
            + docker
            + "; two would undo what the other does: stop that one, or name other containers in"
            + " this swapgate.yaml");
  }

  /** The name begins readably, and its end tells daemons apart. */
  private static String name(URI docker, String container) {
    String head = container.substring(0, Math.min(60, container.length()));
    String which = daemon(docker) + "\n" + container;
    UUID tail = UUID.nameUUIDFromBytes(which.getBytes(StandardCharsets.UTF_8));
    return "swapgate-" + head + "-" + tail + ".lock";
  }

  /** One daemon has one socket, by however many links it is named. */
  private static String daemon(URI docker) {
    if (!"unix".equals(docker.getScheme())) {
      return docker.toString();
    }
    Path socket = Path.of(docker.getPath()).toAbsolutePath().normalize();
    Path folder = socket.getParent();
    try {
      // The daemon may not be up yet: then its folder tells.
      return folder == null || Files.exists(socket)
          ? socket.toRealPath().toString()
          : folder.toRealPath() + "/" + socket.getFileName();
    } catch (IOException e) {
      return socket.toString();
    }
  }

  private void closeBecause(StartException reason) {
    try {
      close();
    } catch (IOException e) {
      reason.addSuppressed(e);
    }
  }

  @Override
  public void close() throws IOException {
    IOException failure = null;
    for (LockFile file : files) {
      try {
        file.close();
      } catch (IOException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    files.clear();
    if (failure != null) {
      throw failure;
    }
  }
}

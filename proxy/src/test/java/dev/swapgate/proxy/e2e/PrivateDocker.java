package dev.swapgate.proxy.e2e;

import java.io.IOException;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A Docker daemon of our own, to be restarted and frozen at will: everything of it lies in one
 * folder. It needs network and mount namespaces of its own, which Java cannot make: {@code
 * scripts/lib/netns.sh} starts the JVM in them.
 */
final class PrivateDocker implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Path folder;
  private final Path socket;
  private Process daemon;

  /**
   * @param folder with a short path, since a socket's path has a limit
   */
  PrivateDocker(Path folder) throws IOException {
    List<NetworkInterface> others = NetworkInterface.networkInterfaces().skip(1).toList();
    if (!others.isEmpty()) {
      throw new IllegalStateException(
          "a namespace of its own has one interface, here are also "
              + others
              + "; no second dockerd is started beside the machine's own: run scripts/soak");
    }
    this.folder = folder;
    this.socket = folder.resolve("docker.sock");
    this.daemon = start();
  }

  private Process start() throws IOException {
    Process started =
        new ProcessBuilder(
                "dockerd",
                "--data-root=" + folder.resolve("data"),
                "--exec-root=" + folder.resolve("exec"),
                "--pidfile=" + folder.resolve("pid"),
                "--host=" + address(),
                "--bridge=none",
                "--iptables=false",
                "--ip6tables=false")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()))
            .start();
    Await.until(
        () -> "dockerd answers; its log is " + folder.resolve("log"),
        PATIENCE,
        () -> !started.isAlive() || Program.isOk("docker", "-H", address(), "version"));
    if (!started.isAlive()) {
      throw new IOException("dockerd ended; its log is " + folder.resolve("log"));
    }
    return started;
  }

  String address() {
    return "unix://" + socket;
  }

  /** Runs the docker command; what it printed. */
  String docker(String... words) {
    List<String> command = new ArrayList<>(List.of("docker", "-H", address()));
    command.addAll(List.of(words));
    return Program.run(command.toArray(String[]::new));
  }

  /** As a package upgrade does it: SIGTERM, which stops every container, and a new start. */
  void restart() throws IOException {
    end();
    daemon = start();
  }

  /** From now on nobody finds it, and who already talks to it gets no answer. */
  void freeze() throws IOException {
    Files.move(socket, hidden(), StandardCopyOption.ATOMIC_MOVE);
    Program.signal(daemon.pid(), "STOP");
  }

  void thaw() throws IOException {
    Program.signal(daemon.pid(), "CONT");
    Files.move(hidden(), socket, StandardCopyOption.ATOMIC_MOVE);
  }

  private Path hidden() {
    return folder.resolve("docker.hidden");
  }

  private void end() {
    daemon.destroy();
    try {
      if (!daemon.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError("dockerd still runs " + PATIENCE.toSeconds() + " s after SIGTERM");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while dockerd ends", e);
    }
  }

  @Override
  public void close() {
    end();
    Program.isOk("umount", folder.resolve("exec/netns/default").toString());
  }
}

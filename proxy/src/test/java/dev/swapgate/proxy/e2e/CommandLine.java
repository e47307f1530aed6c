package dev.swapgate.proxy.e2e;

import dev.swapgate.proxy.cli.Main;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The command line in a process of its own, ended at the latest when this is closed. */
final class CommandLine implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 90;

  private final Process process;
  private final Path said;

  private CommandLine(Process process, Path said) {
    this.process = process;
    this.said = said;
  }

  /**
   * @param folder in which it works, and where what it prints is kept
   */
  static CommandLine begin(Path folder, Path config, String... words) throws IOException {
    // SIGHUP is heard however these tests were started: under nohup it would be ignored.
    List<String> command = new ArrayList<>(List.of("env", "--default-signal=HUP"));
    command.addAll(command(config, words));
    Path said = Files.createTempFile(folder, words[0], ".log");
    return new CommandLine(
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start(),
        said);
  }

  /** What is to be started for it. */
  static List<String> command(Path config, String... words) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                absolute(System.getProperty("java.class.path")),
                Main.class.getName()));
    command.addAll(List.of(words));
    command.addAll(List.of("--config", config.toString()));
    return command;
  }

  /** Begins to serve; returns when the admin side answers. */
  static CommandLine serve(Path folder, Path config, URI admin) throws IOException {
    CommandLine serve = begin(folder, config, "serve");
    try (AdminApi api = new AdminApi(admin)) {
      Await.until(
          () -> "swapgate answers; it said " + serve.said(),
          Duration.ofSeconds(PATIENCE_SECONDS),
          () -> api.code("/healthz") == 200 || !serve.isAlive());
    }
    if (!serve.isAlive()) {
      throw new AssertionError("swapgate ended: " + serve.end());
    }
    return serve;
  }

  private static String absolute(String classPath) {
    return String.join(
        ":",
        List.of(classPath.split(":", -1)).stream()
            .map(entry -> Path.of(entry).toAbsolutePath().toString())
            .toList());
  }

  /** How a call ended. */
  record End(int exitCode, String said) {}

  static End run(Path folder, Path config, String... words) throws IOException {
    try (CommandLine call = begin(folder, config, words)) {
      return call.end();
    }
  }

  /** Waits for its end. */
  End end() {
    try {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("still running after " + PATIENCE_SECONDS + " s: " + said());
      }
      return new End(process.exitValue(), said());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting", e);
    }
  }

  String said() {
    try {
      return Files.readString(said);
    } catch (IOException e) {
      throw new UncheckedIOException("could not read " + said, e);
    }
  }

  /** Waits that long for an end of its own, which would be a fault. */
  void outlives(Duration time) {
    try {
      if (process.waitFor(time.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new AssertionError("it ended by itself with " + process.exitValue() + ": " + said());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting", e);
    }
  }

  /** SIGTERM. */
  void terminate() {
    process.destroy();
  }

  /** SIGKILL, and waits until the process is gone. */
  void kill() {
    process.destroyForcibly();
    end();
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  @Override
  public void close() {
    kill();
  }
}

package dev.swapgate.backends.sim;

import static java.util.concurrent.TimeUnit.SECONDS;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A simulator in a JVM of its own, as in the box. Ends it at the end of the test, hard. */
final class SimProcess implements AutoCloseable {
  private static final long LIMIT_SECONDS = 30;

  private final Process process;
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Map<String, CompletableFuture<String>> awaited = new ConcurrentHashMap<>();

  private SimProcess(Process process) {
    this.process = process;
    Thread.ofVirtual().start(this::read);
  }

  static SimProcess start(Class<?> main, Map<String, String> environment, String... arguments) {
    String classes =
        Path.of(PretendCard.class.getProtectionDomain().getCodeSource().getLocation().getPath())
            .toString();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx64m", "-cp", classes));
    command.add(main.getName());
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    try {
      return new SimProcess(builder.start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits for a line that contains this. */
  String line(String part) throws Exception {
    CompletableFuture<String> found = awaited.computeIfAbsent(part, p -> new CompletableFuture<>());
    lines.stream().filter(line -> line.contains(part)).findFirst().ifPresent(found::complete);
    return found.get(LIMIT_SECONDS, SECONDS);
  }

  /** Waits until the simulator listens and says on which port. */
  int port() throws Exception {
    String line = line("listening on port ");
    return Integer.parseInt(line.substring(line.lastIndexOf(' ') + 1));
  }

  int exitCode() throws Exception {
    return process.onExit().get(LIMIT_SECONDS, SECONDS).exitValue();
  }

  String output() {
    return String.join("\n", lines);
  }

  long pid() {
    return process.pid();
  }

  /** SIGTERM; {@link Process#destroy} would also stop reading what it says. */
  void terminate() {
    process.toHandle().destroy();
  }

  boolean alive() {
    return process.isAlive();
  }

  /** SIGKILL, and the end is awaited. */
  void kill() throws Exception {
    process.destroyForcibly();
    exitCode();
  }

  @Override
  public void close() throws Exception {
    kill();
  }

  private void read() {
    try (BufferedReader reader = process.inputReader()) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        String seen = line;
        lines.add(seen);
        awaited.forEach(
            (part, future) -> {
              if (seen.contains(part)) {
                future.complete(seen);
              }
            });
      }
    } catch (IOException e) {
      lines.add("reading ended: " + e.getMessage());
    }
    awaited.forEach(
        (part, future) ->
            future.completeExceptionally(
                new IllegalStateException("ended without \"" + part + "\":\n" + output())));
  }
}

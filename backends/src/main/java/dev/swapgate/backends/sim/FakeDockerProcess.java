package dev.swapgate.backends.sim;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntConsumer;

/**
 * One run of a container: a process of this machine, in a session of its own, so that what it
 * leaves behind ends with it as it would with a PID namespace.
 */
final class FakeDockerProcess {
  private static final List<Path> SETSID =
      List.of(Path.of("/usr/bin/setsid"), Path.of("/bin/setsid"));
  private static final Duration LAST_WORDS = Duration.ofSeconds(2);

  private final Process process;
  private final boolean ownGroup;
  private final List<Thread> pumps;
  private final CompletableFuture<Integer> ended = new CompletableFuture<>();

  private FakeDockerProcess(Process process, boolean ownGroup, FakeDockerLog log) {
    this.process = process;
    this.ownGroup = ownGroup;
    this.pumps =
        List.of(
            Thread.startVirtualThread(
                () -> log.pump(FakeDockerLog.STDOUT, process.getInputStream())),
            Thread.startVirtualThread(
                () -> log.pump(FakeDockerLog.STDERR, process.getErrorStream())));
  }

  /**
   * @param atEnd gets the exit code, 128 + n after signal n, before {@link #awaitEnd} returns
   * @throws IOException when it cannot be started
   */
  static FakeDockerProcess start(
      List<String> command,
      Map<String, String> environment,
      File folder,
      FakeDockerLog log,
      IntConsumer atEnd)
      throws IOException {
    mustBeThere(command.get(0), environment.getOrDefault("PATH", ""), folder);
    boolean ownGroup = SETSID.stream().anyMatch(Files::isExecutable);
    List<String> words = new ArrayList<>(ownGroup ? List.of("setsid") : List.of());
    words.addAll(command);
    ProcessBuilder builder = new ProcessBuilder(words).directory(folder);
    builder.environment().clear();
    builder.environment().putAll(environment);
    FakeDockerProcess run = new FakeDockerProcess(builder.start(), ownGroup, log);
    Thread.ofVirtual().name("fake-docker-wait").start(() -> run.waitFor(atEnd));
    return run;
  }

  /** Asked before, for {@code setsid} would start all the same. */
  private static void mustBeThere(String program, String path, File folder) throws IOException {
    boolean there =
        program.indexOf('/') >= 0
            ? Files.isExecutable(folder.toPath().resolve(program))
            : Arrays.stream(path.split(File.pathSeparator))
                .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
    if (!there) {
      throw new IOException("exec: \"" + program + "\": executable file not found in $PATH");
    }
  }

  private void waitFor(IntConsumer atEnd) {
    try {
      int exitCode = process.waitFor();
      killTheRest();
      for (Thread pump : pumps) {
        pump.join(LAST_WORDS);
      }
      atEnd.accept(exitCode);
      ended.complete(exitCode);
    } catch (InterruptedException isClosing) {
      Thread.currentThread().interrupt();
    }
  }

  private void killTheRest() {
    if (ownGroup) {
      shell("kill -KILL -" + process.pid() + " 2>/dev/null");
    }
  }

  long pid() {
    return process.pid();
  }

  /**
   * @param signal its name without SIG, or its number
   */
  void signal(String signal) {
    if (signal.equals("KILL") || signal.equals("9")) {
      process.destroyForcibly();
    } else if (signal.equals("TERM") || signal.equals("15")) {
      process.destroy();
    } else {
      shell("kill -" + signal + " " + process.pid());
    }
  }

  /** Stops or continues all of it. */
  void freeze(boolean frozen) {
    shell("kill -" + (frozen ? "STOP" : "CONT") + (ownGroup ? " -" : " ") + process.pid());
  }

  private static void shell(String line) {
    try {
      new ProcessBuilder("sh", "-c", line).inheritIO().start().waitFor();
    } catch (IOException failed) {
      throw new IllegalStateException("cannot run sh -c \"" + line + "\"", failed);
    } catch (InterruptedException isClosing) {
      Thread.currentThread().interrupt();
    }
  }

  /** True when it has ended within that time and its end was told. */
  boolean awaitEnd(Duration time) {
    try {
      ended.get(time.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException stillRuns) {
      return false;
    } catch (ExecutionException impossible) {
      throw new IllegalStateException("an end cannot fail", impossible);
    } catch (InterruptedException isClosing) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}

package dev.swapgate.backends.gpu;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs nvidia-smi, or what stands in for it, once, and never waits longer than told. */
final class CardTool {

  /** Far more than any answer of the tool; the rest is not read. */
  private static final int OUTPUT_LIMIT_BYTES = 1 << 20;

  private final String program;
  private final String searchPath;

  /** One that could not be killed: on a sick card the tool hangs in the driver for ever. */
  private final AtomicReference<@Nullable Process> hanging = new AtomicReference<>();

  /**
   * @param program a name looked for on {@code searchPath}, or a path
   */
  CardTool(String program, String searchPath) {
    this.program = program;
    this.searchPath = searchPath;
  }

  /** How one run ended. */
  sealed interface Run {
    /** Exit 0; what it wrote. */
    record Told(List<String> lines) implements Run {}

    record Failed(String reason) implements Run {}

    /** There is no such program. */
    record Absent(String reason) implements Run {}
  }

  Run run(Duration limit, String... arguments) {
    Optional<Path> found = found();
    if (found.isEmpty()) {
      return new Run.Absent("no program " + program + " on this machine");
    }
    Process before = hanging.get();
    if (before != null && before.isAlive()) {
      return new Run.Failed(
          program
              + " (pid "
              + before.pid()
              + ") still hangs since an earlier reading; not run again");
    }
    try {
      List<String> command =
          Stream.concat(Stream.of(found.get().toString()), Stream.of(arguments)).toList();
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      return awaited(process, limit);
    } catch (IOException refused) {
      return new Run.Failed(program + " could not be run: " + refused.getMessage());
    }
  }

  private Run awaited(Process process, Duration limit) {
    CompletableFuture<String> output = new CompletableFuture<>();
    Thread.ofVirtual().name("swapgate-measure-output").start(() -> read(process, output));
    try {
      String text =
          output
              .thenCombine(process.onExit(), (read, ended) -> read)
              .get(limit.toMillis(), TimeUnit.MILLISECONDS);
      List<String> lines = text.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
      if (process.exitValue() == 0) {
        return new Run.Told(lines);
      }
      return new Run.Failed(
          program + " ended with exit code " + process.exitValue() + firstOf(lines));
    } catch (TimeoutException late) {
      kill(process);
      return new Run.Failed(program + " did not answer within " + limit.toMillis() + " ms; killed");
    } catch (ExecutionException failed) {
      kill(process);
      return new Run.Failed(program + " could not be read: " + failed.getCause());
    } catch (InterruptedException interrupted) {
      kill(process);
      Thread.currentThread().interrupt();
      return new Run.Failed("interrupted while " + program + " ran");
    }
  }

  private static void read(Process process, CompletableFuture<String> output) {
    try (InputStream stream = process.getInputStream()) {
      output.complete(new String(stream.readNBytes(OUTPUT_LIMIT_BYTES), StandardCharsets.UTF_8));
    } catch (IOException broken) {
      output.completeExceptionally(broken);
    }
  }

  private void kill(Process process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    hanging.set(process);
  }

  private static String firstOf(List<String> lines) {
    return lines.isEmpty() ? "" : ": " + CardLines.cut(lines.getFirst());
  }

  private Optional<Path> found() {
    if (program.contains("/")) {
      return Optional.of(Path.of(program)).filter(Files::isExecutable);
    }
    return Stream.of(searchPath.split(":"))
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder, program))
        .filter(file -> Files.isExecutable(file) && Files.isRegularFile(file))
        .findFirst();
  }
}

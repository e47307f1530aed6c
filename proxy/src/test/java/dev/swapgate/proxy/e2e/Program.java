package dev.swapgate.proxy.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Another program of the machine, run to its end. */
final class Program {
  private Program() {}

  static void signal(long pid, String signal) {
    run("kill", "-" + signal, Long.toString(pid));
  }

  /** Runs a program; whether it liked it. */
  static boolean isOk(String... command) {
    try {
      run(command);
      return true;
    } catch (AssertionError notOk) {
      return false;
    }
  }

  /** Runs a program; what it printed. */
  static String run(String... command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int exitCode = process.waitFor();
      if (exitCode != 0) {
        throw new AssertionError(String.join(" ", command) + ": " + exitCode + " " + said);
      }
      return said.strip();
    } catch (IOException e) {
      throw new UncheckedIOException("could not run " + String.join(" ", command), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while running " + command[0], e);
    }
  }
}

package dev.swapgate.proxy.cli;

import dev.swapgate.gate.runtime.SteadyClock;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Everything a command has of the machine: where it reads and prints, the environment, the clock.
 *
 * @param out results, for people and pipes
 * @param err progress and errors
 * @param pollEvery the time between two looks at a job that is waited for
 */
record Terminal(
    InputStream in,
    PrintWriter out,
    PrintWriter err,
    Map<String, String> environment,
    Path folder,
    SteadyClock clock,
    ZoneId zone,
    Duration pollEvery) {

  /** Takes away what stands from here to the end of the line. */
  private static final String CLEAR = "\u001B[K";

  static Terminal ofThisProcess() {
    return new Terminal(
        System.in,
        new PrintWriter(System.out, true, StandardCharsets.UTF_8),
        new PrintWriter(System.err, true, StandardCharsets.UTF_8),
        System.getenv(),
        Path.of("").toAbsolutePath(),
        SteadyClock.system(),
        ZoneId.systemDefault(),
        Duration.ofSeconds(1));
  }

  /** The same, but what is told goes there, in plain lines. */
  Terminal telling(PrintWriter there) {
    Map<String, String> plain = new HashMap<>(environment);
    plain.remove("SWAPGATE_TERMINAL");
    return new Terminal(in, out, there, plain, folder, clock, zone, pollEvery);
  }

  /** Prints one line of results. */
  void say(String line) {
    out.println(plain(line));
  }

  /** Prints one line of progress or of an error. */
  void tell(String line) {
    err.println((isLive() ? CLEAR : "") + plain(line));
  }

  /** Whether progress goes to somebody who looks; the launcher knows. */
  boolean isLive() {
    return environment.getOrDefault("SWAPGATE_TERMINAL", "").equals("1");
  }

  /** Shows a line that the next one takes the place of; only where {@link #isLive}. */
  void show(String line) {
    err.print(plain(line) + CLEAR + "\r");
    err.flush();
  }

  /** Waits until the next look. */
  void pause() {
    try {
      if (new CountDownLatch(1).await(pollEvery.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IllegalStateException("nobody counts this latch down");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CliException(ExitCode.TIMED_OUT, "interrupted while waiting", e);
    }
  }

  /** Names and errors come from media servers: what would steer a terminal is made visible. */
  private static String plain(String line) {
    StringBuilder text = new StringBuilder(line.length());
    line.codePoints()
        .map(c -> Character.isISOControl(c) && c != '\n' && c != '\t' ? '\uFFFD' : c)
        .forEach(text::appendCodePoint);
    return text.toString();
  }
}

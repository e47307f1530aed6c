package dev.swapgate.proxy.cli;

import dev.swapgate.gate.core.Now;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/** One call of the command line: how it ended and what it printed. */
record Call(int exitCode, String out, String err) {

  static final Instant STARTED = Instant.parse("2027-01-31T12:00:00Z");

  /** In that folder, with that environment; the clock goes on one second with each look. */
  static Call of(Path folder, Map<String, String> environment, String in, String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    AtomicInteger looks = new AtomicInteger();
    Map<String, String> all = new TreeMap<>(environment);
    all.putIfAbsent("HOME", folder.resolve("home").toString());
    Terminal terminal =
        new Terminal(
            new ByteArrayInputStream(in.getBytes(StandardCharsets.UTF_8)),
            new PrintWriter(out, true),
            new PrintWriter(err, true),
            all,
            folder,
            () -> {
              Duration since = Duration.ofSeconds(looks.getAndIncrement());
              return new Now(since, STARTED.plus(since));
            },
            ZoneId.of("Europe/Berlin"),
            Duration.ofMillis(1));
    int exitCode = Main.run(terminal, args);
    return new Call(exitCode, out.toString(), err.toString());
  }
}

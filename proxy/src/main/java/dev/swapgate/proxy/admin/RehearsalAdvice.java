package dev.swapgate.proxy.admin;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.Engine;
import dev.swapgate.proxy.admin.Rehearsal.Stop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** What follows from the times of a rehearsal for the file and the containers. */
final class RehearsalAdvice {

  /** A budget should hold twice what was seen once, and a little for a cold disk. */
  private static final Duration SPARE = Duration.ofSeconds(30);

  private RehearsalAdvice() {}

  /** What was seen of one backend. */
  record Seen(
      Backend backend,
      Optional<Duration> startToReady,
      Optional<Duration> release,
      Optional<Stop> stop,
      OptionalLong heldMib) {}

  /** The keys that should be set, as they stand in the file; empty when all are right. */
  static String yaml(List<Seen> seen) {
    StringBuilder yaml = new StringBuilder();
    section(yaml, "engines", seen.stream().filter(one -> one.backend() instanceof Engine).toList());
    section(
        yaml, "media", seen.stream().filter(one -> !(one.backend() instanceof Engine)).toList());
    return yaml.toString();
  }

  private static void section(StringBuilder yaml, String name, List<Seen> seen) {
    boolean first = true;
    for (Seen one : seen) {
      Map<String, String> keys = keys(one);
      if (keys.isEmpty()) {
        continue;
      }
      yaml.append(first ? name + ":\n" : "").append("  ").append(one.backend().id()).append(":\n");
      keys.forEach(
          (key, value) -> yaml.append("    ").append(key).append(": ").append(value).append("\n"));
      first = false;
    }
  }

  private static Map<String, String> keys(Seen seen) {
    Map<String, String> keys = new LinkedHashMap<>();
    Backend backend = seen.backend();
    seen.startToReady()
        .map(took -> roundUp(took.multipliedBy(2).plus(SPARE), 10))
        .filter(budget -> budget.compareTo(backend.budgets().readiness()) > 0)
        .ifPresent(budget -> keys.put("readiness", "{budget: " + text(budget) + "}"));
    seen.stop()
        .filter(stop -> !stop.killed() && stop.seconds() * 2 > stop.graceSeconds())
        .map(stop -> roundUp(Duration.ofMillis((long) (stop.seconds() * 2000)), 5))
        .ifPresent(grace -> keys.put("stop_grace_period", text(grace)));
    seen.release()
        .map(took -> roundUp(took.multipliedBy(3), 5))
        .filter(budget -> budget.compareTo(backend.budgets().release()) > 0)
        .ifPresent(budget -> keys.put("release", text(budget)));
    if (backend instanceof Engine engine) {
      seen.startToReady()
          .map(took -> roundUp(took, 1))
          .filter(took -> engine.restore().map(told -> isFarFrom(told, took)).orElse(true))
          .ifPresent(took -> keys.put("restore", text(took)));
      if (seen.heldMib().isPresent() && backend.budgets().vramMib().isEmpty()) {
        keys.put("vram", seen.heldMib().getAsLong() + "MiB");
      }
    }
    return keys;
  }

  private static boolean isFarFrom(Duration told, Duration took) {
    return told.minus(took).abs().multipliedBy(5).compareTo(took) > 0;
  }

  private static Duration roundUp(Duration length, long seconds) {
    long whole = (length.toMillis() + 999) / 1000;
    return Duration.ofSeconds((whole + seconds - 1) / seconds * seconds);
  }

  private static String text(Duration length) {
    return length.toSeconds() + "s";
  }

  /** What the file cannot mend. */
  static List<String> sentences(List<Seen> seen) {
    List<String> advice = new ArrayList<>();
    for (Seen one : seen) {
      one.stop()
          .filter(Stop::killed)
          .ifPresent(
              stop ->
                  advice.add(
                      stop.container()
                          + " did not end by itself: it was killed (exit code 137) after "
                          + stop.seconds()
                          + " s, grace period "
                          + stop.graceSeconds()
                          + " s. Set init: true for it (docker create --init), or the stop_signal"
                          + " it listens to, such as SIGINT; if it needs longer to clean up, give"
                          + " it a longer stop_grace_period"));
    }
    return List.copyOf(advice);
  }
}

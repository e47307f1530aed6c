package dev.swapgate.proxy.check;

import dev.swapgate.backends.docker.ContainerDetails;
import dev.swapgate.proxy.admin.Finding;
import dev.swapgate.proxy.admin.Finding.Severity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Looks at how a container ends: does it hear the stop, or is it killed each time? */
final class StopCheck {
  private static final Set<String> SHELLS =
      Set.of("sh", "bash", "dash", "ash", "/bin/sh", "/bin/bash", "/bin/dash", "/bin/ash");

  private StopCheck() {}

  /**
   * @param grace after which Docker kills it
   * @param learned how long its stops take; empty until one was seen
   */
  static List<Finding> findings(Sight sight, Duration grace, Optional<Duration> learned) {
    List<Finding> found = new ArrayList<>();
    sight
        .container()
        .ifPresent(
            container -> {
              if (likelyIgnoresTerm(container)) {
                found.add(ignoresTerm(sight, container));
              }
              if (container.stopSignal().matches("(SIG)?KILL|9")) {
                found.add(killedAtOnce(sight, container));
              }
            });
    if (!grace.isZero() && learned.map(took -> took.compareTo(grace) >= 0).orElse(false)) {
      found.add(takesTheWholeGrace(sight, grace, learned.orElseThrow()));
    }
    return found;
  }

  private static Finding killedAtOnce(Sight sight, ContainerDetails container) {
    return new Finding(
        "stop_signal_kill",
        Severity.WARNING,
        sight.name(),
        "the stop signal of " + container.name() + " is " + container.stopSignal(),
        "it is killed at each stop and cannot clean up: its workers may stay on the card",
        "set stop_signal: SIGTERM (docker create --stop-signal SIGTERM), then " + sight.create());
  }

  private static Finding takesTheWholeGrace(Sight sight, Duration grace, Duration took) {
    return new Finding(
        "stop_takes_whole_grace",
        Severity.WARNING,
        sight.name(),
        "stops of "
            + sight.backend().container()
            + " take "
            + took.toSeconds()
            + " s, the whole grace period of "
            + grace.toSeconds()
            + " s",
        "it seems not to hear the stop signal and is killed each time; every swap waits for that",
        "set init: true (docker create --init), or the stop_signal it listens to, such as SIGINT;"
            + " if it does clean up, give it a longer stop_grace_period; then "
            + sight.create());
  }

  /** A shell as PID 1 passes no signal on, and without a handler of its own ignores SIGTERM. */
  private static boolean likelyIgnoresTerm(ContainerDetails container) {
    List<String> words = new ArrayList<>(container.entrypoint());
    words.addAll(container.command());
    boolean inShell =
        words.size() >= 3 && SHELLS.contains(words.get(0)) && words.get(1).endsWith("c");
    return inShell
        && !container.init().orElse(false)
        && !words.get(2).matches("(?s).*\\b(exec|trap)\\b.*");
  }

  private static Finding ignoresTerm(Sight sight, ContainerDetails container) {
    return new Finding(
        "ignores_sigterm",
        Severity.NOTE,
        sight.name(),
        "the first process of " + container.name() + " is a shell (sh -c …) and there is no init",
        "it does not pass SIGTERM on: each stop takes the whole grace period and ends in a kill",
        "set init: true (docker create --init), or begin the command with exec; then "
            + sight.create());
  }
}

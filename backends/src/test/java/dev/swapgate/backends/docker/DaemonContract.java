package dev.swapgate.backends.docker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.gate.core.CommandEnd;
import dev.swapgate.gate.core.ContainerSighting;
import dev.swapgate.gate.port.Behaviour;
import dev.swapgate.gate.port.Containers.Hint;
import dev.swapgate.gate.port.ContainersContract;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What takes real time, and so a daemon: what it does while a stop is under way. */
abstract class DaemonContract extends ContainersContract {

  /** The trap that makes an end unknown: both succeed, and the container stops. */
  @Test
  void aStartDuringAStopProvesNothingAndTheContainerStops() throws Exception {
    String name = started(Behaviour.STUBBORN);
    CompletableFuture<CommandEnd> stop = stopInBackground(name, Duration.ofSeconds(3));
    assertThat(hintOf(name, Hint::signalled)).isNotNull();

    assertThat(containers().start(name, DEADLINE)).isInstanceOf(CommandEnd.Unknown.class);

    assertThat(stop).succeedsWithin(DEADLINE).isEqualTo(new CommandEnd.Done());
    assertThat(containers().look(name).isDown()).isTrue();
  }

  @Test
  void aStopGoesOnAfterItsCallerGaveUp() {
    String name = started(Behaviour.STUBBORN);

    CommandEnd end = containers().stop(name, Duration.ofSeconds(2), Duration.ofSeconds(1));

    assertThat(end).isInstanceOf(CommandEnd.Unknown.class);
    assertThat(containers().look(name).isDown()).isFalse();
    assertThat(lookUntil(name, ContainerSighting::isDown).exitCode()).hasValue(137);
  }

  @Test
  void ofTwoStopsAtOnceTheShorterGraceWins() throws Exception {
    String name = started(Behaviour.STUBBORN);
    CompletableFuture<CommandEnd> patient = stopInBackground(name, Duration.ofSeconds(300));
    assertThat(hintOf(name, Hint::signalled)).isNotNull();

    assertThat(containers().stop(name, GRACE, DEADLINE)).isEqualTo(new CommandEnd.Done());

    assertThat(patient).succeedsWithin(DEADLINE).isEqualTo(new CommandEnd.Done());
  }

  private CompletableFuture<CommandEnd> stopInBackground(String name, Duration grace) {
    Duration deadline = grace.plus(DEADLINE);
    return CompletableFuture.supplyAsync(
        () -> containers().stop(name, grace, deadline), Thread::startVirtualThread);
  }
}

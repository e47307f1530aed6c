package dev.swapgate.backends.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.swapgate.gate.core.CommandEnd;
import dev.swapgate.gate.core.ContainerSighting;
import dev.swapgate.gate.port.BackendException;
import dev.swapgate.gate.port.Behaviour;
import dev.swapgate.gate.port.Containers.Hint;
import dev.swapgate.gate.port.ContainersContract;
import dev.swapgate.gate.port.Inside;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
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

  @Test
  void aCommandInsideIsBegunOnceAndItsExitCodeIsTold() {
    String name = started(Behaviour.OBEDIENT);
    Inside inside = containers().inside();
    String id = inside.prepare(name, List.of("sh", "-c", "exit 7"));
    assertThat(inside.look(id)).contains(new Inside.State(false, OptionalInt.empty()));

    inside.begin(id);

    assertThat(afterwards(inside, id)).contains(new Inside.State(false, OptionalInt.of(7)));
    assertThatThrownBy(() -> inside.begin(id)).isInstanceOf(BackendException.class);
    assertThat(inside.look(id)).contains(new Inside.State(false, OptionalInt.of(7)));
  }

  @Test
  void aCommandInsideEndsWithItsContainer() {
    String name = started(Behaviour.OBEDIENT);
    Inside inside = containers().inside();
    String id = inside.prepare(name, List.of("sh", "-c", "sleep 1000"));
    inside.begin(id);
    assertThat(inside.look(id)).contains(new Inside.State(true, OptionalInt.empty()));
    assertThatThrownBy(() -> inside.begin(id)).isInstanceOf(BackendException.class);

    assertThat(containers().stop(name, GRACE, DEADLINE)).isEqualTo(new CommandEnd.Done());

    assertThat(afterwards(inside, id).filter(Inside.State::runs)).isEmpty();
    assertThatThrownBy(() -> inside.prepare(name, List.of("sh")))
        .isInstanceOf(BackendException.class);
  }

  /** What is told of it once it does not run any more. */
  private Optional<Inside.State> afterwards(Inside inside, String id) {
    Optional<Inside.State> state = inside.look(id);
    for (int i = 0; i < 1_000 && state.filter(Inside.State::runs).isPresent(); i++) {
      state = inside.look(id);
    }
    return state;
  }

  private CompletableFuture<CommandEnd> stopInBackground(String name, Duration grace) {
    Duration deadline = grace.plus(DEADLINE);
    return CompletableFuture.supplyAsync(
        () -> containers().stop(name, grace, deadline), Thread::startVirtualThread);
  }
}

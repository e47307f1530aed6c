package dev.swapgate.gate.port;

import static dev.swapgate.gate.core.ContainerSighting.State.DOWN;
import static dev.swapgate.gate.core.ContainerSighting.State.MISSING;
import static dev.swapgate.gate.core.ContainerSighting.State.PAUSED;
import static dev.swapgate.gate.core.ContainerSighting.State.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.swapgate.gate.core.CommandEnd;
import dev.swapgate.gate.core.ContainerSighting;
import dev.swapgate.gate.port.Containers.Hint;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What Docker does, as far as the gate builds on it. The in-memory fake, the fake Docker API and
 * real Docker all pass it, so that no fake can lie. The answers were seen on Docker 20.10.24.
 */
public abstract class ContainersContract {
  protected static final Duration DEADLINE = Duration.ofSeconds(30);
  protected static final Duration GRACE = Duration.ofSeconds(1);
  private static final int MAX_LOOKS = 300;

  protected final BlockingQueue<Hint> hints = new LinkedBlockingQueue<>();
  private AutoCloseable watch;

  /** What is tested. */
  protected abstract Containers containers();

  /** Makes a container that was never started; its name is new. */
  protected abstract String create(Behaviour behaviour);

  /** Pauses a running one, past the port. */
  protected abstract void pause(String container) throws Exception;

  @BeforeEach
  void watchesForHints() throws Exception {
    watch = containers().watch(hints::add);
    assertThat(hints.poll(10, TimeUnit.SECONDS)).isEqualTo(new Hint("", false));
  }

  @AfterEach
  void watchesNoLonger() throws Exception {
    watch.close();
  }

  @Test
  void aNameWithoutAContainerIsMissing() {
    assertThat(containers().look("nobody-has-this-name").state()).isEqualTo(MISSING);
  }

  @Test
  void aCreatedContainerIsDownAndHasNeverRun() {
    ContainerSighting seen = containers().look(create(Behaviour.OBEDIENT));

    assertThat(seen.state()).isEqualTo(DOWN);
    assertThat(seen.id()).isNotEmpty();
    assertThat(seen.startedAt()).isEmpty();
    assertThat(seen.exitCode()).isEmpty();
    assertThat(seen.run()).isEmpty();
    assertThat(seen.stopTimeout()).isEqualTo(ContainerSighting.DEFAULT_STOP_TIMEOUT);
    assertThat(seen.restartPolicy()).isFalse();
    assertThat(seen.autoRemove()).isFalse();
  }

  @Test
  void startRunsIt() {
    String name = create(Behaviour.OBEDIENT);

    CommandEnd end = containers().start(name, DEADLINE);

    assertThat(end).isEqualTo(new CommandEnd.Done());
    ContainerSighting seen = containers().look(name);
    assertThat(seen.state()).isEqualTo(RUNNING);
    assertThat(seen.run()).isPresent();
    assertThat(seen.exitCode()).isEmpty();
  }

  @Test
  void startOfARunningOneProvesNothing() {
    String name = started(Behaviour.OBEDIENT);

    assertThat(containers().start(name, DEADLINE)).isInstanceOf(CommandEnd.Unknown.class);
    assertThat(containers().look(name).state()).isEqualTo(RUNNING);
  }

  @Test
  void startOfAPausedOneFailsInDockersWords() throws Exception {
    String name = started(Behaviour.OBEDIENT);
    pause(name);

    assertThat(reasonOfFailure(containers().start(name, DEADLINE)))
        .contains("cannot start a paused container");
  }

  @Test
  void commandsToAMissingOneFailInDockersWords() {
    String gone = "nobody-has-this-name";

    assertThat(reasonOfFailure(containers().start(gone, DEADLINE))).contains("No such container");
    assertThat(reasonOfFailure(containers().stop(gone, GRACE, DEADLINE)))
        .contains("No such container");
    assertThat(reasonOfFailure(containers().kill(gone, DEADLINE))).contains("No such container");
  }

  @Test
  void stopEndsAnObedientOneWithItsOwnExitCode() {
    String name = started(Behaviour.OBEDIENT);

    CommandEnd end = containers().stop(name, Duration.ofSeconds(20), DEADLINE);

    assertThat(end).isEqualTo(new CommandEnd.Done());
    ContainerSighting seen = containers().look(name);
    assertThat(seen.state()).isEqualTo(DOWN);
    assertThat(seen.exitCode()).hasValue(0);
    assertThat(seen.oomKilled()).isFalse();
  }

  @Test
  void stopKillsAStubbornOneAtTheEndOfItsGrace() {
    String name = started(Behaviour.STUBBORN);

    CommandEnd end = containers().stop(name, GRACE, DEADLINE);

    assertThat(end).isEqualTo(new CommandEnd.Done());
    assertThat(containers().look(name).state()).isEqualTo(DOWN);
    assertThat(containers().look(name).exitCode()).hasValue(137);
  }

  @Test
  void stopOfADownOneProvesNothing() {
    String name = create(Behaviour.OBEDIENT);

    assertThat(containers().stop(name, GRACE, DEADLINE)).isInstanceOf(CommandEnd.Unknown.class);
  }

  @Test
  void stopOfAPausedOneBringsItDown() throws Exception {
    String name = started(Behaviour.OBEDIENT);
    pause(name);

    CommandEnd end = containers().stop(name, GRACE, DEADLINE);

    assertThat(end).isEqualTo(new CommandEnd.Done());
    assertThat(containers().look(name).state()).isEqualTo(DOWN);
  }

  @Test
  void killEndsWhatIgnoresAStop() {
    String name = started(Behaviour.STUBBORN);

    CommandEnd end = containers().kill(name, DEADLINE);

    assertThat(end).isEqualTo(new CommandEnd.Done());
    assertThat(lookUntil(name, ContainerSighting::isDown).exitCode()).hasValue(137);
  }

  @Test
  void killOfADownOneFails() {
    String name = create(Behaviour.OBEDIENT);

    assertThat(reasonOfFailure(containers().kill(name, DEADLINE))).contains("is not running");
  }

  @Test
  void killOfAPausedOneBringsItDown() throws Exception {
    String name = started(Behaviour.OBEDIENT);
    pause(name);

    assertThat(containers().kill(name, DEADLINE)).isEqualTo(new CommandEnd.Done());
    assertThat(lookUntil(name, ContainerSighting::isDown).exitCode()).hasValue(137);
  }

  @Test
  void aPausedOneIsNotDown() throws Exception {
    String name = started(Behaviour.OBEDIENT);

    pause(name);

    ContainerSighting seen = containers().look(name);
    assertThat(seen.state()).isEqualTo(PAUSED);
    assertThat(seen.isDown()).isFalse();
    assertThat(seen.run()).isPresent();
  }

  @Test
  void anExitOfItsOwnIsSeenWithItsCode() {
    String name = started(Behaviour.QUITTER);

    ContainerSighting seen = lookUntil(name, ContainerSighting::isDown);

    assertThat(seen.exitCode()).hasValue(Behaviour.QUITTER_EXIT_CODE);
    assertThat(seen.startedAt()).isPresent();
  }

  @Test
  void aSecondStartIsAnotherRunOfTheSameContainer() {
    String name = started(Behaviour.OBEDIENT);
    ContainerSighting first = containers().look(name);
    containers().stop(name, GRACE, DEADLINE);

    assertThat(containers().start(name, DEADLINE)).isEqualTo(new CommandEnd.Done());

    ContainerSighting second = containers().look(name);
    assertThat(second.id()).isEqualTo(first.id());
    assertThat(second.startedAt().orElseThrow()).isAfter(first.startedAt().orElseThrow());
  }

  @Test
  void theLastLogLinesComeFromBothStreamsOldestFirst() {
    String name = started(Behaviour.TALKER);

    List<String> all = logsUntil(name, 10, "three");

    assertThat(all).containsExactly(Behaviour.WARNING, "one", "two", "three");
    assertThat(containers().lastLogLines(name, 2)).containsExactly("two", "three");
  }

  @Test
  void theLogOfAMissingOneCannotBeHad() {
    assertThatThrownBy(() -> containers().lastLogLines("nobody-has-this-name", 5))
        .isInstanceOf(BackendException.class);
  }

  @Test
  void aStartIsHinted() throws Exception {
    String name = create(Behaviour.OBEDIENT);

    containers().start(name, DEADLINE);

    assertThat(hintOf(name, hint -> true)).isNotNull();
  }

  @Test
  void aCrashIsHintedWithoutASignal() throws Exception {
    String name = started(Behaviour.QUITTER);

    lookUntil(name, ContainerSighting::isDown);

    assertThat(hints.stream().filter(hint -> hint.container().equals(name)))
        .noneMatch(Hint::signalled);
  }

  @Test
  void aStopIsHintedAsASignal() throws Exception {
    String name = started(Behaviour.OBEDIENT);

    containers().stop(name, GRACE, DEADLINE);

    assertThat(hintOf(name, Hint::signalled)).isNotNull();
  }

  protected final String started(Behaviour behaviour) {
    String name = create(behaviour);
    assertThat(containers().start(name, DEADLINE)).isEqualTo(new CommandEnd.Done());
    if (behaviour == Behaviour.OBEDIENT || behaviour == Behaviour.STUBBORN) {
      // Before that its trap is not set, and any signal would end it.
      assertThat(logsUntil(name, 5, Behaviour.UP)).contains(Behaviour.UP);
    }
    return name;
  }

  protected final String reasonOfFailure(CommandEnd end) {
    assertThat(end).isInstanceOf(CommandEnd.Failed.class);
    return ((CommandEnd.Failed) end).reason();
  }

  /** Looks again at each hint, and every 100 ms. */
  protected final ContainerSighting lookUntil(String name, Predicate<ContainerSighting> wanted) {
    ContainerSighting seen = containers().look(name);
    BlockingQueue<Hint> next = new LinkedBlockingQueue<>();
    try (AutoCloseable own = containers().watch(next::add)) {
      for (int looks = 0; looks < MAX_LOOKS && !wanted.test(seen); looks++) {
        next.poll(100, TimeUnit.MILLISECONDS);
        seen = containers().look(name);
      }
    } catch (Exception broken) {
      fail("the watch could not be closed", broken);
    }
    assertThat(seen).matches(wanted);
    return seen;
  }

  private List<String> logsUntil(String name, int lines, String last) {
    List<String> seen = containers().lastLogLines(name, lines);
    for (int looks = 0; looks < MAX_LOOKS && !seen.contains(last); looks++) {
      waitAMoment();
      seen = containers().lastLogLines(name, lines);
    }
    return seen;
  }

  /** Takes no hint away from the test that waits for it. */
  private static void waitAMoment() {
    try {
      new CountDownLatch(1).await(50, TimeUnit.MILLISECONDS);
    } catch (InterruptedException interrupted) {
      fail("interrupted while waiting for a log line", interrupted);
    }
  }

  protected final Hint hintOf(String name, Predicate<Hint> wanted) throws InterruptedException {
    for (Hint hint = next(); hint != null; hint = next()) {
      if (hint.container().equals(name) && wanted.test(hint)) {
        return hint;
      }
    }
    return fail("no such hint about " + name + " within 10 s");
  }

  private Hint next() throws InterruptedException {
    return hints.poll(10, TimeUnit.SECONDS);
  }
}

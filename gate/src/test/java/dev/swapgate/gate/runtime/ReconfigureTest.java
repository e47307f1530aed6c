package dev.swapgate.gate.runtime;

import static dev.swapgate.gate.runtime.ScriptedWorld.COMFYUI;
import static dev.swapgate.gate.runtime.ScriptedWorld.NINFER;
import static dev.swapgate.gate.runtime.ScriptedWorld.VLLM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.Box;
import dev.swapgate.gate.core.Budgets;
import dev.swapgate.gate.core.Command;
import dev.swapgate.gate.core.Engine;
import dev.swapgate.gate.core.Event;
import dev.swapgate.gate.core.Phase;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Other rules and budgets for the same containers, while the gate is at work. */
class ReconfigureTest {

  private final ScriptedWorld world = new ScriptedWorld();

  @BeforeEach
  void serves() {
    world.up(VLLM);
    world.boot();
    world.run(Duration.ofSeconds(5));
    world.steps.clear();
  }

  @Test
  void aShorterDrainEndsTheDrainThatIsUnderWay() {
    assertThat(world.turnstile.enter()).isPresent();
    world.submit(COMFYUI, "j1");
    world.run(Duration.ofSeconds(60));
    assertThat(world.loop.view().phase()).isEqualTo(Phase.DRAINING);

    reconfigure(box(world.box.engines().stream().map(one -> drains(one, 30)).toList(), VLLM));
    world.run(Duration.ofSeconds(2));

    assertThat(world.steps).containsSubsequence("cut vllm", "stop vllm");
  }

  @Test
  void anotherEngineInTheFileIsSelected() {
    reconfigure(box(world.box.engines(), NINFER));
    world.run(Duration.ofSeconds(30));

    assertThat(world.loop.view().selected()).isEqualTo(NINFER);
    assertThat(world.steps).containsSubsequence("stop vllm", "start ninfer");
    assertThat(world.turnstile.isOpen()).isTrue();
  }

  @Test
  void whatWasSelectedByHandStaysWhenTheFileSaysTheSameAsBefore() {
    world.tell(new Event.Wish.Select(7, NINFER));
    world.run(Duration.ofSeconds(30));

    reconfigure(box(world.box.engines().stream().map(one -> drains(one, 30)).toList(), VLLM));
    world.run(Duration.ofSeconds(30));

    assertThat(world.loop.view().selected()).isEqualTo(NINFER);
  }

  @Test
  void otherContainersAreRefusedAndNothingChanges() {
    Engine moved =
        new Engine(
            VLLM, "vllm-2", budgets(world.box.engines().getFirst(), 30), Optional.empty(), 3);
    reconfigure(box(List.of(moved, world.box.engines().getLast()), NINFER));

    assertThat(world.replies.get(9L)).isInstanceOf(Command.Answer.Refused.class);
    assertThat(world.loop.view().selected()).isEqualTo(VLLM);
  }

  private void reconfigure(Box box) {
    world.tell(new Event.Wish.Reconfigure(9, box, "read again"));
    world.run(Duration.ofMillis(500));
  }

  private Box box(List<Engine> engines, Backend.Id selected) {
    Box old = world.box;
    return new Box(
        engines, old.media(), selected, old.fallbackEngine(), old.batchEngine(), old.policy());
  }

  private static Engine drains(Engine engine, int seconds) {
    return new Engine(
        engine.id(),
        engine.container(),
        budgets(engine, seconds),
        engine.restore(),
        engine.attempts());
  }

  private static Budgets budgets(Engine engine, int drain) {
    Budgets old = engine.budgets();
    return new Budgets(
        Duration.ofSeconds(drain),
        old.stopGracePeriod(),
        old.release(),
        old.start(),
        old.readiness(),
        old.interval(),
        old.passes(),
        old.vramMib());
  }
}

package dev.swapgate.gate.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.swapgate.gate.core.CommandEnd;
import dev.swapgate.gate.core.ContainerSighting.State;
import dev.swapgate.gate.port.FakeContainers.Fault;
import org.junit.jupiter.api.Test;

/** The in-memory fake behaves as Docker does, and lies only as it was told to. */
class FakeContainersTest extends ContainersContract {
  private final FakeContainers fake = new FakeContainers();
  private int made;

  @Override
  protected Containers containers() {
    return fake;
  }

  @Override
  protected String create(Behaviour behaviour) {
    String name = "c" + ++made;
    fake.create(name, behaviour);
    return name;
  }

  @Override
  protected void pause(String container) {
    fake.pause(container);
  }

  @Test
  void aLostReplyTakesEffect() {
    String name = create(Behaviour.OBEDIENT);
    fake.next("start", name, Fault.LOST_REPLY);

    assertThat(fake.start(name, DEADLINE)).isInstanceOf(CommandEnd.Unknown.class);
    assertThat(fake.look(name).state()).isEqualTo(State.RUNNING);
  }

  @Test
  void aLateStartTakesEffectLater() {
    String name = create(Behaviour.OBEDIENT);
    fake.next("start", name, Fault.LATE_EFFECT);

    assertThat(fake.start(name, DEADLINE)).isInstanceOf(CommandEnd.Unknown.class);
    assertThat(fake.look(name).state()).isEqualTo(State.DOWN);

    fake.advance(FakeContainers.LATE_BY);
    assertThat(fake.look(name).state()).isEqualTo(State.RUNNING);
  }

  @Test
  void aLostOrRefusedCommandChangesNothing() {
    String name = create(Behaviour.OBEDIENT);
    fake.next("start", name, Fault.LOST_REQUEST);
    fake.next("start", name, Fault.REFUSED);

    assertThat(fake.start(name, DEADLINE)).isInstanceOf(CommandEnd.Unknown.class);
    assertThat(fake.start(name, DEADLINE)).isInstanceOf(CommandEnd.Failed.class);
    assertThat(fake.look(name).state()).isEqualTo(State.DOWN);
    assertThat(fake.journal()).containsExactly("start " + name);
  }

  @Test
  void nothingCanBeAskedWhileItIsUnreachable() {
    String name = create(Behaviour.OBEDIENT);
    fake.reachable(false);

    assertThatThrownBy(() -> fake.look(name)).isInstanceOf(BackendException.class);
    assertThat(fake.start(name, DEADLINE)).isInstanceOf(CommandEnd.Failed.class);
  }
}

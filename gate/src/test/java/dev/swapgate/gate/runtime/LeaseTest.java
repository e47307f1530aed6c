package dev.swapgate.gate.runtime;

import static dev.swapgate.gate.runtime.ScriptedWorld.COMFYUI;
import static dev.swapgate.gate.runtime.ScriptedWorld.MUSIC;
import static dev.swapgate.gate.runtime.ScriptedWorld.VLLM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.Command;
import dev.swapgate.gate.core.Event;
import dev.swapgate.gate.core.GateView;
import dev.swapgate.gate.core.LeaseTerms;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** How a lease ends: in its time, when its owner is heard no more, or for a job. */
class LeaseTest {

  private static final LeaseTerms BEATEN =
      new LeaseTerms(Optional.of(Duration.ofSeconds(60)), false);
  private static final LeaseTerms YIELDS = new LeaseTerms(Optional.empty(), true);

  private final ScriptedWorld world = new ScriptedWorld();
  private long requests = 100;

  private void serving() {
    world.up(VLLM);
    world.boot();
    run(5);
  }

  private void run(long seconds) {
    world.run(Duration.ofSeconds(seconds));
  }

  private Command.Answer take(Optional<Backend.Id> backend, LeaseTerms terms) {
    world.tell(new Event.Wish.TakeLease(++requests, backend, Duration.ofMinutes(30), terms));
    run(1);
    return world.replies.get(requests);
  }

  private Command.Answer beat(Optional<Duration> length) {
    String id = leases().isEmpty() ? "lease-0" : leases().getFirst().id();
    world.tell(new Event.Wish.Beat(++requests, id, length));
    run(1);
    return world.replies.get(requests);
  }

  private void beatFor(int minutes) {
    for (int i = 0; i < minutes * 3; i++) {
      run(19);
      beat(Optional.empty());
    }
  }

  private List<GateView.LeaseView> leases() {
    return world.loop.view().leases();
  }

  @Nested
  class Heartbeat {

    @Test
    void endsSoonAfterItsOwnerIsHeardNoMore() {
      serving();
      take(Optional.of(COMFYUI), BEATEN);
      beatFor(5);
      assertThat(world.loop.view().owner()).contains(COMFYUI);

      run(58);
      assertThat(leases()).hasSize(1);
      run(30);

      assertThat(leases()).isEmpty();
      assertThat(world.told)
          .anyMatch(text -> text.endsWith("has ended: its heartbeat was not heard for 60 s"));
      assertThat(world.loop.view().chatOpen()).isTrue();
    }

    @Test
    void neverLengthensTheLease() {
      serving();
      take(Optional.of(COMFYUI), BEATEN);
      Instant until = leases().getFirst().until();

      beatFor(29);
      assertThat(leases().getFirst().until()).isEqualTo(until);
      run(61);

      assertThat(leases()).isEmpty();
      assertThat(world.told).anyMatch(text -> text.endsWith("has ended: its time is over"));
      assertThat(beat(Optional.empty()))
          .isInstanceOfSatisfying(
              Command.Answer.Refused.class,
              refused -> assertThat(refused.kind()).isEqualTo(Command.Answer.Kind.NOT_FOUND));
    }

    @Test
    void mayAskForMoreTime() {
      serving();
      take(Optional.of(COMFYUI), LeaseTerms.PLAIN);
      run(600);
      beat(Optional.of(Duration.ofMinutes(25)));
      assertThat(beat(Optional.of(Duration.ZERO))).isInstanceOf(Command.Answer.Refused.class);

      run(24 * 60);
      assertThat(leases()).hasSize(1);
      run(90);
      assertThat(leases()).isEmpty();
    }

    @Test
    void startsAnewWithSwapgate() {
      serving();
      take(Optional.of(COMFYUI), BEATEN);
      world.steady = world.steady.plusSeconds(300);
      world.boot();

      run(55);
      assertThat(world.loop.view().owner()).contains(COMFYUI);
      beat(Optional.empty());
      run(50);
      assertThat(leases()).hasSize(1);
      run(30);
      assertThat(leases()).isEmpty();
    }

    @Test
    void standsStillWithSwapgate() {
      serving();
      take(Optional.of(COMFYUI), BEATEN);
      run(10);
      world.steady = world.steady.plusSeconds(300);

      run(20);
      assertThat(leases()).hasSize(1);
      run(60);
      assertThat(leases()).isEmpty();
    }
  }

  @Nested
  class Yielding {

    @Test
    void givesWayToAJobOfAnotherBackend() {
      serving();
      take(Optional.of(COMFYUI), YIELDS);
      run(120);
      assertThat(leases()).hasSize(1);

      world.submit(MUSIC, "m1");
      run(60);

      assertThat(world.steps).containsSubsequence("start comfyui", "start music", "start vllm");
      assertThat(world.told).anyMatch(text -> text.contains("job m1 of music waits for the card"));
    }

    @Test
    void runsAJobOfItsOwnBackendAndGoesOn() {
      serving();
      take(Optional.of(COMFYUI), YIELDS);
      run(60);
      world.submit(COMFYUI, "c1");
      run(60);

      assertThat(world.steps).contains("save c1 DONE");
      assertThat(world.loop.view().owner()).contains(COMFYUI);
      assertThat(leases()).hasSize(1);
    }

    @Test
    void isNotGivenWhileAJobWaits() {
      serving();
      take(Optional.of(MUSIC), LeaseTerms.PLAIN);
      world.submit(COMFYUI, "c1");
      run(5);

      assertThat(take(Optional.empty(), YIELDS))
          .isInstanceOfSatisfying(
              Command.Answer.Refused.class,
              refused -> assertThat(refused.reason()).contains("job c1 of comfyui waits"));
      assertThat(leases()).hasSize(1);
    }

    @Test
    void givesWayStillAfterARestart() {
      serving();
      take(Optional.empty(), YIELDS);
      run(30);
      world.boot();
      run(30);
      assertThat(leases()).hasSize(1);

      world.submit(COMFYUI, "c1");
      run(60);
      assertThat(world.steps).contains("save c1 DONE");
    }

    @Test
    void othersDoNotGiveWay() {
      serving();
      take(Optional.of(COMFYUI), LeaseTerms.PLAIN);
      world.submit(MUSIC, "m1");
      run(600);

      assertThat(world.loop.view().owner()).contains(COMFYUI);
    }
  }

  /** Whoever asks for it meanwhile can be told why it does not come, and until when. */
  @Test
  void theViewTellsWhoIsSetAsideAfterItsLeaseFailed() {
    serving();
    world.exitsAtOnce.add(COMFYUI);
    take(Optional.of(COMFYUI), LeaseTerms.PLAIN);
    run(20);
    assertThat(leases()).isEmpty();
    Optional<GateView.Aside> aside = aside();
    assertThat(aside).isPresent();
    assertThat(aside.get().reason()).isNotBlank();

    run(60);

    assertThat(aside()).isEmpty();
  }

  private Optional<GateView.Aside> aside() {
    return world.loop.view().media().stream()
        .filter(one -> one.id().equals(COMFYUI))
        .findFirst()
        .orElseThrow()
        .aside();
  }

  @Test
  void readsALeaseOfAnOlderSwapgate() {
    serving();
    world.settings.put(
        "leases",
        "lease-1|comfyui|" + world.now().wall().plusSeconds(600).toEpochMilli() + "|true");
    world.boot();
    run(60);

    assertThat(leases()).singleElement().extracting(GateView.LeaseView::byHand).isEqualTo(true);
    assertThat(leases().getFirst().terms()).isEqualTo(LeaseTerms.PLAIN);
    assertThat(world.loop.view().owner()).contains(COMFYUI);
  }
}

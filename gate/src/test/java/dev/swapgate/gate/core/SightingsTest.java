package dev.swapgate.gate.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class SightingsTest {
  private static final Instant START = Instant.parse("2027-01-31T12:00:00Z");
  private static final Backend.Id VLLM = new Backend.Id("vllm");
  private static final ContainerSighting RUNNING =
      new ContainerSighting(
          ContainerSighting.State.RUNNING,
          "c1",
          Optional.of(START),
          OptionalInt.empty(),
          Duration.ofSeconds(10),
          false,
          false,
          false);

  private final Sightings sightings = new Sightings();

  /** On a busy machine Docker's answer takes longer than the probes' interval. */
  @Test
  void aLookThatIsSlowerThanTheProbesStillConfirmsThem() {
    looked(0, 50);
    passed(100);
    passed(200);
    assertThat(sightings.confirmReady(VLLM, 2)).as("by the look before the passes").isFalse();

    passed(300);
    passed(400);
    looked(250, 450);

    assertThat(sightings.confirmReady(VLLM, 2)).isTrue();
  }

  private void looked(long asked, long answered) {
    sightings.looked(Map.of(VLLM, RUNNING), Duration.ofMillis(asked), at(answered));
  }

  private void passed(long answered) {
    sightings.probed(
        VLLM,
        RUNNING.run().orElseThrow(),
        new ProbeResult.Passed(),
        2,
        Duration.ofMillis(answered - 10),
        at(answered));
  }

  private static Now at(long millis) {
    return new Now(Duration.ofMillis(millis), START.plusMillis(millis));
  }
}

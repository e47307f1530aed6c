package dev.swapgate.proxy.app;

import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.StepTimes;
import dev.swapgate.gate.port.JobStore;
import dev.swapgate.gate.runtime.Gate;
import dev.swapgate.proxy.admin.Finding;
import dev.swapgate.proxy.check.Preflight;
import dev.swapgate.proxy.fallback.FallbackSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** What the preflight is told by a swapgate that runs. */
record KnownToGate(
    Gate gate, JobStore store, ContainerLocks locks, Supplier<FallbackSettings> fallback)
    implements Preflight.Known {
  @Override
  public Backend.Id selected() {
    return gate.view().selected();
  }

  @Override
  public Optional<Duration> stopTime(Backend.Id backend) {
    return new StepTimes(store.stepTimes())
        .learned(new StepTimes.Key(StepTimes.Step.STOP, backend, ""));
  }

  @Override
  public List<Finding> found() {
    List<Finding> found = new ArrayList<>(FallbackFindings.of(fallback.get()));
    found.addAll(locks.findings());
    return found;
  }
}

package dev.swapgate.proxy.app;

import dev.swapgate.backends.prefetch.FreeMemory;
import dev.swapgate.gate.core.Backend;
import dev.swapgate.gate.core.StepTimes;
import dev.swapgate.gate.port.JobStore;
import dev.swapgate.gate.runtime.Gate;
import dev.swapgate.proxy.admin.Finding;
import dev.swapgate.proxy.check.PrefetchCheck;
import dev.swapgate.proxy.check.Preflight;
import dev.swapgate.proxy.config.SwapgateConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** What the preflight is told by a swapgate that runs. */
record KnownToGate(
    Gate gate,
    JobStore store,
    ContainerLocks locks,
    Supplier<SwapgateConfig> config,
    FreeMemory memory)
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
    List<Finding> found = new ArrayList<>(FallbackFindings.of(config.get().fallback()));
    found.addAll(PrefetchCheck.findings(config.get().prefetch(), memory.most()));
    found.addAll(locks.findings());
    return found;
  }
}
